import { afterEach, beforeEach, expect, test } from 'bun:test'
import { fakeTimers } from '../../test/fake-timers.ts'
import { type TestForge, testForge } from '../../test/harness.ts'

let forge: TestForge
beforeEach(() => {
  forge = testForge()
})
afterEach(() => forge[Symbol.asyncDispose]())

test('who follows events is woken by those that concern it, and passes over the others with them', async () => {
  const { context } = forge
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  using time = fakeTimers()
  let place = 0
  const read: string[][] = []
  context.events.follow(context.tasks, {
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
  const runs = () => context.tasks.listTasks().find(({ name }) => name === 'test')?.runs
  await time.advance(600)
  expect(runs()).toBe(1)
  const record = (type: 'push' | 'wiki') =>
    context.db.tx((tx) =>
      context.events.record(tx, type === 'push' ? { type, actorId: 1, repoId: id, changes: [] } : ({ type, actorId: 1, repoId: id } as never)),
    )
  record('push')
  // More than the longest wait, and less than the time after which all is read again.
  await time.advance(6000)
  expect(runs()).toBe(1)
  record('wiki')
  await time.advance(600)
  expect(runs()).toBe(2)
  expect(read.flat().slice(-2)).toEqual(['push', 'wiki'])
})
