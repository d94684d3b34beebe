import { afterAll, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { commitGraphPath } from '../history/commit-graph.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { countCommits } from '../history/walk.ts'
import { writeCommitGraph } from '../history/write-commit-graph.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { OpenRepo } from './open-repos.ts'

const history = new RandomHistory({ seed: 5, commits: 60 })
const tip = history.oids[59] as Oid
const count = Number(history.git('rev-list', '--count', tip))
const path = commitGraphPath(history.gitDir)
const repo = new OpenRepo({ path: history.gitDir, limits: defaultLimits })
afterAll(() => {
  repo.close()
  history[Symbol.dispose]()
})

const flipped = (bytes: Buffer, at: number): Buffer => Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)))

test.each<[string, (whole: Buffer) => Uint8Array | string]>([
  ['empty', () => ''],
  ['cut off', (whole) => whole.subarray(0, whole.length >> 1)],
  ['changed in one bit', (whole) => flipped(whole, whole.length >> 1)],
  ['of a version to come', (whole) => flipped(whole, 4)],
  ['something else', () => 'not a commit-graph'],
])('a commit-graph that is %s is done without, until it is written anew', async (_, damage) => {
  await writeCommitGraph(repo.store, [tip], path)
  const damaged = damage(readFileSync(path))
  // A file that is served is only ever replaced.
  rmSync(path)
  writeFileSync(path, damaged)
  expect([repo.graph(), finish(countCommits(repo.commits(), { include: [tip] }))]).toEqual([undefined, count])
  await writeCommitGraph(repo.store, [tip], path)
  expect([repo.graph()?.count, finish(countCommits(repo.commits(), { include: [tip] }))]).toEqual([count, count])
})
