import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { Random } from '../../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { PATIENCE } from '../../../../test/seeds.ts'
import { checkpointOf } from '../../checkpoint.ts'
import type { Oid } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import { Collected } from '../../protocol/git-server.fixture.ts'
import { DiskStore } from '../../store/disk.ts'
import { Selection } from '../select/enumerate.ts'
import { ObjectSpace } from '../select/object-space.ts'
import { PackOutput, UNFRAMED } from './pack-output.ts'
import { writePack } from './write-pack.ts'

const VERSIONS = 300
/** What git's `pack.depth` is by itself, for what is remade and for what was there. */
const LONGEST_CHAIN = 100

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

/** Versions of a text that does not deflate well, each with one more line changed. */
function versions(): string[] {
  const random = new Random(1)
  const line = () => `${Buffer.from(random.bytes(30)).toString('hex')}\n`
  const lines = Array.from({ length: 150 }, line)
  return Array.from({ length: VERSIONS }, () => {
    lines[random.below(lines.length)] = line()
    return lines.join('')
  })
}

/** A repository of those versions alone, packed by git. @returns the versions' ids, in order */
function makeFamily(path: string, ...packFlags: string[]): Oid[] {
  initBare(path)
  const blobs = versions().map((text, i) => `blob\nmark :${i + 1}\ndata ${text.length}\n${text}`)
  git(['fast-import', '--quiet', `--export-marks=${path}/marks`], { cwd: path, stdin: blobs.join('') })
  const marks = new Map(Array.from(readFileSync(`${path}/marks`, 'latin1').matchAll(/:(\d+) (\w+)/g), ([, mark, oid]) => [Number(mark), oid as Oid]))
  const oids = Array.from({ length: VERSIONS }, (_, i) => marks.get(i + 1) as Oid)
  const name = git(['pack-objects', '-q', '--no-reuse-delta', ...packFlags, `${path}/objects/pack/pack`], { cwd: path, stdin: oids.join('\n') })
  for (const file of new Bun.Glob('pack-*').scanSync(`${path}/objects/pack`)) {
    if (!file.includes(name.toString().trim())) rmSync(`${path}/objects/pack/${file}`)
  }
  return oids
}

/** Those of `oids` as a pack that stands by itself, judged by git: how long it is, and how long the longest chain of deltas is. */
async function packOf(from: string, oids: readonly Oid[], name: string, ofsDelta: boolean): Promise<{ bytes: number; chain: number }> {
  const store = DiskStore.open(from)
  const selection = new Selection(new ObjectSpace(store))
  for (const oid of oids) selection.add(selection.space.get(oid))
  const sink = new Collected()
  await writePack(selection, { ofsDelta, mayStandOn: () => false, checkpoint: checkpointOf() }, new PackOutput(sink, UNFRAMED, SHA1.hasher()))
  store.close()
  const at = `${root.path}/${name}`
  initBare(at)
  git(['index-pack', '--stdin', '--strict'], { cwd: at, stdin: sink.bytes })
  const index = [...new Bun.Glob('*.idx').scanSync(`${at}/objects/pack`)].map((file) => `${at}/objects/pack/${file}`)
  const verified = git(['verify-pack', '-v', ...index], { cwd: at }).toString()
  expect(git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: at }).toString().trim().split('\n')).toEqual([...oids].sort())
  return { bytes: sink.bytes.length, chain: Math.max(0, ...Array.from(verified.matchAll(/^chain length = (\d+)/gm), ([, length]) => Number(length))) }
}

describe.each([
  ['on places in their pack', ['--delta-base-offset']],
  ['on names', []],
  ['in long chains', ['--delta-base-offset', '--depth=250']],
])('of a pack whose deltas stand %s', (kind, flags) => {
  const path = `${root.path}/${kind.replaceAll(' ', '-')}`
  let oids: Oid[] = []
  let whole = 0
  beforeAll(async () => {
    oids = makeFamily(path, ...flags)
    whole = (await packOf(path, oids, `${kind.replaceAll(' ', '-')}-whole`, true)).bytes
  }, PATIENCE)

  const parts: [part: string, isTaken: (i: number) => boolean][] = [
    ['every second version', (i) => i % 2 === 0],
    ['every tenth version', (i) => i % 10 === 3],
    ['the older half', (i) => i < VERSIONS / 2],
    ['the newer half', (i) => i >= VERSIONS / 2],
  ]
  test.each(parts.flatMap(([part, isTaken]) => [true, false].map((ofsDelta) => ({ part, isTaken, ofsDelta }))))(
    '$part, by offsets: $ofsDelta, is not twice as large as all of them',
    async ({ part, isTaken, ofsDelta }) => {
      const chosen = oids.filter((_, i) => isTaken(i))
      const { bytes, chain } = await packOf(path, chosen, `${kind}-${part}-${ofsDelta}`.replaceAll(' ', '-'), ofsDelta)
      expect(bytes).toBeLessThan(2 * whole)
      expect(chain).toBeLessThan(kind === 'in long chains' ? 250 + LONGEST_CHAIN : LONGEST_CHAIN)
    },
    PATIENCE,
  )
})
