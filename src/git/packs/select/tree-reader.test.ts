import { expect, test } from 'bun:test'
import { checkpointOf } from '../../checkpoint.ts'
import { CommitSource } from '../../history/commit-source.ts'
import { defaultLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import { GitServer, git } from '../../protocol/git-server.fixture.ts'
import { DiskStore } from '../../store/disk.ts'
import { enumerateObjects } from './enumerate.ts'
import { ObjectSpace } from './object-space.ts'

/** Commits that change, add, remove and move a few of some hundred files, so that nearly every tree is a delta of another. */
function history(commits: number): string {
  const lines: string[] = []
  let seed = 1
  const random = (below: number): number => {
    seed = (seed * 48271) % 0x7fffffff
    return seed % below
  }
  const write = (path: string): void => void lines.push(`M 100644 inline ${path}`, 'data 11', `${String(random(1e9)).padStart(10)}\n`)
  for (let i = 1; i <= commits; i++) {
    lines.push('commit refs/heads/main', `mark :${i}`, `committer Ada <ada@example.org> ${1704067200 + random(90000)} +0000`, 'data 1', 'x')
    if (i > 20 && random(5) === 0) lines.push(`merge :${i - 1 - random(15)}`)
    for (let k = i === 1 ? 500 : random(4) + 1; k > 0; k--) write(random(2) === 0 ? `top${random(300)}` : `dir/sub${random(3)}/file${random(200)}`)
    if (random(6) === 0) lines.push(`D top${random(300)}`)
    if (random(9) === 0) lines.push(`M 160000 ${'ab'.repeat(20)} link${random(3)}`)
  }
  return `${lines.join('\n')}\n`
}

test('walks over trees that are deltas of one another find what git finds', async () => {
  await using files = new GitServer()
  const dir = files.path('wide.git')
  await git(files.root, 'init', '-q', '--bare', dir)
  const child = Bun.spawn(['git', 'fast-import', '--quiet'], { cwd: dir, stdin: Buffer.from(history(300)) })
  expect(await child.exited).toBe(0)
  await git(dir, 'repack', '-q', '-a', '-d', '-f', '--depth=40')
  const store = DiskStore.open(dir)
  const list = async (tips: Oid[]): Promise<Oid[]> => (await git(dir, 'rev-list', '--objects', '--no-object-names', ...tips)).split('\n') as Oid[]
  const commits = (await git(dir, 'rev-list', 'main')).split('\n') as Oid[]
  for (const [want, haves] of [
    [0, []],
    [0, [3]],
    [0, [150]],
    [40, [60, 90]],
    [250, []],
  ] as [number, number[]][]) {
    const found = await enumerateObjects(new ObjectSpace(store), new CommitSource(store), {
      wants: [commits[want] as Oid],
      haves: haves.map((have) => commits[have] as Oid),
      limits: defaultLimits,
      checkpoint: checkpointOf(),
    })
    const ours = new Set([...found.numbers.view()].map((number) => found.space.oid(number)))
    const theirs = new Set(haves.length === 0 ? [] : await list(haves.map((have) => commits[have] as Oid)))
    const needed = (await list([commits[want] as Oid as Oid])).filter((oid) => !theirs.has(oid))
    expect(needed.filter((oid) => !ours.has(oid))).toEqual([])
    // With haves it may be more: committers' clocks disagree here.
    if (haves.length === 0) expect(ours.size).toBe(needed.length)
  }
  store.close()
})
