import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestForge, testForge } from '../../test/harness.ts'

let forge: TestForge
beforeEach(() => {
  forge = testForge()
})
afterEach(() => forge[Symbol.asyncDispose]())

test('who follows events is woken by those that concern it, and passes over the others with them', async () => {
  const { context } = forge
  const ada = await forge.person('ada')
  let place = 0
  const read: string[][] = []
  context.events.follow(context.jobs, {
    name: 'test',
    placeOf: () => place,
    concerns: {
      repository: false,
      push: false,
      status: false,
      release: false,
      wiki: true,
      hook_test: false,
      issue: false,
      issue_comment: false,
      pull_review: false,
    },
    read: async () => {
      const batch = context.events.after(place, 100)
      place = batch.at(-1)?.id ?? place
      read.push(batch.map(({ event }) => event.type))
    },
  })
  const runs = () => context.jobs.listTasks().find(({ name }) => name === 'test')?.runs
  await until(() => runs() === 1)
  const { id } = forge.repo(ada, 'engine')
  const record = (type: 'push' | 'wiki') =>
    context.db.tx((tx) =>
      context.events.record(tx, type === 'push' ? { type, actorId: 1, repoId: id, changes: [] } : ({ type, actorId: 1, repoId: id } as never)),
    )
  record('push')
  await Bun.sleep(700)
  expect(runs()).toBe(1)
  record('wiki')
  await until(() => runs() === 2)
  expect(read.flat().slice(-2)).toEqual(['push', 'wiki'])
})

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !isSo(); i++) await Bun.sleep(10)
  expect(isSo()).toBe(true)
}
