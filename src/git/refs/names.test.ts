import { expect, test } from 'bun:test'
import { soak } from '../../../test/soak.ts'
import { randomFrom } from '../history/random-history.fixture.ts'
import { branchName, branchRef, conflictsWith, isRefName, lookupIn, parseRefName, type RefName, tagName } from './names.ts'

const pieces = [
  'a',
  'b',
  '/',
  '/',
  '.',
  '..',
  '.lock',
  'lock',
  '@',
  '{',
  '@{',
  '-',
  ' ',
  '\\',
  '*',
  '?',
  '[',
  ']',
  '~',
  '^',
  ':',
  '\x01',
  '\x7f',
  'é',
  '\t',
  '\n',
  '"',
  '🐧',
]

function randomName(random: () => number): string {
  const count = 1 + Math.floor(random() * 5)
  return `refs/${Array.from({ length: count }, () => pieces[Math.floor(random() * pieces.length)]).join('')}`
}

test('random names are accepted and refused as git check-ref-format does', () => {
  const random = randomFrom(7)
  for (let i = 0; i < soak(50, 150); i++) {
    const name = randomName(random)
    const git = Bun.spawnSync(['git', 'check-ref-format', name]).success
    expect([name, isRefName(name)]).toEqual([name, git])
  }
})

const refused = {
  HEAD: 'refs/',
  config: 'refs/',
  'refs/': 'empty',
  'refs/heads/': 'empty',
  'refs/heads/../../config': '".."',
  'refs/heads/a.lock': '.lock',
  'refs/heads/a.lock/b': '.lock',
  'refs/heads/.a': 'starts with "."',
  'refs/heads/a.': 'ends with "."',
  'refs/heads/a@{1}': '"@{"',
  'refs/heads/ma\u200bin': 'an invisible character',
  [`refs/heads/${'a/'.repeat(30)}a`]: 'more than 32 parts',
  'refs/heads/main\ufe0f': 'an invisible character',
  'refs/heads/ma\u{e0100}in': 'an invisible character',
  'refs/heads/ma\u00adin': 'an invisible character',
  'refs/heads/\ufeffmain': 'an invisible character',
  'refs/heads/ma\u034fin': 'an invisible character',
  'refs/heads/ma\u17b4in': 'an invisible character',
  'refs/heads/ma\ufff9in': 'an invisible character',
  'refs/heads/ma\u{1bca0}in': 'an invisible character',
  'refs/heads/ma\u{1d173}in': 'an invisible character',
  'refs/heads/a\u202eb': 'the text direction',
  'refs/heads/a\u2066b': 'the text direction',
  'refs/heads/a\u{e0041}b': 'an invisible character',
  'refs/heads/-x': 'start with "-"',
  'refs/tags/--exec=x': 'start with "-"',
  'refs/heads/HEAD': 'HEAD',
  'refs/tags/HEAD': 'HEAD',
  'refs/heads/@': 'named "@"',
  'refs/tags/@': 'named "@"',
  'refs/heads/refs/pull/1/head': 'start with "refs/"',
  'refs/tags/refs/heads/main': 'start with "refs/"',
  'refs/heads/a\u001b[31m': 'control character',
  'refs/heads/a\0': 'control character',
  'refs/heads/\ud800': 'Unicode',
  [`refs/heads/${'x'.repeat(256)}`]: '255 bytes',
  [`refs/heads/${'é'.repeat(128)}`]: '255 bytes',
  [`refs/heads/${'x/'.repeat(600)}x`]: '1024 bytes',
}

for (const [name, reason] of Object.entries(refused)) {
  test(`${JSON.stringify(name.slice(0, 40))} is refused: ${reason}`, () => {
    expect(() => parseRefName(name)).toThrow(reason)
  })
}

test('ordinary names are accepted and give their short names', () => {
  expect(branchName(branchRef('feature/a-b'))).toBe('feature/a-b')
  expect(tagName(parseRefName('refs/tags/v1.0'))).toBe('v1.0')
  expect(branchName(parseRefName('refs/pull/1/head'))).toBeUndefined()
  expect(tagName(parseRefName(`refs/heads/${'x'.repeat(255)}`))).toBeUndefined()
})

test.each(['\u270f\ufe0f-docs', '1\ufe0f\u20e3-first', '\u845b\u{e0100}', '\u1820\u180b', '\u{1f3cb}\u{1f3fd}\ufe0f', '\u{1f468}\ufe0f'])(
  '%s is a name: what varies has a shape to vary',
  (name) => {
    expect(isRefName(`refs/heads/${name}`)).toBe(true)
  },
)

test.each([
  ['a Persian word with a non-joiner', 'می\u200cخواهم'],
  ['a Hindi word with a joiner', 'क्\u200dष'],
  ['a Malayalam word that ends in a joiner', 'അവന്\u200d'],
  ['an emoji of three people', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['an emoji with a skin tone and a joiner', 'dev-\u{1f469}\u{1f3fd}\u200d\u{1f4bb}/x'],
  ['an emoji with a variation selector and a joiner', '\u2764\ufe0f\u200d\u{1f525}'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
])('%s is a name', (_what, name) => {
  expect(isRefName(`refs/heads/${name}`)).toBe(true)
})

test.each([
  ['a joiner before a word', '\u200dmain'],
  ['a joiner behind a word', 'main\u200d'],
  ['two joiners inside a word', 'ma\u200d\u200cin'],
  ['a joiner between punctuation', 'a-\u200d-b'],
  ['a joiner behind an emoji', '\u{1f468}\u200d'],
  ['tags of a flag that do not end', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}'],
  ['tags of a flag behind a letter', 'a\u{e0067}\u{e0062}\u{e0073}\u{e007f}'],
])('%s is no name', (_what, name) => {
  expect(() => parseRefName(`refs/heads/${name}`)).toThrow('an invisible character')
})

const existing = lookupIn(['refs/heads/a', 'refs/heads/a-b', 'refs/heads/d/e/f', 'refs/tags/v1'])
const conflicts: [string, string | undefined][] = [
  ['refs/heads/a', undefined],
  ['refs/heads/a/b', 'refs/heads/a'],
  ['refs/heads/a/b/c', 'refs/heads/a'],
  ['refs/heads/a-', undefined],
  ['refs/heads/d', 'refs/heads/d/e/f'],
  ['refs/heads/d/e', 'refs/heads/d/e/f'],
  ['refs/heads/d/f', undefined],
  ['refs/heads/z', undefined],
  ['refs/tags', 'refs/tags/v1'],
]

for (const [name, conflict] of conflicts) {
  test(`${name} ${conflict === undefined ? 'can be created' : `conflicts with ${conflict}`}`, () => {
    expect(conflictsWith(name as RefName, existing)).toBe(conflict)
  })
}
