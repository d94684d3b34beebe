import { afterAll, expect, test } from 'bun:test'
import { git } from '../../../test/git-fixture.ts'
import { outcome } from '../../../test/outcome.ts'
import { soak } from '../../../test/soak.ts'
import { defaultLimits } from '../limits.ts'
import { parseCommit } from '../objects/commit.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { WorkerPool } from '../workers/pool.ts'
import { diffFiles } from './diff-files.ts'
import { RandomChanges } from './random-changes.fixture.ts'
import { writeDiff } from './write-diff.ts'

const history = new RandomChanges(23, 40)
const pool = new WorkerPool(1)
const repo = { path: history.gitDir, limits: defaultLimits }
afterAll(async () => {
  await pool.close()
  history[Symbol.dispose]()
})

/** Path → what `git diff-tree -z --numstat` printed; undefined for binaries. */
function numstat(printed: Buffer): Map<string, [number, number] | undefined> {
  const fields = printed.toString().split('\0').slice(0, -1)
  return new Map(
    fields
      .map((field) => field.split('\t'))
      .map(([added, deleted, ...path]) => [path.join('\t'), added === '-' ? undefined : [Number(added), Number(deleted)]]),
  )
}

test('files have the numbers of git diff --numstat, and pages together are the whole', async () => {
  const printed = history.diffs(history.pairs(), '-r', '-z', '--no-renames', '--numstat')
  for (const [at, [a, b]] of history.pairs().entries()) {
    const whole = await diffFiles(history.store, a, b, { renames: false, totals: true })
    const expected = numstat(printed[at] as Buffer)
    for (const { path, additions, deletions, isBinary } of whole.files) {
      expect([path, isBinary ? undefined : [additions, deletions]]).toEqual([path, expected.get(path) ?? (isBinary ? undefined : [0, 0])])
    }
    const pages = [0, 3, 6, 9].map((skip) => diffFiles(history.store, a, b, { renames: false, skip, limit: skip === 9 ? 1000 : 3 }))
    expect((await Promise.all(pages)).flatMap(({ files }) => files)).toEqual(whole.files)
    const counted = [...expected.values()].filter((counts) => counts !== undefined)
    expect(whole.totals).toEqual({ additions: counted.reduce((sum, [n]) => sum + n, 0), deletions: counted.reduce((sum, [, n]) => sum + n, 0) })
  }
})

test('the lines of hunks are those of git diff', async () => {
  const patches = history.diffs(history.pairs(), '-r', '-p', '-M', '--diff-filter=t')
  for (const [at, [a, b]] of history.pairs().entries()) {
    const { files } = await diffFiles(history.store, a, b, { detail: 'lines' })
    const ours = files.flatMap(({ status, hunks = [] }) => (status === 'type-changed' ? [] : hunks.flatMap(({ lines }) => lines)))
    expect(ours).toEqual(linesOfHunks((patches[at] as Buffer).toString().split('\n')))
  }
})

/** The lines below `@@`, as many as it says. */
function linesOfHunks(patch: readonly string[]): string[] {
  const lines: string[] = []
  let [old, now] = [0, 0]
  for (const line of patch) {
    const header = old + now > 0 ? undefined : /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (header) [old, now] = [Number(header[1] ?? 1), Number(header[2] ?? 1)]
    else if (line.startsWith('\\') || old + now > 0) lines.push(line)
    if (header || old + now === 0 || line.startsWith('\\')) continue
    if (line[0] !== '+') old--
    if (line[0] !== '-') now--
  }
  return lines
}

const [from, to] = [history.commits[0], history.commits.at(-1)] as [Oid, Oid]

