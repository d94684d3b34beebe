import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { IdleTimer } from './idle-timer.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

test('acts after a whole minute without a question, and once', () => {
  let acted = 0
  using idle = new IdleTimer(() => acted++)
  idle.touch()
  jest.advanceTimersByTime(59_000)
  idle.touch()
  jest.advanceTimersByTime(60_000)
  expect(acted).toBe(0)
  jest.advanceTimersByTime(61_000)
  expect(acted).toBe(1)
  jest.advanceTimersByTime(600_000)
  expect(acted).toBe(1)
  idle.touch()
  jest.advanceTimersByTime(120_000)
  expect(acted).toBe(2)
})
