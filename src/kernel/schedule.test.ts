import { expect, test } from 'bun:test'
import { parseSchedule } from './schedule.ts'

test.each([
  ['@every 1h30m', 5400],
  ['@every 24h', 86_400],
  ['@every 10s', 10],
  ['@hourly', 3600],
  ['@midnight', 86_400],
  ['@weekly', 604_800],
])('%s is every %d seconds', (text, seconds) => {
  expect(parseSchedule(text)).toBe(seconds)
})

test.each(['', '@every', '@every 0s', '@every 1d', '@every -1h', '@every 1.5h', '* * * * *', '24h', '@constructor', 'toString'])(
  '%j is no schedule',
  (text) => {
    expect(() => parseSchedule(text)).toThrow('is expected')
  },
)
