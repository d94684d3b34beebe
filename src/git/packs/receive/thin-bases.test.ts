import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { git, initBare, makeHistory, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { outcome } from '../../../../test/outcome.ts'
import { GitError } from '../../errors.ts'
import { defaultLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import { DiskStore } from '../../store/disk.ts'
import { receivePack } from './receive.ts'

/** Bases of a thin pack are read from wherever the repository keeps them; stock git judges the repository that comes of it. */

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const origin = join(root.path, 'origin.git')
makeHistory(origin, { commits: 60, files: 8 })
const said = (args: string[], cwd = origin): string => git(args, { cwd }).toString().trim()
const [half, main] = [said(['rev-parse', 'v1^{commit}']), said(['rev-parse', 'main'])] as [Oid, Oid]
const older = git(['pack-objects', '--revs', '--stdout', '-q'], { cwd: origin, stdin: `${half}\n` })
const newer = git(['pack-objects', '--revs', '--stdout', '-q', '--thin', '--delta-base-offset'], { cwd: origin, stdin: `${main}\n^${half}\n` })

function bare(name: string): string {
  const path = join(root.path, name)
  initBare(path)
  return path
}

function unpacked(name: string): string {
  const path = bare(name)
  git(['-c', 'core.fsync=none', 'unpack-objects', '-q'], { cwd: path, stdin: older })
  return path
}

function packed(name: string): string {
  const path = bare(name)
  git(['-c', 'core.fsync=none', 'index-pack', '--stdin'], { cwd: path, stdin: older })
  return path
}

function borrowing(name: string): string {
  const path = bare(name)
  writeFileSync(join(path, 'objects/info/alternates'), `${join(lender, 'objects')}\n`)
  return path
}

const lender = unpacked('lender.git')

function halfLoose(name: string): string {
  const path = bare(name)
  const quarter = said(['rev-parse', `${half}~15`])
  git(['-c', 'core.fsync=none', 'index-pack', '--stdin'], {
    cwd: path,
    stdin: git(['pack-objects', '--revs', '--stdout', '-q'], { cwd: origin, stdin: `${quarter}\n` }),
  })
  git(['-c', 'core.fsync=none', 'unpack-objects', '-q'], { cwd: path, stdin: older })
  return path
}

/** The objects that stock git completes the pack with: it puts them behind those that came. */
function basesOf(): string[] {
  const [, name] = git(['-c', 'core.fsync=none', 'index-pack', '--stdin', '--fix-thin'], { cwd: packed('completed.git'), stdin: newer })
    .toString()
    .trim()
    .split('\t')
  const index = git(['show-index'], { stdin: readFileSync(join(root.path, `completed.git/objects/pack/pack-${name}.idx`)) })
  const rows = index
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string])
  const byOffset = rows.sort(([a], [b]) => Number(a) - Number(b)).map(([, oid]) => oid)
  return byOffset.slice(Buffer.from(newer).readUInt32BE(8))
}

async function receive(path: string, alternates: string[] = []) {
  const directory = join(path, 'incoming')
  mkdirSync(directory)
  const store = DiskStore.open(path, { alternates })
  try {
    return await receivePack(
      (async function* () {
        yield newer
      })(),
      { directory, store, limits: defaultLimits, tips: [main] },
    )
  } finally {
    store.close()
  }
}

describe('a thin pack is completed with bases that lie', () => {
  test.each([
    ['loose', unpacked],
    ['packed', packed],
    ['partly loose', halfLoose],
    ['with a lender, loose', borrowing],
  ])('%s', async (name, make) => {
    const path = make(`${name.replaceAll(' ', '-')}.git`)
    const received = await receive(path, make === borrowing ? [join(lender, 'objects')] : [])
    expect(received.objects).toBeGreaterThan(Buffer.from(newer).readUInt32BE(8))
    for (const file of [received.packPath, received.idxPath]) copyFileSync(file, join(path, 'objects/pack', basename(file)))
    git(['update-ref', 'refs/heads/main', main], { cwd: path })
    expect(said(['fsck', '--full', '--strict', '--no-dangling'], path)).toBe('')
    expect(said(['rev-list', '--objects', 'main'], path)).toBe(said(['rev-list', '--objects', 'main']))
  })
})

describe('a thin pack whose bases lie loose is refused, and nothing is left of it,', () => {
  const [base, other] = basesOf() as [string, string]
  const fileOf = (path: string, oid: string): string => join(path, 'objects', oid.slice(0, 2), oid.slice(2))

  test.each<[string, (file: string) => void]>([
    ['when one is cut off', (file) => writeFileSync(file, new Uint8Array(20))],
    ['when one is empty', (file) => writeFileSync(file, '')],
    ['when one holds what another name stands for', (file) => copyFileSync(fileOf(lender, other), file)],
  ])('%s', async (name, damage) => {
    const path = unpacked(`${name.replaceAll(' ', '-')}.git`)
    expect(existsSync(fileOf(path, base))).toBe(true)
    chmodSync(fileOf(path, base), 0o644)
    damage(fileOf(path, base))
    expect(await outcome(receive(path))).toThrow(GitError)
    expect(readdirSync(join(path, 'incoming'))).toEqual([])
  })
})
