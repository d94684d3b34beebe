import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Person } from '../harness.ts'
import { declaredRoutes, lineOf } from './routes.ts'
import { CANARY, makeWorld, type World } from './world.ts'

/** What is private is in no answer to outsiders: every reading route, asked about everything there is. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Every `GET` with each subject's parameters, searches and all, and the names that it names itself. */
function readings(): { line: string; named: string[] }[] {
  const subjects = Object.values(world.subjects).flat()
  return declaredRoutes(world.forge.app)
    .filter(({ method }) => method === 'GET')
    .flatMap((route) => subjects.map(({ params }) => ({ line: lineOf(route, { collaborator: 'owner', ...params }), named: Object.values(params) })))
}

/** Answers whose text or headers carry the canary; a name that was asked for may be repeated. */
async function leaks(as: Person | string | undefined): Promise<string[]> {
  const leaking = new Set<string>()
  for (const { line, named } of readings()) {
    const { body, headers } = await world.forge.call(line, { as })
    const told = named.reduce((text, name) => text.replaceAll(name, ''), [JSON.stringify(body), ...headers.values()].join('\n'))
    if (told.includes(CANARY)) leaking.add(line)
  }
  return [...leaking]
}

test.each(['visitor', 'stranger', 'restricted'] as const)('%s meets nothing private', async (name) => {
  expect(await leaks(world.people[name])).toEqual([])
})

test.each(['owner', 'member', 'orgOwner', 'root'] as const)('a public-only token of %s meets nothing private', async (name) => {
  expect(await leaks(world.forge.token(world.people[name] as Person, 'all', 'public-only'))).toEqual([])
})

test('those who may see it do meet it, or the crawl would prove nothing', async () => {
  for (const name of ['reader', 'owner', 'member', 'root'] as const) expect((await leaks(world.people[name])).length).toBeGreaterThan(3)
})
