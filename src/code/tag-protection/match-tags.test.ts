import { afterAll, beforeAll, expect } from 'bun:test'
import type { Oid } from '#git/objects/oid.ts'
import { updateRefs } from '#repositories/refs/index.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { outcome } from '../../../test/outcome.ts'
import { findMatches } from './match-tags.ts'
import { tagGuard } from './protect-tags.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
let target: Oid
const protect = (name_pattern: string) =>
  forge.asUser('ada').post<{ id: number }>('/repos/ada/it/tag_protections', { name_pattern, whitelist_usernames: ['bob'] })
const move = (names: string[]) => ({ repoId: 1, actorId: 1, updates: names.map((name) => ({ name: `refs/tags/${name}`, new: target })), packPaths: [] })
const land = (names: string[], found: unknown) =>
  forge.context.db.tx((tx) => updateRefs(forge.context, tx, { ...move(names), message: 'push', facts: new Map([[tagGuard, found]]) }))

beforeAll(async () => {
  for (const name of ['ada', 'bob']) await forge.person(name)
  await forge.asUser('ada').post('/user/repos', { name: 'it' })
  fillRepo(forge, 1, (directory) => gitIn(directory, 'commit', '-qm', 'first', '--allow-empty'))
  target = gitIn(forge.context.git.pathOf(1), 'rev-parse', 'main').trim() as Oid
})
afterAll(() => forge[Symbol.asyncDispose]())

test('many tags are held against the patterns while others get their turns, and judged by what was found', async () => {
  await protect('/^v/')
  for (let i = 0; i < 5; i++) await protect(`/${'.{30}'.repeat(30)}${i}/`)
  const names = Array.from({ length: 50 }, (_, i) => `${i % 2 === 0 ? 'v' : 'w'}${'a'.repeat(200)}-${i + 100}x`)
  let turns = 0
  let isDone = false
  const found = findMatches(forge.context, move(names))?.finally(() => (isDone = true))
  for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect(turns).toBeGreaterThan(10)
  const results = land(names, await found)
  expect(results.map(({ ok }) => ok)).toEqual(names.map((name) => name.startsWith('w')))
})

test('what a pattern that came meanwhile says is found out anew; few tags need nothing found out', async () => {
  const names = Array.from({ length: 5 }, (_, i) => `x${i}`)
  const found = await findMatches(forge.context, move(names))
  await protect('x1')
  expect(() => land(names, found)).toThrow('Try again')
  expect(land(names, await findMatches(forge.context, move(names))).map(({ ok }) => ok)).toEqual([true, false, true, true, true])
  expect(findMatches(forge.context, move(names.slice(1)))).toBeUndefined()
})

test('more tags than can be held against the patterns are refused before any lands', async () => {
  const names = Array.from({ length: 6000 }, (_, i) => `${'y'.repeat(200)}${i}`)
  expect(await outcome(findMatches(forge.context, move(names)))).toThrow('Push fewer tags at a time')
})
