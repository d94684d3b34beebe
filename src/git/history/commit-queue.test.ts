import { expect, test } from 'bun:test'
import { CommitQueue } from './commit-queue.ts'
import { randomFrom } from './random-history.fixture.ts'

test('commits come by generation, then newest first, then first come', () => {
  const random = randomFrom(5)
  const commits = Array.from({ length: 500 }, (_, id) => ({ id, date: Math.floor(random() * 20), generation: Math.floor(random() * 10) }))
  const queue = new CommitQueue()
  for (const { id, date, generation } of commits) queue.push(id, date, generation)
  const sorted = commits.toSorted((a, b) => b.generation - a.generation || b.date - a.date || a.id - b.id)
  expect(sorted.map(() => queue.pop())).toEqual(sorted.map(({ id }) => id))
  expect([queue.pop(), queue.size, queue.topDate]).toEqual([-1, 0, -Infinity])
})

test('pushing and popping in turns keeps the order', () => {
  const queue = new CommitQueue()
  queue.push(1, 10)
  queue.push(2, 30)
  expect(queue.pop()).toBe(2)
  queue.push(3, 20)
  queue.push(4, 10)
  expect([queue.pop(), queue.pop(), queue.pop()]).toEqual([3, 1, 4])
})
