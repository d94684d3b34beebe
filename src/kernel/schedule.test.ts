import { expect, test } from 'bun:test'
import { parseSchedule } from './schedule.ts'

test.each([
  ['@every 1h30m', 5400],
  ['@every 24h', 86_400],
  ['@every 10s', 10],
  ['@hourly', 3600],
  ['@midnight', 86_400],
  ['@weekly', 604_800],
  ['@every 596h', 2_145_600],
])('%s is every %d seconds', (text, seconds) => {
  expect(parseSchedule(text)).toBe(seconds)
})

test.each(['', '@every', '@every 0s', '@every 1d', '@every -1h', '@every 1.5h', '* * * * *', '24h', '@constructor', 'toString'])(
  '%j is no schedule',
  (text) => {
    expect(() => parseSchedule(text)).toThrow('expected ')
  },
)

test.each(['@every 600h', '@every 35792m', '@every 999999h', '@every 596h1h'])('%j is longer than a timer waits, which would then not wait at all', (text) => {
  expect(() => parseSchedule(text)).toThrow('at most 2147483 seconds')
})
