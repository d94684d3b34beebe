import { describe, expect, test } from 'bun:test'
import { MAX_QUERY_DEPTH, MAX_QUERY_LENGTH, MAX_QUERY_TERMS, parseQuery, type QueryNode } from './query-syntax.ts'
import { parseDateRange, parseNumberRange } from './range-values.ts'

function written(node: QueryNode): string {
  if (node.kind === 'text') return node.isPhrase ? JSON.stringify(node.text) : node.text
  if (node.kind === 'qualifier') return `${node.name}=${node.values.join('|')}`
  if (node.kind === 'not') return `!${written(node.part)}`
  return `(${node.parts.map(written).join(node.kind === 'all' ? ' & ' : ' + ')})`
}

describe('a search', () => {
  test.each([
    ['', ''],
    ['a b', 'a; b'],
    ['a OR b c', '(a + (b & c))'],
    ['a AND b OR c', '((a & b) + c)'],
    ['(a OR b) c', '(a + b); c'],
    ['((a) OR (b c))', '(a + (b & c))'],
    ['NOT a -b NOT -c', '!a; !b; c'],
    ['-(a OR label:b)', '!(a + label=b)'],
    ['label:bug,"good first issue",x', 'label=bug|good first issue|x'],
    ['LABEL:"say \\"a\\"" milestone:v1', 'label=say "a"; milestone=v1'],
    ['"two words" "not:this"', '"two words"; "not:this"'],
    // What people paste.
    ['OR', 'OR'],
    ['a OR', 'a; OR'],
    ['foo:bar std::vector label: x', 'foo:bar; std::vector; label:; x'],
    ['f(x) (g(y) OR label:h)', 'f(x); (g(y) + label=h)'],
    ['a) (b', 'a); b'],
    ['--force -1 say "a', '--force; -1; say; "a'],
    ['()', ''],
    ['constructor:x __proto__:y', 'constructor:x; __proto__:y'],
  ])('%p is read as %p', (text, expected) => expect(parseQuery(text).parts.map(written).join('; ')).toBe(expected))

  test('knows where its parts stand', () => {
    const text = 'is:open  (a OR "b c") -label:"d e"'
    expect(parseQuery(text).parts.map(({ start, end }) => text.slice(start, end))).toEqual(['is:open', '(a OR "b c")', '-label:"d e"'])
  })

  test.each([
    ['a '.repeat(MAX_QUERY_TERMS + 1), [[2 * MAX_QUERY_TERMS, 'terms', true]]],
    [`label:${'a,'.repeat(MAX_QUERY_TERMS + 1)}`, [[0, 'terms', false]]],
    [`${'('.repeat(MAX_QUERY_DEPTH + 2)}a${')'.repeat(MAX_QUERY_DEPTH + 2)}`, [[MAX_QUERY_DEPTH, 'nested', false]]],
    ['x'.repeat(MAX_QUERY_LENGTH + 1), [[MAX_QUERY_LENGTH, '1000 characters', false]]],
    ['a (b', [[2, 'not closed', true]]],
  ])('says what of %p is ignored, and where', (text, expected) => {
    const problems = parseQuery(text).problems.map(({ at, message, isHarmless }) => [at, message, isHarmless])
    expect(problems).toEqual(expected.map(([at, word, isHarmless]) => [at, expect.stringContaining(word as string), isHarmless]))
  })

  test('of nothing but brackets, quotes or operators can be read', () => {
    for (const part of ['(', ')', '"', '\\"', '-', '-(', 'NOT ', 'OR ', 'a-', 'label:', ',', '(a OR '])
      expect(parseQuery(part.repeat(1000 / part.length)).parts.length).toBeLessThanOrEqual(MAX_QUERY_TERMS)
  })
})

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000
test.each([
  ['2026-01-31', { from: day('2026-01-31'), to: day('2026-02-01') - 1 }],
  ['>2026-01-31', { from: day('2026-02-01') }],
  ['>=2026-01-31', { from: day('2026-01-31') }],
  ['<2026-01-31', { to: day('2026-01-31') - 1 }],
  ['<=2026-01-31', { to: day('2026-02-01') - 1 }],
  ['2026-01-01..2026-01-31', { from: day('2026-01-01'), to: day('2026-02-01') - 1 }],
  ['*..2026-01-31', { from: undefined, to: day('2026-02-01') - 1 }],
  ['2026-01-31..*', { from: day('2026-01-31'), to: undefined }],
  ['>2026-01-31T12:00:00+02:00', { from: day('2026-01-31') + 36_001 }],
  ...['2026-02-30', 'yesterday', '2026-01-31..', '..', '2026-01-01..2026-01-02..2026-01-03', '>', '2026-01-31T25:00:00Z'].map(
    (bad) => [bad, undefined] as const,
  ),
])('the date range %p', (text, expected) => expect(parseDateRange(text)).toEqual(expected as never))

test.each([
  ['5', { from: 5, to: 5 }],
  ['>5', { from: 6 }],
  ['2..5', { from: 2, to: 5 }],
  ['-1', undefined],
  ['99999999999', undefined],
])('the number range %p', (text, expected) => expect(parseNumberRange(text)).toEqual(expected as never))
