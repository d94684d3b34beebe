import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMeter } from '../../test/cpu-time.ts'
import { outcome } from '../../test/outcome.ts'
import { GitError } from './errors.ts'
import { SHA1 } from './objects/oid.ts'
import { Porcelain, withoutCrud } from './porcelain.ts'
import { DiskStore, initBareRepository } from './store/disk.ts'

const who = { name: ' Ada <Lovelace>\n.', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0530' }
let root: string
let path: string
let porcelain: Porcelain

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'pf-'))
  path = join(root, 'x.git')
  initBareRepository(path, 'main', SHA1)
  porcelain = new Porcelain(DiskStore.open(path))
})
afterAll(() => rmSync(root, { recursive: true }))

function git(...args: string[]): string {
  const run = Bun.spawnSync(['git', '-C', path, ...args])
  if (run.exitCode !== 0) throw new Error(run.stderr.toString())
  return run.stdout.toString()
}

test('commits, trees and tags are as git would have made them', async () => {
  const tree = porcelain.writeFiles([
    { path: 'a.txt', data: 'a\n' },
    { path: 'a/b/c', data: 'c\n' },
    { path: 'a-b', data: new Uint8Array([0, 255]) },
    { path: '\u{1f600}', data: 'astral\n' },
    { path: '\u{ff5e}', data: 'before astral, by bytes\n' },
  ])
  const parent = await porcelain.writeCommit({ tree, parents: [], author: who, committer: who, message: '\n\nsubject\r\n\nbody\n\n' })
  const commit = await porcelain.writeCommit({ tree, parents: [parent], author: who, committer: { ...who, zone: '-0800' }, message: 'second' })
  const tag = await porcelain.writeTag({ target: commit, targetType: 'commit', name: 'v1', tagger: who, message: 'released\n' })
  git('update-ref', 'refs/tags/v1', tag)
  git('fsck', '--strict', '--full')
  expect(git('cat-file', '-p', parent)).toBe(
    `tree ${tree}\nauthor Ada Lovelace <ada@example.org> 1700000000 +0530\ncommitter Ada Lovelace <ada@example.org> 1700000000 +0530\n\nsubject\n\nbody\n`,
  )
  expect(git('log', '-1', '--format=%P %cd', '--date=raw', commit)).toBe(`${parent} 1700000000 -0800\n`)
  expect(git('cat-file', '-p', tag)).toContain(`object ${commit}\ntype commit\ntag v1\ntagger Ada Lovelace <ada@example.org> 1700000000 +0530\n\nreleased\n`)
  expect(git('ls-tree', '-r', '--name-only', '-z', tree).split('\0')).toEqual(['a-b', 'a.txt', 'a/b/c', '\u{ff5e}', '\u{1f600}', ''])
})

test.each(['.git/config', 'a/../b', './x', '/x', 'a//b', 'x\0y', '.GIT/x', 'git~1/x', '.g\u200cit/x'])('a file at %j is refused', (name) => {
  expect(() => porcelain.writeFiles([{ path: name, data: '' }])).toThrow(GitError)
})

test('a commit on a tree that is no id is refused and nothing is stored', async () => {
  const before = git('count-objects')
  const attempt = porcelain.writeCommit({ tree: 'x' as typeof SHA1.zero, parents: [], author: who, committer: who, message: '' })
  expect(await outcome(attempt)).toThrow()
  expect(git('count-objects')).toBe(before)
})

test('a name with very many spaces in it stays what it is, at little cost', () => {
  const name = `A${' '.repeat(60_000)}B`
  const spent = cpuMeter()
  expect(withoutCrud(` ${name} `) === name).toBe(true)
  expect(spent()).toBeLessThan(500)
})
