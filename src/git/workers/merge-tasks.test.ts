import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultLimits } from '../limits.ts'
import { Merger } from '../merge/merge-commits.ts'
import { RandomMerges } from '../merge/random-merges.fixture.ts'
import type { Oid } from '../objects/oid.ts'
import { publishPacks } from '../packs/write/publish.ts'
import { finish } from '../steps.ts'
import { kindOf } from '../store/contract.ts'
import { DiskStore } from '../store/disk.ts'
import type { MakerInput, MakerName } from './makers.ts'
import { GitService } from './service.ts'

const committer = { name: 'Grace', email: 'grace@example.org', seconds: 1_700_000_000, zone: '+0200' }
const text = { message: 'Merge it', author: committer, committer }

describe('merges in workers', () => {
  const history = new RandomMerges(31, 60)
  const directory = mkdtempSync(join(tmpdir(), 'pf-merge-tasks-'))
  symlinkSync(history.gitDir, join(directory, '1.git'))
  const git = new GitService({ directory, limits: defaultLimits, workers: 2 })
  const pairs = history.pairs(60)
  const looseCount = () => Number(history.git(['count-objects']).toString().split(' ')[0])

  /** Makes something and publishes it. */
  async function make<K extends MakerName>(maker: K, input: MakerInput<K>) {
    const quarantine = join(history.gitDir, 'objects', `tmp_incoming-${crypto.randomUUID()}`)
    const made = await git.make(maker, 1, input, quarantine)
    if (made.packPath !== undefined) publishPacks([made.packPath], join(history.gitDir, 'objects', 'pack'))
    return made
  }

  afterAll(async () => {
    await git.close()
    history[Symbol.dispose]()
    rmSync(directory, { recursive: true, force: true })
  })

  test('many askers at once get the answer that each pair has, the second time from memory', async () => {
    const ask = () => Promise.all(pairs.map(([base, head]) => git.run('mergeability', 1, { base, head })))
    const before = looseCount()
    const first = await ask()
    expect(await ask()).toEqual(first)
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['up-to-date', 'fast-forward', 'clean', 'conflict']))
    expect(looseCount()).toBe(before)
  })

  test('a merge in conflict leaves nothing behind; one that is made is whole', async () => {
    const statuses = await Promise.all(pairs.map(([base, head]) => git.run('mergeability', 1, { base, head })))
    const pairOf = (status: string) => pairs[statuses.findIndex((outcome) => outcome.status === status)] as [Oid, Oid]
    const [base, head] = pairOf('conflict')
    const before = looseCount()
    expect((await make('mergeBranch', { base, head, style: 'merge', text })).result.status).toBe('conflict')
    expect(looseCount()).toBe(before)
    const [into, from] = pairOf('clean')
    const { result } = await make('mergeBranch', { base: into, head: from, style: 'squash', text })
    if (result.status !== 'done') throw new Error(result.status)
    expect(history.git(['rev-list', '--objects', '--no-walk', result.commit]).toString()).toContain(result.tree)
  })

  test('a rebase of many commits, and its merge, are one pack, which git finds sound', async () => {
    history.git(['fast-import', '--quiet'], Buffer.from(lineOfCommits(30)))
    const [onto, head] = ['onto', 'head'].map((name) => history.git(['rev-parse', name]).toString().trim()) as [Oid, Oid]
    const before = looseCount()
    const { result } = await make('rebaseBranch', { request: { head, onto, committer }, text })
    if (result.status !== 'done') throw new Error(result.status)
    expect(
      history
        .git(['rev-list', '--objects', `${onto}..${result.tip}`])
        .toString()
        .trim()
        .split('\n').length,
    ).toBe(30 * 3)
    expect(
      history
        .git(['log', '-1', '--format=%P', result.merge as Oid])
        .toString()
        .trim(),
    ).toBe(`${onto} ${result.tip}`)
    expect(history.git(['fsck', '--no-dangling', result.merge as Oid]).toString()).toBe('')
    expect(looseCount()).toBe(before)
  })

  test('texts made to be costly are over a limit, not work without end', () => {
    const store = DiskStore.open(history.gitDir)
    const contents = [0, 1, 2].map((side) => Array.from({ length: 3000 }, (_, i) => `${(i * (side + 3)) % 7}\n`).join(''))
    const [base, ours, theirs] = contents.map((content) => treeWith(store, content)) as [Oid, Oid, Oid]
    const merger = new Merger(store, undefined, { maxSteps: 100_000 })
    expect(kindOf(() => finish(merger.mergeTrees({ base, ours, theirs }, 'base')))).toBe('limit')
    store.close()
  })
})

/** A commit `onto` beside `count` commits that end in `head`. */
function lineOfCommits(count: number): string {
  const who = 'committer A <a@example.org> 1000 +0000\ndata 1\nc\n'
  const base = `commit refs/heads/base\nmark :1\n${who}M 644 inline a\ndata 1\na\n`
  const onto = `commit refs/heads/onto\nmark :2\n${who}from :1\nM 644 inline b\ndata 1\nb\n`
  const line = Array.from({ length: count }, (_, i) => {
    const text = `${i}`
    return `commit refs/heads/head\nmark :${i + 3}\n${who}from :${i === 0 ? 1 : i + 2}\nM 644 inline c\ndata ${text.length}\n${text}\n`
  })
  return base + onto + line.join('')
}

function treeWith(store: DiskStore, content: string): Oid {
  const oid = store.write('blob', Buffer.from(content))
  return store.write('tree', Buffer.concat([Buffer.from('100644 f\0'), Buffer.from(oid, 'hex')]))
}