test('each limit marks the files that are over it, and no others', async () => {
  const all = (await diffFiles(history.store, from, to, { detail: 'lines' })).files
  const changed = (options: object) => diffFiles(history.store, from, to, { detail: 'lines', ...options })
  expect(all.filter(({ isTooLarge }) => isTooLarge)).toEqual([])
  for (const [options, isOver] of [
    [{ maxFileLines: 20 }, (lines: string[]) => lines.filter((line) => !line.startsWith('\\')).length > 20],
    [{ maxLineBytes: 8 }, (lines: string[]) => lines.some((line) => !line.startsWith('\\') && line.length > 8)],
  ] as const) {
    const { files } = await changed(options)
    expect(files.some(({ isTooLarge }) => isTooLarge)).toBe(true)
    expect(files.map(({ isTooLarge }) => isTooLarge)).toEqual(all.map(({ hunks }) => isOver(hunks?.flatMap(({ lines }) => lines) ?? [])))
  }
  expect((await changed({ maxTotalLines: 0 })).files.filter(({ hunks }) => hunks && hunks.length > 0)).toEqual([])
  expect(
    (await changed({ maxTotalBytes: 0 })).files.every(({ additions, isTooLarge, old, new: now }) => additions === 0 && (isTooLarge || old?.oid === now?.oid)),
  ).toBe(true)
  expect(await changed({ maxFiles: 2, renames: false })).toMatchObject({ count: 2, isTruncated: true })
})

test('a worker answers with the same files, and its text is that of git diff', async () => {
  expect(await pool.run('diffFiles', repo, { from, to, options: { detail: 'lines' } })).toEqual(await diffFiles(history.store, from, to, { detail: 'lines' }))
  expect(await streamed(pool.stream('diffText', repo, { from, to }))).toBe(history.git('diff', from, to))
})

/** All that a stream gives. */
async function streamed(call: { outgoing: AsyncIterable<Uint8Array> }): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of call.outgoing) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('many files are shared out among threads, and the text is that of git diff', async () => {
  const who = 'A <a@example.org> 1700000000 +0000'
  const commit = (number: number) => {
    const files = Array.from({ length: 1500 }, (_, i) => `M 100644 inline d${i % 9}/f${i}\ndata <<E\n${number * (i % 7)}\nline\nE\n`)
    return `commit refs/heads/many\ncommitter ${who}\ndata 1\nx\n${files.join('')}\n`
  }
  git(['fast-import', '--quiet'], { cwd: history.gitDir, stdin: commit(1) + commit(2) })
  const [tip, parent] = history.git('rev-list', 'many').trim().split('\n') as Oid[]
  const two = new WorkerPool(2)
  for (const [a, b] of [
    [parent, tip],
    [undefined, tip],
  ]) {
    expect(await streamed(two.stream('diffText', repo, { from: a, to: b }))).toBe(history.git('diff', a ?? SHA1.emptyTree, b as Oid))
  }
  await two.close()
})

test('mails are those of git format-patch', async () => {
  const texts = history.commits
    .filter((_, at) => at % soak(3, 1) === 0)
    .map((oid) => [oid, history.git('format-patch', '--stdout', '--root', '--no-signature', '-1', oid)] as const)
  for (const [oid, text] of texts) {
    // How well binaries compress is each program's own.
    if (text.includes('GIT binary patch')) continue
    const from = parseCommit(history.store.get(oid, 'commit').data).parents
    expect(await streamed(pool.stream('rangePatches', repo, { from, to: oid }))).toBe(text)
  }
  const [base, tip] = [history.commits[20], history.commits[31]] as [Oid, Oid]
  const series = await streamed(pool.stream('rangePatches', repo, { from: [base], to: tip, options: { signature: '1.2.3', binary: false } }))
  expect(series).toBe(history.git('format-patch', '--stdout', '--signature=1.2.3', '--no-binary', `${base}..${tip}`))
})

test('a text nobody waits for any more is not made to its end', async () => {
  const signal = AbortSignal.abort(new Error('The reader went away'))
  expect(await outcome(writeDiff(history.store, undefined, to, { signal }, async () => {}))).toThrow('went away')
})
