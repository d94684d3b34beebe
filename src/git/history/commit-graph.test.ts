import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { outcome } from '../../../test/outcome.ts'
import { soak } from '../../../test/soak.ts'
import { GitError } from '../errors.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import type { ObjectReader } from '../store/types.ts'
import { CommitGraph, commitGraphPath, findCommitGraph } from './commit-graph.ts'
import { CommitSource } from './commit-source.ts'
import { HandHistory } from './hand-history.fixture.ts'
import { mergeBaseSteps } from './merge-base.ts'
import { RandomHistory } from './random-history.fixture.ts'
import { countCommits } from './walk.ts'
import { writeCommitGraph } from './write-commit-graph.ts'

const history = new RandomHistory({ seed: 3, commits: 120, octopuses: 0.4 })
const store = DiskStore.open(history.gitDir)
const path = commitGraphPath(history.gitDir)
afterAll(() => {
  store.close()
  history[Symbol.dispose]()
})

/** Counts the commits that are read. */
function counting(): ObjectReader & { reads: number } {
  return Object.create(store, {
    reads: { value: 0, writable: true },
    get: {
      value(this: { reads: number }, oid: Oid) {
        this.reads++
        return store.get(oid)
      },
    },
  })
}

function rows(graph: CommitGraph): unknown[] {
  const parents: number[] = []
  return Array.from({ length: graph.count }, (_, row) => {
    graph.parents(row, parents)
    return [graph.oid(row), graph.tree(row), graph.date(row), graph.level(row), graph.generation(row), [...parents]]
  })
}

function filters(graph: CommitGraph): unknown[] {
  return Array.from({ length: graph.count }, (_, row) => graph.filters?.find(row))
}

describe('writing', () => {
  test('the rows are those that git writes', async () => {
    history.git('update-ref', 'refs/heads/main', history.oids[119] as Oid)
    history.git('commit-graph', 'write', '--reachable')
    const ofGit = rows(findCommitGraph(path, SHA1) as CommitGraph)
    await writeCommitGraph(store, [], path)
    const { commits } = await writeCommitGraph(store, [history.oids[119] as Oid], path)
    expect(rows(findCommitGraph(path, SHA1) as CommitGraph)).toEqual(ofGit)
    expect(commits).toBe(ofGit.length)
  })

  test('the changed-path filters are those that git writes, except for names that git hashes by the machine it runs on', async () => {
    using plain = new RandomHistory({ seed: 4, commits: 80, paths: ['a', 'd/x', 'd/e/y', 'some-longer/name.txt'] })
    const reader = DiskStore.open(plain.gitDir)
    const graphPath = commitGraphPath(plain.gitDir)
    await writeCommitGraph(reader, [plain.oids[79] as Oid], graphPath, { changedPaths: true })
    const ours = filters(findCommitGraph(graphPath, SHA1) as CommitGraph)
    await writeCommitGraph(reader, [], graphPath)
    plain.git('update-ref', 'refs/heads/main', plain.oids[79] as Oid)
    plain.git('commit-graph', 'write', '--reachable', '--changed-paths')
    expect(ours).toEqual(filters(findCommitGraph(graphPath, SHA1) as CommitGraph))
    reader.close()
  })

  test('commits that change a path beyond ASCII have no filter, also when the graph is written again', async () => {
    const hand = new HandHistory()
    const ascii = hand.commit({ files: { a: '1' } })
    const beyond = hand.commit({ files: { a: '1', 'ü/b': '1' }, parents: [ascii] })
    for (let times = 0; times < 2; times++) {
      await writeCommitGraph(hand.store, [beyond], path, { changedPaths: true })
      const graph = findCommitGraph(path, SHA1) as CommitGraph
      const bytes = [ascii, beyond].map((oid) => graph.filters?.find(graph.find(oid))?.length)
      expect(bytes).toEqual([2, 0])
    }
    await writeCommitGraph(hand.store, [], path)
  })

  test('filters are kept, and added for new commits, when a graph that has them is written again', async () => {
    await writeCommitGraph(store, history.oids.slice(0, 100), path, { changedPaths: true })
    await writeCommitGraph(store, history.oids, path)
    const added = filters(findCommitGraph(path, SHA1) as CommitGraph)
    await writeCommitGraph(store, [], path)
    await writeCommitGraph(store, history.oids, path, { changedPaths: true })
    expect(filters(findCommitGraph(path, SHA1) as CommitGraph)).toEqual(added)
    expect(history.git('log', '--format=%H', history.oids[119] as Oid, '--', 'ü/ñ')).toBe(
      history.git('-c', 'core.commitGraph=false', 'log', '--format=%H', history.oids[119] as Oid, '--', 'ü/ñ'),
    )
    await writeCommitGraph(store, history.oids, path, { changedPaths: false })
    expect(findCommitGraph(path, SHA1)?.filters).toBeUndefined()
  })

  test('a second writing reads only the commits that are new', async () => {
    await writeCommitGraph(store, history.oids.slice(0, 100), path)
    const reader = counting()
    expect(await writeCommitGraph(reader, history.oids, path)).toEqual({ commits: 120, added: 20 })
    expect(reader.reads).toBe(20)
    expect(history.git('commit-graph', 'verify')).toBe('')
  })

  test('commits that nothing reaches any more are left out, and without commits no file is left', async () => {
    await writeCommitGraph(store, history.oids, path)
    expect((await writeCommitGraph(store, [history.oids[0] as Oid], path)).commits).toBe(1)
    expect(findCommitGraph(path, SHA1)?.find(history.oids[119] as Oid)).toBe(-1)
    await writeCommitGraph(store, [], path)
    expect(existsSync(path)).toBe(false)
    expect(findCommitGraph(path, SHA1)).toBeUndefined()
  })

  test('a failure leaves the graph as it was and no temporary file', async () => {
    await writeCommitGraph(store, history.oids, path)
    const before = readFileSync(path)
    expect(await outcome(writeCommitGraph(store, ['1'.repeat(40) as Oid], path))).toThrow('1'.repeat(40))
    expect(readFileSync(path)).toEqual(before)
    expect(readdirSync(dirname(path)).filter((name) => name.includes('tmp'))).toEqual([])
  })

  test('a damaged graph is written anew from the store', async () => {
    await writeCommitGraph(store, history.oids, path)
    await Bun.write(`${path}.bad`, damaged(readFileSync(path), 200))
    expect(await writeCommitGraph(store, history.oids, `${path}.bad`)).toEqual({ commits: 120, added: 120 })
  })

  test('dates beyond 32 bits and clocks that are off by more than 68 years are kept as git keeps them', async () => {
    using odd = new RandomHistory({ seed: 1, commits: 1 })
    const tip = commitChain(odd, [10_000_000_000, 5, 4_000_000_000, 3])
    const graphPath = commitGraphPath(odd.gitDir)
    const reader = DiskStore.open(odd.gitDir)
    await writeCommitGraph(reader, [tip], graphPath)
    expect(odd.git('commit-graph', 'verify')).toBe('')
    const ours = rows(findCommitGraph(graphPath, SHA1) as CommitGraph)
    odd.git('update-ref', 'refs/heads/tip', tip)
    odd.git('update-ref', '-d', 'refs/heads/main')
    odd.git('commit-graph', 'write', '--reachable')
    expect(rows(findCommitGraph(graphPath, SHA1) as CommitGraph)).toEqual(ours)
    reader.close()
  })
})

