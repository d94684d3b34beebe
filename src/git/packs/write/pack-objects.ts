import { SHA1 } from '../../objects/oid.ts'
import type { GitObject } from '../../store/types.ts'
import { deflateWhole } from '../deflate.ts'
import { encodeEntryHeader, MAX_ENTRY_HEADER, typeCode } from '../entry.ts'
import { packHeader } from './write-pack.ts'

/** Objects as a pack, each whole, in the order given. */
export async function* packObjects(objects: readonly GitObject[]): AsyncGenerator<Uint8Array> {
  const hasher = SHA1.hasher()
  for (const bytes of pieces(objects)) {
    hasher.update(bytes)
    yield bytes
  }
  yield hasher.digest()
}

function* pieces(objects: readonly GitObject[]): Generator<Uint8Array> {
  yield packHeader(objects.length)
  for (const { type, data } of objects) {
    const header = new Uint8Array(MAX_ENTRY_HEADER)
    yield header.subarray(0, encodeEntryHeader(typeCode(type), data.length, header, 0))
    yield deflateWhole(data)
  }
}
