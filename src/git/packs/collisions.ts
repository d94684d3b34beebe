import { breathe, isDue } from '#kernel/breathe.ts'
import type { ObjectReader } from '../store/types.ts'
import { typeName } from './entry.ts'
import type { EntryColumns } from './entry-table.ts'
import { compareRaw, oidOf } from './entry-table.ts'
import { refusal } from './refusal.ts'
import type { RevisitInput } from './revisit.ts'
import { revisit } from './revisit.ts'

/** Packs that git makes hold no object twice. */
const MOST_REPEATED = 10_000

/** Entries that share their id with another entry of the pack; `order` is from `sortByOid`. @throws GitError `limit` */
function findRepeated(columns: EntryColumns, order: Uint32Array): Set<number> {
  const repeated = new Set<number>()
  const { oids, rawLength } = columns
  for (let row = 1; row < order.length; row++) {
    if (compareRaw(oids, (order[row - 1] as number) * rawLength, oids, (order[row] as number) * rawLength, rawLength) !== 0) continue
    repeated.add(order[row - 1] as number).add(order[row] as number)
    if (repeated.size > MOST_REPEATED) throw refusal('limit', `it holds more than ${MOST_REPEATED} objects that it holds already`)
  }
  return repeated
}

/**
 * Checks that equal ids mean equal content: of entries of the pack, and of the first `sent` entries and stored objects.
 * The first object with an id stays, so a crafted second one never takes its place. What git does besides, to know a crafted object by the
 * traces of the attack before there is a second one, is no part of Bun's SHA-1 and of no maintained package; SHA-1 of our own over all that is
 * pushed would cost many times what pushes cost now.
 * @throws GitError `refused` naming the id
 */
export async function refuseCollisions(input: RevisitInput, sent: number, order: Uint32Array, store: ObjectReader): Promise<void> {
  const { columns } = input
  const repeated = findRepeated(columns, order)
  const digests = new Map<string, string>()
  await revisit(input, repeated, (entry, type, data) => {
    const oid = oidOf(columns, entry)
    const digest = `${type} ${new Bun.CryptoHasher('sha256').update(data as Uint8Array<ArrayBuffer>).digest('hex')}`
    if ((digests.get(oid) ?? digest) !== digest) throw refusal('refused', `collision: it holds two different objects with the id ${oid}`)
    digests.set(oid, digest)
  })
  await revisit(input, await findStored(columns, sent, store), (entry, type, data) => {
    const oid = oidOf(columns, entry)
    const stored = store.get(oid)
    const isSame = stored.type === typeName(type) && Buffer.from(stored.data.buffer, stored.data.byteOffset, stored.data.length).equals(data)
    if (!isSame) throw refusal('refused', `collision: its object ${oid} differs from the repository's object with the same id`)
  })
}

async function findStored(columns: EntryColumns, sent: number, store: ObjectReader): Promise<number[]> {
  const stored: number[] = []
  const isStored = store.presence?.() ?? ((oid) => store.has(oid))
  for (let entry = 0; entry < sent; entry++) {
    if (isStored(oidOf(columns, entry))) stored.push(entry)
    if ((entry & 255) === 0 && isDue()) await breathe()
  }
  return stored
}
