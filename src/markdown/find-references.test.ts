import { expect, test } from 'bun:test'
import { cpuMeter } from '../../test/cpu-time.ts'
import { findIssueReferences, findMentions } from './find-references.ts'

const root = 'http://localhost:3000/'
const found = (text: string) => findIssueReferences(text, root).map(({ repo = '', number, lead }) => `${lead.trim()} ${repo}#${number}`.trim())

test.each([
  ['closes #1, see ada/engine#2 and !3', ['closes #1', 'closes #1, see ada/engine#2', 'closes #1, see ada/engine#2 and #3']],
  [`fixes ${root}ada/engine/issues/4#issuecomment-5`, ['fixes ada/engine#4']],
  ['`#1` and ``a ` #2`` but #3', ['and   but #3']],
  ['```\n#1\n```\n\n    #2\n\n#3', ['#3']],
  ['<!-- #1 --> #2 <!-- #3', ['#2', '#2 <!-- #3']],
  ['`one backtick and #1', ['`one backtick and #1']],
  ['a#1 #1a &#1; /#1', []],
])('%j names what it shows as a link', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test('people and teams are told apart', () => {
  expect(findMentions('@Ada and @acme/crew, not a@b.org or `@bob`')).toEqual({ names: ['ada'], teams: ['acme/crew'] })
})

test.each([
  ['backticks', '`'.repeat(1_000_000)],
  ['backticks of many lengths', Array.from({ length: 1400 }, (_, n) => '`'.repeat(n + 1)).join('a')],
  ['beginnings of comments', '<!--'.repeat(250_000)],
  ['names', '@a/'.repeat(300_000)],
  ['numbers', 'a/b#1'.repeat(200_000)],
  ['addresses', `${root}a/b/issues/`.repeat(30_000)],
])('a megabyte of %s takes no longer than a moment', (_, text) => {
  const spent = cpuMeter()
  findIssueReferences(text, root)
  findMentions(text)
  expect(spent()).toBeLessThan(3000)
})

test('what stands behind thousands of mentions, or of runs of backticks, names nothing', () => {
  const few = ['@ada '.repeat(500), '`a` '.repeat(500)]
  expect(few.map((text) => found(`${text}#1`).length)).toEqual([1, 1])
  expect(few.map((text) => found(`${text.repeat(20)}#1`).length)).toEqual([0, 0])
})
