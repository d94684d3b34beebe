import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Oid } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { mergeability, mergeBranch } from './branch-merge.ts'
import { Merger } from './merge-commits.ts'
import { RandomMerges } from './random-merges.fixture.ts'
import { Replayer } from './replay.ts'

const committer = { name: 'Grace', email: 'grace@example.org', seconds: 1_700_000_000, zone: '+0200' }
const environment = {
  ...{ ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_EDITOR: 'true' },
  ...{ GIT_COMMITTER_NAME: 'Grace', GIT_COMMITTER_EMAIL: 'grace@example.org', GIT_COMMITTER_DATE: '1700000000 +0200' },
  ...{ GIT_AUTHOR_NAME: 'Grace', GIT_AUTHOR_EMAIL: 'grace@example.org', GIT_AUTHOR_DATE: '1700000000 +0200' },
}

/** A made-up history, and a checkout of it in which git shows what it would do. */
function stage(seed: number) {
  const history = new RandomMerges(seed, 60, true)
  const store = DiskStore.open(history.gitDir)
  const work = join(history.gitDir, 'work')
  history.git(['worktree', 'add', '-q', '--detach', 'work', history.commits[0] as Oid])
  afterAll(() => {
    store.close()
    history[Symbol.dispose]()
  })
  const run = (...args: string[]) => Bun.spawnSync(['git', ...args], { cwd: work, env: environment })
  /** HEAD after a command that starts from `from`; undefined when it ended in conflicts. */
  const after = (from: Oid, ...args: string[]): string | undefined => {
    if (!run('checkout', '-q', '-f', '--detach', from).success) throw new Error(`cannot check out ${from}`)
    if (run(...args).success) return run('rev-parse', 'HEAD').stdout.toString().trim()
    run(args[0] as string, '--abort')
    run('reset', '-q', '--hard')
    run('clean', '-qfdx')
    return undefined
  }
  return { history, after, merger: () => new Merger(store, undefined) }
}

describe('commits replayed are those that git makes', () => {
  const { history, after, merger } = stage(21)

  test('git rebase: the same commits, or a conflict for both', () => {
    const outcomes = history.pairs(14).map(([head, onto]) => {
      const rebased = finish(new Replayer(merger()).rebase({ head, onto, committer }))
      const ours = rebased.status === 'done' ? rebased.tip : undefined
      expect([head, onto, ours]).toEqual([head, onto, after(head, 'rebase', onto) as Oid | undefined])
      return rebased.status
    })
    expect(new Set(outcomes).size).toBe(2)
  })

  test('git cherry-pick and git revert: the same commits, or a conflict for both', () => {
    const outcomes = history.pairs(14).map(([commit, onto]) => {
      const mainline = history.git(['rev-list', '--parents', '-n1', commit]).toString().trim().split(' ').length > 2 ? 1 : undefined
      const options = mainline === undefined ? [] : ['-m', '1']
      const picked = finish(new Replayer(merger()).cherryPick({ commit, onto, mainline }, committer))
      const theirs = after(onto, 'cherry-pick', ...options, commit)
      expect([commit, onto, picked.status === 'done' ? picked.commit : undefined]).toEqual([commit, onto, theirs as Oid | undefined])
      const text = { message: 'x', author: committer, committer }
      const reverting = merger()
      const reverted = finish(new Replayer(reverting).revert({ commit, onto, mainline }, text))
      const tree = after(onto, 'revert', '--no-edit', ...options, commit)
      const expected =
        tree === undefined
          ? undefined
          : history
              .git(['rev-parse', `${tree}^{tree}`])
              .toString()
              .trim()
      expect([commit, onto, reverted.status === 'done' ? reverting.treeOf(reverted.commit) : undefined]).toEqual([commit, onto, expected as Oid | undefined])
      return picked.status
    })
    expect(outcomes).toContain('done')
  })
})

describe('branches', () => {
  const { history, merger } = stage(22)
  const text = { message: 'Merge it', author: committer, committer }

  test('what a merge would come to is told for each relation of two commits', () => {
    const [first, second] = [history.commits[0], history.commits[1]] as [Oid, Oid]
    const of = (base: Oid, head: Oid) => finish(mergeability(merger(), base, head)).status
    expect([of(first, first), of(second, first), of(first, second)]).toEqual(['up-to-date', 'up-to-date', 'fast-forward'])
  })

  test('a merge has both as parents, a squash only the base; git finds them whole', () => {
    const [base, head] = history.pairs(40).find(([a, b]) => finish(mergeability(merger(), a, b)).status === 'clean') as [Oid, Oid]
    const parents = (['merge', 'squash'] as const).map((style) => {
      const making = merger()
      const merged = finish(mergeBranch(making, { base, head, style }, text))
      if (merged.status !== 'done') throw new Error(merged.status)
      const store = DiskStore.open(history.gitDir)
      for (const { object } of making.store.reachable([merged.commit])) store.write(object.type, object.data)
      store.close()
      history.git(['rev-list', '--objects', '--quiet', merged.commit])
      return history.git(['log', '-1', '--format=%P %s %cd', '--date=raw', merged.commit]).toString().trim()
    })
    expect(parents).toEqual([`${base} ${head} Merge it 1700000000 +0200`, `${base} Merge it 1700000000 +0200`])
  })
})
