import { breathe, isDue } from '#kernel/breathe.ts'
import type { GitError } from '../../errors.ts'
import type { Oid } from '../../objects/oid.ts'
import { type ObjectReader, piecesOf, presenceIn } from '../../store/types.ts'
import { typeName } from '../entry.ts'
import type { EntryColumns } from './entry-table.ts'
import { compareRaw, NONE, oidOf } from './entry-table.ts'
import { PackReader } from './pack-reader.ts'
import { refusal } from './refusal.ts'
import type { RevisitInput } from './revisit.ts'
import { revisit } from './revisit.ts'

/** Packs that git makes hold no object twice. */
const MOST_REPEATED = 10_000
/** Larger objects are compared in pieces. */
const LARGE_BYTES = 4 * 1024 * 1024
/** What is as large as this may stand on something as large, too. */
const HUGE_BYTES = 32 * 1024 * 1024

export interface CollisionInput {
  /** How many of the first entries were sent, and may be stored already. */
  sent: number
  /** From `sortByOid`. */
  order: Uint32Array
  store: ObjectReader
  /** Does what needs as much memory for bases as resolving the pack's deltas did. */
  withSome: (work: () => Promise<void>) => Promise<void>
  /** Does what may need memory for one of the largest objects. */
  withAll: (work: () => Promise<void>) => Promise<void>
}

/** Entries that share their id with another entry of the pack; `order` is from `sortByOid`. @throws GitError `limit` */
function findRepeated(columns: EntryColumns, order: Uint32Array): Set<number> {
  const repeated = new Set<number>()
  const { oids, rawLength } = columns
  for (let row = 1; row < order.length; row++) {
    if (compareRaw(oids, (order[row - 1] as number) * rawLength, oids, (order[row] as number) * rawLength, rawLength) !== 0) continue
    repeated.add(order[row - 1] as number).add(order[row] as number)
    if (repeated.size > MOST_REPEATED) throw refusal('limit', `it contains more than ${MOST_REPEATED} duplicate objects`)
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
export async function refuseCollisions(input: RevisitInput, { sent, order, store, withSome, withAll }: CollisionInput): Promise<void> {
  const { columns } = input
  const repeated = findRepeated(columns, order)
  const digests = new Map<string, string>()
  const compareRepeated = () =>
    revisit(input, repeated, (entry, type, data) => {
      const oid = oidOf(columns, entry)
      const digest = digestOf(typeName(type), data)
      if ((digests.get(oid) ?? digest) !== digest) throw refusal('refused', `collision: it contains two different objects with the ID ${oid}`)
      digests.set(oid, digest)
    })
  if (repeated.size > 0) await withSome(compareRepeated)
  const stored = await findStored(columns, sent, store)
  const sizeOf = (entry: number) => columns.sizes[entry] as number
  const small = stored.filter((entry) => sizeOf(entry) <= LARGE_BYTES)
  const compareSmall = () =>
    revisit(input, small, (entry, type, data) => {
      const oid = oidOf(columns, entry)
      const known = store.get(oid)
      const isSame = known.type === typeName(type) && Buffer.from(known.data.buffer, known.data.byteOffset, known.data.length).equals(data)
      if (!isSame) throw differs(oid)
    })
  if (small.length > 0) await withSome(compareSmall)
  const large = stored.filter((entry) => sizeOf(entry) > LARGE_BYTES)
  const withEnough = large.some((entry) => sizeOf(entry) > HUGE_BYTES) ? withAll : withSome
  if (large.length > 0) await withEnough(() => compareLarge(input, large, store))
}

/** By their digests: neither of two is ever whole in memory, but for what deltas are made from. */
async function compareLarge(input: RevisitInput, entries: readonly number[], store: ObjectReader): Promise<void> {
  const pass = () => (input.turn?.isOver ? input.turn.pass() : undefined)
  const digests = new Map<Oid, string>()
  const note = (entry: number, digest: string) => void digests.set(oidOf(input.columns, entry), digest)
  const isDelta = (entry: number) => input.columns.bases[entry] !== NONE
  await revisit(
    input,
    entries.filter(isDelta),
    (entry, type, data) => note(entry, digestOf(typeName(type), data)),
    (entry, type) => {
      const hasher = new Bun.CryptoHasher('sha256')
      return { add: (bytes) => void hasher.update(bytes as Uint8Array<ArrayBuffer>), end: () => note(entry, `${typeName(type)} ${hasher.digest('hex')}`) }
    },
  )
  const reader = new PackReader(input.packPath)
  try {
    for (const entry of entries) {
      if (isDelta(entry)) continue
      note(entry, await digestInPieces(typeName(input.columns.types[entry] as number), reader.pieces(input.columns, entry)))
      await pass()
    }
  } finally {
    reader.close()
  }
  for (const [oid, digest] of digests) {
    if ((await digestInPieces(store.findHeader(oid)?.type ?? '', piecesOf(store, oid))) !== digest) throw differs(oid)
    await pass()
  }
}

async function digestInPieces(type: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const bytes of pieces) {
    hasher.update(bytes as Uint8Array<ArrayBuffer>)
    if (isDue()) await breathe()
  }
  return `${type} ${hasher.digest('hex')}`
}

function digestOf(type: string, data: Uint8Array): string {
  return `${type} ${new Bun.CryptoHasher('sha256').update(data as Uint8Array<ArrayBuffer>).digest('hex')}`
}

function differs(oid: Oid): GitError {
  return refusal('refused', `collision: its object ${oid} differs from the repository's object with the same id`)
}

async function findStored(columns: EntryColumns, sent: number, store: ObjectReader): Promise<number[]> {
  const stored: number[] = []
  const isStored = presenceIn(store)
  for (let entry = 0; entry < sent; entry++) {
    if (isStored(columns.oids, entry * columns.rawLength)) stored.push(entry)
    if ((entry & 255) === 0 && isDue()) await breathe()
  }
  return stored
}
