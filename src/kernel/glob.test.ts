import { expect, test } from 'bun:test'
import { cpuMeter } from '../../test/cpu-time.ts'
import { globMatcher, globSource, isGlob } from './glob.ts'

test.each<[glob: string, separators: string, matching: string[], others: string[]]>([
  ['release/*', '/', ['release/1', 'release/'], ['release/1/x', 'release', 'x/release/1', 'release/1\n/']],
  ['release/**', '/', ['release/1', 'release/1/x'], ['release']],
  ['**/x', '/', ['a/x', 'a/b/x', '/x'], ['x']],
  ['v?', '/', ['v1', 'vé'], ['v', 'v10', 'v/']],
  ['v[0-9].[!x]', '', ['v1.y'], ['vx.y', 'v1.x', 'v1.']],
  ['{main,dev-*}', '/', ['main', 'dev-', 'dev-1'], ['dev-1/2', 'mai']],
  ['a,b.c+(d)|^$', '', ['a,b.c+(d)|^$'], ['abbc']],
  ['\\*', '', ['*'], ['a']],
  ['*', '', ['a/b.c', ''], []],
  ['*.md', './', ['readme.md'], ['a/readme.md', 'a.b.md']],
  ['docs/**', './', ['docs/a/b.c'], ['src/docs/a']],
  ['x*', '', ['x\ny'], []],
])('%p with separators %p', (glob, separators, matching, others) => {
  const matches = globMatcher(glob, separators)
  expect(matching.filter((text) => !matches(text))).toEqual([])
  expect(others.filter(matches)).toEqual([])
})

test.each(['[', 'a[b', '{a', '[z-a]', 'x\\', '[]', '{{{', '}'])('%p, which is no glob, throws nothing', (glob) => {
  expect(globMatcher(glob, '/')('else')).toBe(false)
})

test('time is linear in the text whatever the glob', () => {
  const matches = globMatcher('*a*a*a*a*a*a*a*a*a*b', '/')
  const spent = cpuMeter()
  expect(matches('a'.repeat(4000))).toBe(false)
  expect(spent()).toBeLessThan(2000)
})

test('time is linear in the glob, too, however many sets of it do not end', () => {
  const spent = cpuMeter()
  for (const glob of ['['.repeat(100_000), `${'['.repeat(100_000)}\\]`]) expect(globSource(glob, '/')).toContain('\\[\\[')
  expect(globSource('[][a][!b][c', '/')).toBe('\\[\\][a][^b]\\[c')
  expect(spent()).toBeLessThan(5000)
})

test('only what has a special character is a glob', () => {
  expect(['main', 'a/b', 'v1.0', 'a!b', 'a,b'].filter(isGlob)).toEqual([])
  expect(['*', 'a?', '[a]', '{a}', 'a\\'].every(isGlob)).toBe(true)
})
