import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { ScratchStore } from '../merge/scratch-store.ts'
import type { ObjectFormat, Oid } from '../objects/oid.ts'
import { encodeEntryHeader, MAX_ENTRY_HEADER, typeCode } from '../packs/entry.ts'
import { publishPacks } from '../packs/publish.ts'
import { receivePack } from '../packs/receive.ts'
import type { GitObject } from '../store/types.ts'
import type { OpenRepo } from './open-repos.ts'

/** Each loose object is synced for itself; from here on a pack takes less time. */
const MAX_LOOSE = 24
const HEADER_BYTES = 12

/** Puts commits that were made in memory into the repository, durably, with all that they need: few objects one by one, many in a pack. */
export async function keepMade(repo: OpenRepo, scratch: ScratchStore, commits: readonly Oid[]): Promise<void> {
  const objects = scratch.made(commits)
  if (objects.length > MAX_LOOSE) await keepAsPack(repo, objects, commits)
  else for (const { type, data } of objects) repo.store.write(type, data)
}

/** Checked on the way as a push is. */
async function keepAsPack(repo: OpenRepo, objects: readonly GitObject[], commits: readonly Oid[]): Promise<void> {
  const directory = join(repo.path, 'objects', `tmp_incoming-${crypto.randomUUID()}`)
  mkdirSync(directory)
  try {
    const { packPath } = await receivePack(packOf(objects, repo.store.format), { directory, store: repo.store, limits: repo.limits, tips: commits })
    publishPacks([packPath], join(repo.path, 'objects', 'pack'))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function* packOf(objects: readonly GitObject[], format: ObjectFormat): AsyncGenerator<Uint8Array, void, undefined> {
  const hasher = format.hasher()
  for (const piece of piecesOf(objects)) {
    hasher.update(piece)
    yield piece
  }
  yield hasher.digest()
}

/** Source: `Documentation/gitformat-pack.txt`. */
function* piecesOf(objects: readonly GitObject[]): Generator<Uint8Array, void, undefined> {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PACK', 'latin1')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(objects.length, 8)
  yield header
  for (const { type, data } of objects) {
    const entry = new Uint8Array(MAX_ENTRY_HEADER)
    yield entry.subarray(0, encodeEntryHeader(typeCode(type), data.length, entry, 0))
    yield deflateSync(data)
  }
}
