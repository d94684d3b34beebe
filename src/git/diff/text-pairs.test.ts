import { afterAll, describe, expect, test } from 'bun:test'
import { Random } from '../../../test/generate-history.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { finish } from '../steps.ts'
import { ByteWriter } from './byte-writer.ts'
import { compareFile, statsOf } from './compare-file.ts'
import { diffFiles } from './diff-files.ts'
import { type CountedFile, diffStat } from './diff-stat.ts'
import { type PatchOptions, writePatch } from './patch.ts'
import { detectRenames } from './renames.ts'
import { diffTrees } from './tree-diff.ts'
import { TwoTrees } from './two-trees.fixture.ts'

const random = new Random(77)
const lines = (count: number, mark: Record<number, string> = {}, end = '\n') => Array.from({ length: count }, (_, i) => mark[i] ?? `line ${i}`).join(end) + end
const code = (names: string[]) => names.map((name) => `int ${name}(void)\n{\n\tint a = 1;\n\n\tif (a)\n\t\treturn a;\n\n\treturn 0;\n}\n\n`).join('')

function someLines(count: number): string[] {
  return Array.from(
    { length: count },
    () =>
      `${random.pick(['', '', '  ', '\t'])}${random.pick(['}', '{', '', 'x', 'y', 'return', `f${random.below(9)}()`, `${random.below(99)}`])}${random.pick(['', '', '', ' ', '\r'])}`,
  )
}

function noisyPair(): [string, string] {
  const base = someLines(random.skewed(80))
  const next = [...base]
  for (let edits = random.below(7); edits > 0; edits--) next.splice(random.below(next.length + 1), random.skewed(6), ...someLines(random.skewed(6)))
  if (random.chance(0.2)) next.push(...next.splice(random.below(next.length + 1), random.skewed(12)))
  const end = (all: string[]) => all.join('\n') + (random.chance(0.8) && all.length > 0 ? '\n' : '')
  return [end(base), end(next)]
}

/** Pairs that are hard for one reason each. */
const hard: [name: string, before: string, after: string][] = [
  ['only a line break', '', '\n'],
  ['a last line break lost', 'a\n', 'a'],
  ['a last line break gained', 'a', 'a\n'],
  ['both without one', 'a\nb', 'a\nc'],
  ['a line behind one without a break', 'a', 'a\nb'],
  ['line breaks turned', lines(5), lines(5, {}, '\r\n')],
  ['line breaks turned back', lines(5, {}, '\r\n'), lines(5)],
  ['blank lines come', lines(9), lines(9, { 4: '\nline 4' })],
  ['blank lines go', lines(9, { 4: '\n\n\nline 4' }), lines(9)],
  ['only blanks change', lines(9, { 4: 'a b' }), lines(9, { 4: 'a  b' })],
  ['blanks come at the end', lines(9), lines(9, { 4: 'line 4  \t' })],
  ['blanks between letters go', lines(9), lines(9, { 4: 'line4' })],
  ['a carriage return within a line', lines(9, { 3: 'a\rb' }), lines(9, { 3: 'ab' })],
  ['a function is added between others', code(['a', 'b', 'c']), code(['a', 'x', 'b', 'c'])],
  ['a function is removed', code(['a', 'b', 'c', 'd']), code(['a', 'b', 'd'])],
  ['two functions change places', code(['a', 'b', 'c']), code(['a', 'c', 'b'])],
  ['a function is doubled', code(['a', 'b']), code(['a', 'a', 'b'])],
  ['indented anew', code(['a']), code(['a']).replaceAll('\t', '    ')],
  ['a heading longer than what is shown', `${'x'.repeat(200)}\n${lines(20)}`, `${'x'.repeat(200)}\n${lines(20, { 15: 'X' })}`],
  [
    'a heading cut within a letter',
    `${'é'.repeat(100)}\n ${lines(20).replaceAll('\n', '\n ')}`,
    `${'é'.repeat(100)}\n ${lines(20, { 15: 'X' }).replaceAll('\n', '\n ')}`,
  ],
  ['a heading that is itself in the hunk', ` a\n b\nfunction f\n c\n d\n`, ` a\n b\nfunction f\n c\n D\n`],
  ['headings of other kinds', '_start:\n x\n x\n x\n x\n$dollar\n y\n y\n y\n y\n', '_start:\n x\n x\n x\n X\n$dollar\n y\n y\n y\n Y\n'],
  ['digits are no heading', `1 one\n${' x\n'.repeat(9)}`, `1 one\n${' x\n'.repeat(8)} y\n`],
  ['lines that are everywhere', '}\n'.repeat(60), `${'}\n'.repeat(30)}x\n${'}\n'.repeat(30)}`],
  ['one of many equal lines goes', '}\n'.repeat(60), '}\n'.repeat(59)],
  ['an enormous line', 'x'.repeat(100_000), `${'x'.repeat(100_000)}y`],
  ['all turned round', lines(40), lines(40).trimEnd().split('\n').reverse().join('\n')],
  ['every other line', lines(40), lines(40, Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i * 2, `new ${i}`])))],
  ['lines that look like a patch', '--- a\n+++ b\n@@ -1 +1 @@\n', '--- a\n+++ c\n@@ -1 +1 @@\n'],
  ['lines that look like markers', '-- \n', '--\n'],
  ['bytes that are no text', 'a\xff\n', 'b\xfe\n'],
]

