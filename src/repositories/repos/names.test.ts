import { expect, test } from 'bun:test'
import { Unprocessable } from '#kernel/errors.ts'
import { formatDuration, parseDuration } from './duration.ts'
import { checkRepoName } from './names.ts'

test.each(['a', 'A_b-c.d', '.github', '_', '--', 'x'.repeat(100), 'connect', 'git', 'a.github.io', '0'])('"%s" is a name for a repository', (name) => {
  expect(() => checkRepoName(name)).not.toThrow()
})

test.each(['com1', 'LPT9.txt', 'aux', 'a.lock', 'x\n', 'x\u202e', '%2e%2e', 'a:b'])('%j is none', (name) => {
  expect(() => checkRepoName(name)).toThrow(Unprocessable)
})

test.each([
  ['0', 0, '0s'],
  ['8h', 28_800, '8h0m0s'],
  ['1h30m', 5400, '1h30m0s'],
  ['1.5h', 5400, '1h30m0s'],
  ['90s', 90, '1m30s'],
  ['1000ms', 1, '1s'],
])('the duration %s is %i seconds', (text, seconds, formatted) => {
  expect([parseDuration(text), formatDuration(seconds)]).toEqual([seconds, formatted])
})

test.each(['', '8', 'h', '-1h', '1 h', '1d', '1h1', `${'9'.repeat(60)}h`])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})
