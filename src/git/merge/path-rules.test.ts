import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Oid } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { Merger } from './merge-commits.ts'

const attributes = `
*.log merge=union
*.bin binary
*.lock -merge
*.keep merge=ours
*.wide conflict-marker-size=12
*.odd merge=unheard-of
*.txt merge
`
const names = ['a.log', 'b.bin', 'c.lock', 'd.keep', 'e.wide', 'f.odd', 'g.txt', 'h']

test('paths are merged as the attributes of our side say: what git makes of them in a checkout', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pf-attributes-'))
  const run = (...args: string[]) => {
    const settings = ['-c', 'merge.ours.driver=true', '-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgSign=false']
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...settings, ...args], { cwd: directory, env })
    if (exitCode > 1) throw new Error(stderr.toString())
    return stdout.toString().trim()
  }
  const commit = (line: string): Oid => {
    for (const name of names) writeFileSync(join(directory, name), `one\n${line}\nthree\n`)
    run('add', '.')
    run('commit', '-qm', line)
    return run('rev-parse', 'HEAD') as Oid
  }
  try {
    run('init', '-q', '.')
    writeFileSync(join(directory, '.gitattributes'), attributes)
    const base = commit('base')
    const theirs = commit('theirs')
    run('checkout', '-q', '--detach', base)
    const ours = commit('ours')
    const [tree, ...conflicted] = run('merge-tree', '--write-tree', '--name-only', '--no-messages', ours, theirs).split('\n') as [string, ...string[]]
    const store = DiskStore.open(join(directory, '.git'))
    const merged = finish(new Merger(store, undefined, { labels: { ours, theirs } }).mergeCommits(ours, theirs))
    store.close()
    expect([merged.tree as string, merged.conflicts.map(({ path }) => path)]).toEqual([tree, conflicted])
    expect(conflicted).toEqual(['b.bin', 'c.lock', 'e.wide', 'f.odd', 'g.txt', 'h'])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
