import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommitGraph, commitGraphPath } from '#git/history/commit-graph.ts'
import { defaultLimits } from '#git/limits.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { PackIndex } from '#git/packs/pack-index.ts'
import { receivePack } from '#git/packs/receive/receive.ts'
import { DiskStore } from '#git/store/disk.ts'
import { generateHistory } from '../generate-history.ts'
import { git } from '../git.ts'
import { honestPack } from '../hostile-packs.ts'
import { FUZZ_TIMEOUT, fuzz } from './fuzz.ts'

const CHECKSUM = 20
const limits = { ...defaultLimits, maxPackBytes: 1 << 20, maxObjectBytes: 1 << 20, maxInflatedBytes: 8 << 20, maxPackObjects: 1000, deltaCacheBytes: 1 << 20 }

describe.skipIf(Bun.which('git') === null)('only a GitError may come out of', () => {
  let directory: string
  let repository: string

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pf-'))
    repository = join(directory, 'source.git')
    await generateHistory(repository, { commits: 30, files: 12, bigFileBytes: 0 })
    await git(['commit-graph', 'write', '--reachable', '--changed-paths'], { cwd: repository })
  })

  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test(
    'a pack that is pushed, and nothing of it stays behind',
    async () => {
      let attempts = 0
      const read = async (input: Uint8Array): Promise<void> => {
        const quarantine = join(directory, `quarantine-${attempts++}`)
        mkdirSync(quarantine)
        const store = DiskStore.open(join(directory, 'none.git'), { limits })
        try {
          await receivePack(inPieces(sealed(input)), { directory: quarantine, store, limits, tips: [] })
        } catch (error) {
          expect(readdirSync(quarantine)).toEqual([])
          throw error
        } finally {
          store.close()
          rmSync(quarantine, { recursive: true })
        }
      }
      await fuzz({ name: 'pack', samples: [honestPack()], read }, 1500)
    },
    FUZZ_TIMEOUT,
  )

  test(
    'a pack index, when it is opened and all of it is looked up',
    async () => {
      const bytes = await Bun.file(await onlyFile(join(repository, 'objects', 'pack'), '.idx')).bytes()
      const read = (input: Uint8Array): void => {
        const index = new PackIndex('fuzzed.idx', input, SHA1)
        for (let position = 0; position < Math.min(index.count, 50); position++) {
          index.find(index.oidAt(position))
          index.offsetAt(position)
          index.crcAt(position)
        }
        index.prefixRange('abcd')
      }
      await fuzz({ name: 'pack index', samples: [bytes], read }, 1500)
    },
    FUZZ_TIMEOUT,
  )

  test(
    'a commit graph, when it is opened and all of it is read',
    async () => {
      const bytes = await Bun.file(commitGraphPath(repository)).bytes()
      const read = (input: Uint8Array): void => {
        const graph = new CommitGraph(sealed(input), SHA1)
        for (let row = 0; row < graph.count; row++) {
          graph.find(graph.oid(row))
          graph.parents(row, [])
          graph.tree(row)
          graph.date(row)
          graph.generation(row)
        }
      }
      await fuzz({ name: 'commit graph', samples: [bytes], read }, 1500)
    },
    FUZZ_TIMEOUT,
  )

  test(
    'a repository with damaged packs, when its objects are read',
    async () => {
      const packs = join(repository, 'objects', 'pack')
      const pack = await Bun.file(await onlyFile(packs, '.pack')).bytes()
      const index = await Bun.file(await onlyFile(packs, '.idx')).bytes()
      const oids = (await git(['rev-list', '--objects', '--no-object-names', '--all'], { cwd: repository })).split('\n')
      let attempts = 0
      const read = async (input: Uint8Array): Promise<void> => {
        const path = join(directory, `damaged-${attempts++}.git`)
        await Bun.write(join(path, 'objects', 'pack', `pack-${'1'.repeat(40)}.pack`), input)
        await Bun.write(join(path, 'objects', 'pack', `pack-${'1'.repeat(40)}.idx`), index)
        const store = DiskStore.open(path, { limits, cacheBytes: 1 << 20 })
        try {
          for (const oid of oids.slice(0, 40)) store.find(oid as never)
        } finally {
          store.close()
          rmSync(path, { recursive: true })
        }
      }
      await fuzz({ name: 'packed objects', samples: [pack], read }, 300)
    },
    FUZZ_TIMEOUT,
  )
})

/** The same bytes with a true checksum at their end, so that more than the checksum is tried. */
function sealed(input: Uint8Array): Uint8Array {
  const body = input.subarray(0, Math.max(0, input.length - CHECKSUM))
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 501) yield bytes.slice(at, at + 501)
}

async function onlyFile(directory: string, ending: string): Promise<string> {
  const [found] = readdirSync(directory).filter((name) => name.endsWith(ending)) as [string]
  return join(directory, found)
}
