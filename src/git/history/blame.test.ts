import { afterAll, expect, test } from 'bun:test'
import { outcome } from '../../../test/outcome.ts'
import { quotePath } from '../diff/quote-path.ts'
import { RandomChanges } from '../diff/random-changes.fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { encodeTree, FILE_MODE } from '../objects/tree.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import { DiskStore } from '../store/disk.ts'
import { MemoryStore } from '../store/memory.ts'
import { WorkerPool } from '../workers/pool.ts'
import { type Blame, type BlameOptions, blame } from './blame.ts'
import { CommitSource } from './commit-source.ts'
import { RandomHistory } from './random-history.fixture.ts'

const edited = new RandomChanges(31, 60)
/** Merges of every kind, files of one line. */
const merged = new RandomHistory({ seed: 5, commits: 120, merges: 0.5, octopuses: 0.2, skew: 0.1 })
const mergedStore = DiskStore.open(merged.gitDir)
afterAll(() => {
  mergedStore.close()
  edited[Symbol.dispose]()
  merged[Symbol.dispose]()
})

/** Line by line, as `git blame --line-porcelain` says it. */
function linesOf({ groups }: Blame): string[] {
  return groups.flatMap(({ commit, path, line, originLine, count, previous, isBoundary }) =>
    Array.from({ length: count }, (_, i) =>
      [commit, originLine + i, line + i, quotePath(path), previous ? `${previous.commit} ${quotePath(previous.path)}` : '', isBoundary ? 'boundary' : ''].join(
        '|',
      ),
    ),
  )
}

function gitLines(porcelain: string): string[] {
  const lines: string[] = []
  let fields = new Map<string, string>()
  for (const line of porcelain.split('\n')) {
    if (line.startsWith('\t')) {
      lines.push([fields.get('id'), fields.get('filename'), fields.get('previous') ?? '', fields.has('boundary') ? 'boundary' : ''].join('|'))
      fields = new Map()
    } else if (fields.size === 0) fields.set('id', line.split(' ').slice(0, 3).join('|'))
    else fields.set(line.split(' ')[0] as string, line.slice(line.indexOf(' ') + 1))
  }
  return lines
}

const flagsOf = (options: BlameOptions): string[] => [
  ...(options.ignoreRevisions ?? []).map((oid) => `--ignore-rev=${oid}`),
  ...(options.ignoredSpace === 'all' ? ['-w'] : []),
]

/** Files whose names git prints as they are. */
function plainFiles(commit: Oid): string[] {
  const entries = edited.git('ls-tree', '-r', '-z', '--format=%(objecttype) %(path)', commit).split('\0')
  return entries.filter((entry) => /^blob [!#-[\]-~ ]+$/.test(entry)).map((entry) => entry.slice(5))
}

test.each<[string, BlameOptions]>([
  ['all lines', {}],
  ['without blanks', { ignoredSpace: 'all' }],
  ['some revisions ignored', { ignoreRevisions: [...[12, 30, 31, 50].map((at) => edited.commits[at] as Oid)] }],
])('%s: every line is of the commit that git blame names', async (_, options) => {
  for (const commit of [edited.commits[20], edited.commits[59]] as Oid[]) {
    for (const path of plainFiles(commit)) {
      const git = edited.git('blame', '--line-porcelain', ...flagsOf(options), commit, '--', path)
      expect(linesOf(await blame(new CommitSource(edited.store), commit, path, options))).toEqual(gitLines(git))
    }
  }
})

test('through merges, criss-cross and with clocks that go wrong', async () => {
  for (let round = 0; round < 12; round++) {
    const commit = merged.pickLate()
    for (const path of merged.git('ls-tree', '-r', '--name-only', '-z', commit).split('\0').slice(0, -1)) {
      const git = merged.git('blame', '--line-porcelain', commit, '--', path)
      expect(linesOf(await blame(new CommitSource(mergedStore), commit, path))).toEqual(gitLines(git))
    }
  }
})

test('what a file was called before is not looked for among files that unfold without end', async () => {
  const store = new MemoryStore()
  const commit = (tree: Oid, above: string) =>
    store.write('commit', Buffer.from(`tree ${tree}\n${above}author A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\n1\n`))
  const before = commit(unfoldingTree(store, 12, Buffer.from('one\n')), '')
  const after = commit(store.write('tree', encodeTree([{ mode: FILE_MODE, name: 'a', oid: store.write('blob', Buffer.from('one\n')) }])), `parent ${before}\n`)
  expect(linesOf(await blame(new CommitSource(store), after, 'a'))).toEqual([`${after}|1|1|a||`])
})

test('what is no file cannot be blamed', async () => {
  const commit = edited.commits[59] as Oid
  for (const path of ['absent', 'src', '']) expect(await outcome(blame(new CommitSource(edited.store), commit, path))).toThrow('the file does not exist')
})

test('a worker answers the same', async () => {
  const pool = new WorkerPool(1)
  const commit = edited.commits[40] as Oid
  const path = plainFiles(commit)[0] as string
  const { commits, ...found } = await pool.run('blame', { path: edited.gitDir, limits: defaultLimits }, { commit, path })
  expect(found).toEqual(await blame(new CommitSource(edited.store), commit, path))
  for (const { commit: oid } of found.groups) expect(commits.get(oid)?.subject).toBe(edited.git('log', '-1', '--format=%s', oid).trim())
  await pool.close()
})
