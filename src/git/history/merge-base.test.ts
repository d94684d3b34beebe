import { expect, test } from 'bun:test'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { aheadBehindSteps } from './ahead-behind.ts'
import { commitGraphPath, findCommitGraph } from './commit-graph.ts'
import { CommitSource } from './commit-source.ts'
import { COMMITS_IN_STEP } from './marks.ts'
import { ancestorSteps, mergeBaseSteps } from './merge-base.ts'
import { listCommits } from './walk.ts'

/** Counts the commits that a walk goes on from. */
class WatchedSource extends CommitSource {
  visited = 0

  override parents(id: number): readonly number[] {
    this.visited++
    return super.parents(id)
  }
}

const OLD_COMMITS = 500

/** A long branch that is older than the fork of `topic`, merged into `main` after it. */
function history(): string {
  const commit = (branch: string, date: number, from: string, merge = '') =>
    `commit refs/heads/${branch}\ncommitter A <a@example.org> ${date} +0000\ndata 1\nx\n${from}${merge}\n`
  const old = Array.from({ length: OLD_COMMITS }, (_, i) => commit('old', 2000 + i, i === 0 ? 'from refs/heads/main\n' : ''))
  const fork = commit('main', 9000, '')
  return [commit('main', 1000, ''), ...old, fork, commit('topic', 9001, 'from refs/heads/main\n'), commit('main', 9002, '', 'merge refs/heads/old\n')].join('')
}

test('the search for a merge base leaves out what is older than the fork and on one side alone', () => {
  using directory = temporaryDirectory()
  const cwd = directory.path
  git(['init', '-q', '--bare', '.'], { cwd })
  git(['fast-import', '--quiet'], { cwd, stdin: history() })
  git(['commit-graph', 'write', '--reachable'], { cwd })
  const oidOf = (name: string) => git(['rev-parse', name], { cwd }).toString().trim() as Oid
  const store = DiskStore.open(cwd)
  const source = new WatchedSource(store, findCommitGraph(commitGraphPath(cwd), SHA1))
  expect(finish(mergeBaseSteps(source, oidOf('main'), oidOf('topic')))).toEqual([oidOf('main^1')])
  expect(source.visited).toBeLessThan(10)
  store.close()
})

test('searches in a history without a commit-graph come in steps, of which none visits more than some commits', () => {
  using directory = temporaryDirectory()
  const cwd = directory.path
  git(['init', '-q', '--bare', '.'], { cwd })
  git(['fast-import', '--quiet'], { cwd, stdin: history() })
  const oidOf = (name: string) => git(['rev-parse', name], { cwd }).toString().trim() as Oid
  const store = DiskStore.open(cwd)
  const [main, topic, root] = [oidOf('main'), oidOf('topic'), oidOf('main^1^1')]
  const searches = [
    (source: CommitSource) => mergeBaseSteps(source, main, topic),
    (source: CommitSource) => ancestorSteps(source, root, main),
    (source: CommitSource) => aheadBehindSteps(source, main, root),
    (source: CommitSource) => listCommits(source, { include: [main], exclude: [root] }),
    (source: CommitSource) => listCommits(source, { include: [main] }),
  ]
  for (const search of searches) {
    const source = new WatchedSource(store)
    let before = 0
    for (const _ of search(source)) {
      expect(source.visited - before).toBeLessThanOrEqual(COMMITS_IN_STEP)
      before = source.visited
    }
    expect(source.visited).toBeGreaterThan(OLD_COMMITS)
  }
  store.close()
})
