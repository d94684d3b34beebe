import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { RepoRow } from '#access/index.ts'
import type { Oid } from '#git/objects/oid.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { fillTimes } from './fill-times.ts'
import { listBranches, writeObjects } from './index.ts'

const MANY = 2100
let forge: TestForge
let repo: RepoRow
beforeEach(async () => {
  forge = testForge({ git: { UPKEEP_SECONDS: 0 } })
  repo = forge.repo(await forge.person('ada'), 'engine')
})
afterEach(async () => {
  await forge[Symbol.asyncDispose]()
})

const names = (page = {}) => listBranches(forge.context.db, repo.id, page).map(({ name }) => name.slice('refs/heads/'.length))

/** A branch of one commit, made at a date in seconds. */
function commitAt(branch: string, seconds: number, tree: string): void {
  const oid = gitIn(tree, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit-tree', emptyTree(tree), '-m', String(seconds)).trim()
  const text = gitIn(tree, 'cat-file', 'commit', oid).replace(/^(committer .*> )\d+/m, `$1${seconds}`)
  const dated = Bun.spawnSync(['git', 'hash-object', '-t', 'commit', '-w', '--stdin'], { cwd: tree, stdin: Buffer.from(text) })
    .stdout.toString()
    .trim()
  gitIn(tree, 'update-ref', `refs/heads/${branch}`, dated)
}

function emptyTree(tree: string): string {
  return gitIn(tree, 'hash-object', '-t', 'tree', '-w', '/dev/null').trim()
}

/** As rows were before they had dates. */
function fillUndated(): void {
  fillRepo(forge, repo.id, (tree) => {
    for (const [branch, seconds] of [
      ['a', 100],
      ['b', 300],
      ['c', 200],
    ] as const)
      commitAt(branch, seconds, tree)
  })
}

test('branches stored before their dates were get them at a start, and are listed by name until then', async () => {
  fillUndated()
  expect(names()).toEqual(['a', 'b', 'c'])
  await fillTimes(forge.context)
  expect(names()).toEqual(['b', 'c', 'a'])
})

test('what cannot be read keeps nobody else from getting a date', async () => {
  fillUndated()
  forge.context.db.tx((tx) => tx.run("UPDATE ref SET oid = ? WHERE name = 'refs/heads/b'", 'a'.repeat(40)))
  await fillTimes(forge.context)
  expect(names()).toEqual(['c', 'a', 'b'])
})

test('very many branches that are pushed at once are dated, and not listed before they are there', async () => {
  fillUndated()
  await fillTimes(forge.context)
  const oid = gitIn(forge.context.git.pathOf(repo.id), 'rev-parse', 'c').trim() as Oid
  const updates = Array.from({ length: MANY }, (_, i) => ({ name: `refs/heads/m/${String(i).padStart(4, '0')}`, new: oid, fastForward: true }))
  await writeObjects(forge.context, repo.id, async (writing) => {
    await writing.make('nothing', { tips: [oid] })
    const request = { actorId: 1, message: 'push', updates, atomic: true }
    await writing.stage(request)
    expect(names()).toEqual(['b', 'c', 'a'])
    writing.land((_tx, move) => move(request))
  })
  expect(names({ limit: 3 })).toEqual(['b', 'c', 'm/0000'])
  expect(names({ limit: 3, offset: MANY })).toEqual(['m/2098', 'm/2099', 'a'])
})