const before: Record<string, string | { mode: string; content: string }> = {}
const after: typeof before = {}
for (const [i, [, one, other]] of hard.entries()) {
  before[`hard/${String(i).padStart(2, '0')}`] = one
  after[`hard/${String(i).padStart(2, '0')}`] = other
}
for (let i = 0; i < 150; i++) {
  const [one, other] = noisyPair()
  before[`noise/${i}.c`] = one
  after[`noise/${i}.c`] = other
}
// Of other kinds, with names that have to be shortened.
const deep = 'a-directory-with-a-long-name/another-one-that-is-even-longer-than-the-first/and-one-more'
Object.assign(before, {
  [`${deep}/file.c`]: lines(400),
  'binary.bin': '\0one',
  'gone.bin': '\0gone',
  'mode.sh': 'x\n',
  'turns to a link': 'target',
  'grüße/ß.md': 'ü\n',
  'moved/from/here/name.txt': lines(50),
})
Object.assign(after, {
  [`${deep}/file.c`]: lines(390, { 3: 'x' }),
  'binary.bin': '\0one and more',
  'new.bin': '\0\0',
  'mode.sh': { mode: '100755', content: 'x\n' },
  'turns to a link': { mode: '120000', content: 'target' },
  'grüße/ß.md': 'ä\n',
  'moved/to/there/name.txt': lines(50, { 7: 'edited' }),
  empty: '',
})

const trees = new TwoTrees(before, after)
afterAll(() => trees[Symbol.dispose]())

/** The patch of all files, cut where each file's begins. */
function patches(options: PatchOptions, renames = false): string[] {
  const changes = [...diffTrees(trees.store, trees.from, trees.to)]
  const out = new ByteWriter()
  for (const change of renames ? finish(detectRenames(trees.store, changes)).changes : changes) finish(writePatch(out, trees.store, change, options))
  return cutPatch(Buffer.from(out.take()).toString('latin1'))
}

const cutPatch = (patch: string) => patch.split(/^(?=diff --git )/m)

describe('two hundred pairs of texts, each hard in its own way', () => {
  test.each<[string[], PatchOptions]>([
    [[], {}],
    [['-U0'], { context: 0 }],
    [['-U2', '--inter-hunk-context=3'], { context: 2, interHunkContext: 3 }],
    [['-U1000'], { context: 1000 }],
    [['--minimal'], { minimal: true }],
    [['-w'], { ignoredSpace: 'all' }],
    [['-b'], { ignoredSpace: 'change' }],
    [['--ignore-space-at-eol'], { ignoredSpace: 'at-eol' }],
    [['--ignore-cr-at-eol'], { ignoredSpace: 'cr-at-eol' }],
    [['--ignore-blank-lines'], { ignoreBlankLines: true }],
    [['--ignore-blank-lines', '-w', '-U1'], { ignoreBlankLines: true, ignoredSpace: 'all', context: 1 }],
    [['--minimal', '-b', '-U0'], { minimal: true, ignoredSpace: 'change', context: 0 }],
  ])('have the patches of git diff %j', (flags, options) => {
    const expected = cutPatch(trees.diff('-r', '-p', '--full-index', ...flags))
    expect(patches(options)).toEqual(expected)
  })

  test(
    'have the numbers of git diff, renames found and blanks ignored or not',
    async () => {
      for (const [flags, options] of [
        [['-M'], {}],
        [['-M', '-w'], { ignoredSpace: 'all' }],
        [['-M', '--ignore-blank-lines'], { ignoreBlankLines: true }],
      ] as const) {
        const { files } = await diffFiles(trees.store, trees.from, trees.to, options)
        const rows = trees
          .diff('-r', '-z', '--numstat', ...flags)
          .replace(/(\t)\0([^\0]*)\0([^\0]*)/g, '$1$3')
          .split('\0')
          .slice(0, -1)
        const expected = new Map(rows.map((row) => [Buffer.from(row.split('\t')[2] as string, 'latin1').toString(), row.split('\t').slice(0, 2).join(' ')]))
        for (const file of files) {
          const numbers = expected.get(file.path)
          const counted = `${file.additions} ${file.deletions}`
          expect([file.path, numbers === '- -' ? '- -' : counted]).toEqual([file.path, numbers ?? '0 0'])
        }
      }
    },
    PATIENCE,
  )

  test.each([40, 72, 80, 100, 200])('have the table of git diff --stat --summary when it is %d columns wide', (width) => {
    const { changes } = finish(detectRenames(trees.store, [...diffTrees(trees.store, trees.from, trees.to)]))
    const counted = changes.map((change): CountedFile => ({ change, stats: statsOf(trees.store, change, finish(compareFile(trees.store, change, {})), {}) }))
    const ours = Buffer.from(diffStat(counted, width)).toString('latin1')
    expect(ours.split('\n')).toEqual(trees.diff('-r', '-M', `--stat=${width}`, '--summary').split('\n'))
  })
})