/** One commit on top of the other with the dates given. */
function commitChain(odd: RandomHistory, dates: number[]): Oid {
  let tip: string | undefined
  for (const date of dates) {
    const ident = `A <a@example.org> ${date} +0000`
    const parent = tip === undefined ? '' : `parent ${tip}\n`
    const body = `tree ${SHA1.emptyTree}\n${parent}author ${ident}\ncommitter ${ident}\n\nx\n`
    const made = Bun.spawnSync(['git', 'hash-object', '-t', 'commit', '-w', '--stdin'], { cwd: odd.gitDir, stdin: Buffer.from(body) })
    tip = made.stdout.toString().trim()
  }
  Bun.spawnSync(['git', 'hash-object', '-t', 'tree', '-w', '--stdin'], { cwd: odd.gitDir, stdin: Buffer.alloc(0) })
  return tip as Oid
}

describe('reading', () => {
  test("git's graph with changed-path filters is read; its chains are ignored", async () => {
    await writeCommitGraph(store, [], path)
    history.git('update-ref', 'refs/heads/main', history.oids[119] as Oid)
    history.git('commit-graph', 'write', '--reachable', '--changed-paths', '--split')
    expect(findCommitGraph(path, SHA1)).toBeUndefined()
    history.git('commit-graph', 'write', '--reachable', '--changed-paths')
    const graph = findCommitGraph(path, SHA1) as CommitGraph
    expect(graph.oid(graph.find(history.oids[119] as Oid))).toBe(history.oids[119] as Oid)
    expect(graph.find('0'.repeat(40) as Oid)).toBe(-1)
    expect(graph.find('f'.repeat(40) as Oid)).toBe(-1)
  })

  test('a graph without corrected dates gives levels', () => {
    history.git('-c', 'commitGraph.generationVersion=1', 'commit-graph', 'write', '--reachable')
    const graph = findCommitGraph(path, SHA1) as CommitGraph
    expect(graph.hasCorrectedDates).toBe(false)
    expect(graph.generation(graph.find(history.oids[0] as Oid))).toBe(1)
  })

  test('a graph cut off anywhere is refused', async () => {
    await writeCommitGraph(store, history.oids, path)
    const whole = readFileSync(path)
    for (let length = 0; length < whole.length; length += 7) expect(() => new CommitGraph(whole.subarray(0, length), SHA1)).toThrow(GitError)
  })

  test('a byte changed anywhere is refused by the checksum', async () => {
    await writeCommitGraph(store, history.oids, path)
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 37) expect(() => new CommitGraph(damaged(whole, at), SHA1)).toThrow(GitError)
  })

  test('a byte changed anywhere under a matching checksum gives an error or other rows, and walks come to an end', async () => {
    await writeCommitGraph(store, history.oids, path)
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length - 20; at += soak(39, 13)) readAll(withChecksum(damaged(whole, at)))
  })
})

function readAll(bytes: Uint8Array): void {
  try {
    const graph = new CommitGraph(bytes, SHA1)
    if (graph.count > 1000) throw new Error('more rows than the file has room for')
    rows(graph)
    filters(graph)
    const source = new CommitSource(store, graph)
    expect(finish(countCommits(source, { include: [history.oids[119] as Oid], exclude: [history.oids[60] as Oid] }))).toBeLessThan(300)
    finish(mergeBaseSteps(source, history.oids[119] as Oid, history.oids[110] as Oid))
  } catch (error) {
    if (!(error instanceof GitError)) throw error
  }
}

function damaged(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at] = (copy[at] as number) ^ (1 << (at % 8))
  return copy
}

function withChecksum(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - SHA1.rawLength
  bytes.set(SHA1.hasher().update(bytes.subarray(0, end)).digest(), end)
  return bytes
}
