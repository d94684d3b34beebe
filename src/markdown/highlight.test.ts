import { expect, test } from 'bun:test'
import { cpuMeter } from '../../test/cpu-time.ts'
import { highlighter } from './highlight.ts'

const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** Milliseconds of CPU time, ten times what the slowest block takes; without a limit, the longest one takes several seconds. */
const MOST_MS = 500

/** Where the grammars' expressions take time by the square of what they look at, or worse. */
const hostile: [language: string, unit: string][] = [
  ['csharp', 'a '],
  ['csharp', 'a\n'],
  ['csharp', 'function '],
  ['ini', '_'],
  ['ini', '1'],
  ['ini', '--'],
  ['ini', 'a.'],
  ['ini', '\\"\n'],
  ['haskell', '\n'],
  ['java', '_'],
  ['java', '1_1'],
  ['java', '$a\n'],
  ['swift', 'x=1\n'],
  ['less', '/*   '],
  ['objectivec', ' '],
  ['typescript', '_'],
  ['php', 'A'],
  ['rust', 'r#"'],
  ['css', 'a<b>'],
  ['markdown', '[a]('],
]

test.each(hostile)('a block of %s costs little, however long it is: %j', (language, unit) => {
  for (const length of [1000, 2000, 4000, 8000, 16_000, 60_000]) {
    const code = filled(unit, length)
    const spent = cpuMeter()
    highlighter()(code, language)
    expect([length, spent() < MOST_MS]).toEqual([length, true])
  }
})

test('code as people write it is coloured', () => {
  const line = 'public static int Square(int number) { return number * number; } // of what it is given\n'
  for (const language of ['csharp', 'java', 'cpp', 'javascript', 'rust', 'c#']) expect(highlighter()(filled(line, 2000), language)).toContain('hljs-')
  expect(highlighter()(`# ${'-'.repeat(120)}\nx = "${'0f'.repeat(64)}"\n`, 'python')).toContain('hljs-')
})

test('of a text with much code the first blocks are coloured, the rest is shown as it is', () => {
  const highlight = highlighter(5)
  const first = highlight('const a = 1', 'javascript')
  expect(first).toContain('hljs-')
  for (let i = 0; i < 1000; i++) highlight(filled('const a = 1\n', 1000), 'javascript')
  expect(highlight('const a = 1', 'javascript')).toBe('')
  expect(highlighter()('const a = 1', 'javascript')).toBe(first)
})
