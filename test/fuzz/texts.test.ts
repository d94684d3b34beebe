import { describe, test } from 'bun:test'
import { formatCommit } from '#git/archive/format-commit.ts'
import { TreeAttributes } from '#git/attributes/tree-attributes.ts'
import { hunksOf, linesOf } from '#git/diff/hunks.ts'
import { diffLines } from '#git/diff/line-diff.ts'
import { Lines } from '#git/diff/lines.ts'
import { parsePackedRefs } from '#git/foreign/read-refs.ts'
import { conflictParts, solveParts } from '#git/merge/conflict-parts.ts'
import { mergeContents } from '#git/merge/content-merge.ts'
import { WorkBudget } from '#git/merge/work-budget.ts'
import { parseCommit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import { encodeTree } from '#git/objects/tree.ts'
import { applyDelta } from '#git/packs/delta.ts'
import { makeDelta } from '#git/packs/write/make-delta.ts'
import { parseFilter } from '#git/protocol/filter.ts'
import { finish } from '#git/steps.ts'
import { MemoryStore } from '#git/store/memory.ts'
import { FUZZ_TIMEOUT, fuzz, type Target } from './fuzz.ts'

const RUNS = 800
const id = '1234567890abcdef1234567890abcdef12345678' as Oid
const store = new MemoryStore()
const bytes = (text: string) => Buffer.from(text, 'latin1')
const latin1 = (input: Uint8Array) => Buffer.from(input).toString('latin1')

const attributes = '[attr]m text -diff\n*.c eol=lf merge=union\n"a\\tb" binary\n/d/**/x export-ignore\n[[:alpha:]]?[!x-z]* m !text\n# no\n'
const paths = ['a', 'a.c', 'd/e/x', 'd/x', 'a\tb', 'ab', 'xyz/', 'é']

/** What the three bytes `\0\0\0` part, as often as it takes. */
function parts(input: Uint8Array, count: number): Uint8Array[] {
  const cut = latin1(input).split('\0\0\0').map(bytes)
  return Array.from({ length: count }, (_, i) => cut[i] ?? cut.at(-1) ?? new Uint8Array())
}

const texts = ['a\nb\nc\n\0\0\0a\nx\nc\n\0\0\0a\ny\nc\n', '\0\0\0a\r\nb\0\0\0b\n\n\n', 'one\ntwo\n\0\0\0one\n\0\0\0two\n'].map(bytes)

const targets: Target[] = [
  { name: '.gitattributes file', samples: [bytes(attributes)], read: readAttributes },
  {
    name: 'packed-refs file',
    samples: [bytes(`# pack-refs with: peeled\n${id} refs/heads/main\n${id} refs/tags/v1\n^${id}\n`)],
    read: (input) => [...parsePackedRefs(latin1(input))],
  },
  {
    name: 'filter',
    samples: ['blob:none', 'blob:limit=10k', 'tree:3', 'object:type=tag', 'combine:tree:1+blob%3Alimit=2'].map(bytes),
    read: (input) => parseFilter(latin1(input)),
  },
  { name: 'placeholders', samples: ['%H %an <%ae> %ad%n%x41%%', '%+b%-b% s%q', '%'].map(bytes), read: readPlaceholders },
  { name: 'comparison of lines', samples: texts, read: readDiff },
  { name: 'merge of lines', samples: texts, read: readMerge },
  { name: 'delta that we make', samples: texts, read: readDelta },
]

describe('only a GitError may come out of the', () => {
  for (const target of targets) test(`${target.name}, whatever the bytes`, () => fuzz(target, RUNS), FUZZ_TIMEOUT)
})

function readAttributes(input: Uint8Array): void {
  const inner = store.write('blob', Buffer.from(input))
  const entry = { mode: 0o100644, name: '.gitattributes', oid: inner }
  const below = store.write('tree', encodeTree([entry]))
  const tree = store.write('tree', encodeTree([entry, { mode: 0o040000, name: 'd', oid: below }]))
  const question = new TreeAttributes(store, tree).question(['text', 'eol', 'merge', 'm', 'export-ignore'])
  for (const path of paths) question.ask(path)
}

function readPlaceholders(input: Uint8Array): void {
  const commit = parseCommit(bytes(`tree ${id}\nparent ${id}\nauthor A \xe9 <a@x> 1700000000 -0330\ncommitter B <b> 9 +9999\n\nSubject\non\n\nBody\n`))
  const out = formatCommit({ ...commit, oid: id }, latin1(input))
  if (out.length > 10_000 + input.length * 500) throw new Error(`it made ${out.length} bytes`)
}

function readDiff(input: Uint8Array): void {
  const [before, after] = parts(input, 2) as [Uint8Array, Uint8Array]
  for (const ignoredSpace of [undefined, 'all', 'change', 'at-eol'] as const) {
    const diff = finish(diffLines(before, after, { ignoredSpace, ignoreBlankLines: true }))
    for (const hunk of hunksOf(diff)) for (const line of linesOf(hunk, diff)) if (line.bytes.length === 0) throw new Error('a line without a byte')
  }
  const { count, starts } = new Lines(before)
  if (starts[count] !== before.length) throw new Error('lines are lost')
}

function readMerge(input: Uint8Array): void {
  const [base, ours, theirs] = parts(input, 3) as [Uint8Array, Uint8Array, Uint8Array]
  const budget = new WorkBudget(1e8, 'merge')
  const options = { driver: 'text', labels: { base: 'b', ours: 'o', theirs: 't' }, markerSize: 7, isVirtual: false, budget } as const
  const { data, outcome } = finish(mergeContents({ base, ours, theirs }, options))
  const solved = solveParts(finish(conflictParts({ base, ours, theirs }, budget)), [])
  if (outcome === 'clean' && !Buffer.from(data).equals(solved)) throw new Error('what is clean is merged in two ways')
}

function readDelta(input: Uint8Array): void {
  const [from, to] = parts(input, 2) as [Uint8Array, Uint8Array]
  if (from.length === 0 || to.length === 0) return
  const delta = makeDelta(from, to)
  if (delta !== undefined && !Buffer.from(applyDelta(from, delta, 1 << 20)).equals(to)) throw new Error('it makes something else')
}
