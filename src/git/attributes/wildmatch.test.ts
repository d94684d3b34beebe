import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../../test/git-fixture.ts'
import { isOfClass } from './character-class.ts'
import { Effort } from './effort.ts'
import { parseAttributes } from './parse-attributes.ts'
import { matchesPath, parsePathPattern } from './path-pattern.ts'
import { unquote } from './unquote.ts'
import { wildmatch } from './wildmatch.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-wild-'))
git(['init', '-q', '.'], { cwd: directory })
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const effort = () => {
  const one = new Effort({ perPath: 1_000_000, most: 1e9 })
  one.nextPath()
  return one
}

/** All texts of one to `most` of the pieces. */
function* allOf(pieces: readonly string[], most: number): Generator<string> {
  let longest = ['']
  for (let length = 1; length <= most; length++) {
    longest = longest.flatMap((text) => pieces.map((piece) => text + piece))
    yield* longest
  }
}

/** By path, the patterns that git says match it: each pattern has an attribute of its own. */
function judged(patterns: readonly string[], paths: readonly string[]): Map<string, Set<number>> {
  writeFileSync(join(directory, '.gitattributes'), patterns.map((pattern, i) => `${pattern} p${i}\n`).join(''))
  const answer = git(['check-attr', '-z', '--stdin', '--all'], { cwd: directory, stdin: paths.map((path) => `${path}\0`).join('') }).toString()
  const fields = answer.split('\0')
  const found = new Map(paths.map((path) => [path, new Set<number>()]))
  for (let at = 0; at + 2 < fields.length; at += 3) found.get(fields[at] as string)?.add(Number(fields[at + 1]?.slice(1)))
  return found
}

function expectJudged(patterns: readonly string[], paths: readonly string[]): void {
  const expected = judged(patterns, paths)
  const parsed = patterns.map(parsePathPattern)
  for (const path of paths) {
    const bare = path.replace(/\/$/, '')
    const asked = { path: bare, name: bare.slice(bare.lastIndexOf('/') + 1), isDirectory: path.endsWith('/') }
    const ours = patterns.filter((_, i) => matchesPath(parsed[i] as ReturnType<typeof parsePathPattern>, asked, '', effort()))
    const gits = patterns.filter((_, i) => expected.get(path)?.has(i))
    expect([path, ours]).toEqual([path, gits])
  }
}

