import { expect, test } from 'bun:test'
import { scheduleWords } from './task-words.ts'

test.each([
  ['@every 10m', 'every 10 minutes'],
  ['@every 1h', 'every hour'],
  ['@every 24h', 'every day'],
  ['@every 5s', 'every 5 seconds'],
  ['', 'only manually'],
])('the schedule %p is read as “%s”', (schedule, words) => {
  expect(scheduleWords(schedule)).toBe(words)
})