describe('every short pattern matches the paths that git says it matches', () => {
  const paths = [...allOf(['a', 'b', '/'], 4)].filter((path) => !path.startsWith('/') && !path.includes('//'))

  test('of stars, letters and slashes', () => {
    // Of `a**`, versions of git think differently.
    const patterns = [...allOf(['a', '/', '*', '**', '?'], 4)].filter((pattern) => !/[^/*]\*\*|\*\*[^/*]|\*\*\*/.test(pattern))
    expect(patterns.length).toBeGreaterThan(300)
    expectJudged(patterns, paths)
  })

  test('of sets, letters and escapes', () => {
    expectJudged([...allOf(['a', '[ab]', '[!a]', '[^b/]', '\\a', '*'], 3)], paths)
  })
})

describe('a pattern', () => {
  test.each<[pattern: string, text: string, isMatch: boolean]>([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'abc', true],
    ['?', '', false],
    ['?', 'ab', false],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbb', false],
    ['*a*a*', 'xaya', true],
    ['*a*a*', 'xa', false],
    ['[a-c]', 'b', true],
    ['[a-c]', 'd', false],
    ['[c-a]', 'b', false],
    ['[!a-c]', 'd', true],
    ['[]a]', ']', true],
    ['[!]a]', ']', false],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['[a', 'a', false],
    ['[[:digit:]]', '7', true],
    ['[[:digit:]]', 'x', false],
    ['[[:nothing:]]', 'x', false],
    ['[^[:space:]]', 'x', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['\\', '\\', false],
    ['a\\', 'a\\', false],
    ['\\[a]', '[a]', true],
    ['[\\]]', ']', true],
    ['[\\a-c]', 'b', true],
    ['\xff*', '\xff\xfe', true],
  ])('%j of a name: %j is matched: %p', (pattern, text, isMatch) => {
    expect(wildmatch(pattern, text, false, effort())).toBe(isMatch)
  })

  test.each<[pattern: string, text: string, isMatch: boolean]>([
    ['*', 'a/b', false],
    ['?', '/', false],
    ['[/]', '/', false],
    ['[!a]', '/', false],
    ['**', 'a/b/c', true],
    ['**/c', 'a/b/c', true],
    ['**/c', 'c', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['a/**/c', 'a/c', true],
    ['a/**/c', 'a/x/y/c', true],
    ['a/**/c', 'ac', false],
    ['**/a/**', 'x/a/y', true],
    ['*/b', 'a/b', true],
    ['*/b', 'x/a/b', false],
    ['a/*/c', 'a/b/c', true],
    ['a/*/c', 'a/b/b/c', false],
  ])('%j of a path: %j is matched: %p', (pattern, text, isMatch) => {
    expect(wildmatch(pattern, text, true, effort())).toBe(isMatch)
  })

  test('that would be tried for ever is over the limit, and what is left of it counts for the next', () => {
    const little = new Effort({ perPath: 1000, most: 3000 })
    little.nextPath()
    expect(() => wildmatch('**/*a'.repeat(30), 'a/'.repeat(200), true, little)).toThrow('too many steps')
  })
})

describe('names in quotes', () => {
  test.each<[string, { text: string; end: number } | undefined]>([
    ['"a"', { text: 'a', end: 3 }],
    ['"a" rest', { text: 'a', end: 3 }],
    ['""', { text: '', end: 2 }],
    ['"\\""', { text: '"', end: 4 }],
    ['"\\\\"', { text: '\\', end: 4 }],
    ['"\\t\\n\\r\\a\\b\\f\\v"', { text: '\t\n\r\x07\b\f\v', end: 16 }],
    ['"\\303\\274"', { text: '\xc3\xbc', end: 10 }],
    ['"\\101"', { text: 'A', end: 6 }],
    ['"\\1"', undefined],
    ['"\\q"', undefined],
    ['"a', undefined],
    ['"a\\', undefined],
    ['"\\400"', undefined],
  ])('%j', (quoted, expected) => {
    expect(unquote(quoted)).toEqual(expected as { text: string; end: number })
  })
})

describe('classes of characters', () => {
  test.each<[string, number, number]>([
    ['alpha', 52, 0x41],
    ['digit', 10, 0x30],
    ['alnum', 62, 0x30],
    ['upper', 26, 0x41],
    ['lower', 26, 0x61],
    ['xdigit', 22, 0x30],
    ['punct', 32, 0x21],
    ['cntrl', 33, 0x00],
    ['print', 95, 0x20],
    ['graph', 94, 0x21],
    ['blank', 2, 0x09],
  ])('%s has %d of them in ASCII, the first of them %d', (name, count, first) => {
    const members = Array.from({ length: 128 }, (_, byte) => byte).filter((byte) => isOfClass(name, byte))
    expect([members.length, members[0]]).toEqual([count, first])
    expect(Array.from({ length: 128 }, (_, i) => isOfClass(name, 128 + i)).some(Boolean)).toBe(false)
  })

  test.each(['', 'nothing', 'constructor', '__proto__', 'Alpha'])('%j is none', (name) => {
    expect(isOfClass(name, 0x41)).toBeUndefined()
  })
})

describe('a line of attributes', () => {
  const rules = (text: string, allowMacros = true) =>
    parseAttributes(Buffer.from(text), allowMacros).map((rule) => [
      'macro' in rule ? `[attr]${rule.macro}` : rule.pattern.text,
      ...rule.states.map(({ name, value }) => `${name}=${String(value)}`),
    ])

  test.each<[string, string[][]]>([
    ['', []],
    ['\n\n', []],
    ['# a text', []],
    ['a', [['a']]],
    ['a text', [['a', 'text=true']]],
    ['a -text !eol merge=union x=', [['a', 'text=false', 'eol=undefined', 'merge=union', 'x=']]],
    ['a text -text', [['a', 'text=true', 'text=false']]],
    ['\ta\ttext\r\n', [['a', 'text=true']]],
    ['!a text', []],
    ['a -', []],
    ['a b@', []],
    ['a text\nb -', [['a', 'text=true']]],
    ['[attr]m -text', [['[attr]m', 'text=false']]],
    ['[attr] m', [['[attr]', 'm=true']]],
    ['[attr]', [['[attr]']]],
    ['"a b" text', [['a b', 'text=true']]],
    ['a x=a=b', [['a', 'x=a=b']]],
    [`${'x'.repeat(2047)}\nb`, [['x'.repeat(2047)], ['b']]],
    [`${'x'.repeat(2048)}\nb`, [['b']]],
  ])('%j', (line, expected) => {
    expect(rules(line)).toEqual(expected)
  })

  test('defines macros at the root alone', () => {
    expect(rules('[attr]m -text\na m', false)).toEqual([['a', 'm=true']])
  })
})
