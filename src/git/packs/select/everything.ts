import { Bitset } from '../../bitmaps/bitset.ts'
import { findPackBitmap, forgetPackBitmap } from '../../bitmaps/pack-bitmap.ts'
import type { Checkpoint } from '../../checkpoint.ts'
import { GitError } from '../../errors.ts'
import { BLOB } from '../entry.ts'
import { readEntryTypes } from '../entry-types.ts'
import type { PackFile } from '../pack-file.ts'
import { Selection } from './enumerate.ts'
import type { ObjectSpace } from './object-space.ts'

/** To choose an object takes less time than to look at the clock. */
const OBJECTS_A_STEP = 64

/** The packs of a store that keeps nothing outside of them and nothing twice; undefined otherwise. */
export async function findDisjointPacks(space: ObjectSpace, checkpoint: Checkpoint): Promise<readonly PackFile[] | undefined> {
  if (space.packs.length === 0 || !space.store.looseOids().next().done) return undefined
  for (let pack = 1; pack < space.packs.length; pack++) {
    for (let number = space.base(pack); number < space.base(pack + 1); number++) {
      if (!space.isCanonical(number)) return undefined
      const wait = checkpoint()
      if (wait) await wait
    }
  }
  return space.packs
}

/** All objects of a store, each once. */
export async function selectEverything(space: ObjectSpace, checkpoint: Checkpoint): Promise<Selection> {
  const selection = new Selection(space)
  for (let number = 0; number < space.packed; number++) {
    if (space.isCanonical(number)) selection.add(number)
    const wait = checkpoint()
    if (wait) await wait
  }
  for (const oid of space.store.looseOids()) selection.add(space.get(oid))
  return selection
}

/** All objects of a store but blobs, each once, by the bitmaps beside its packs where there are any. @throws GitError `corrupt` */
export async function selectAllButBlobs(space: ObjectSpace, checkpoint: Checkpoint): Promise<Selection> {
  const selection = new Selection(space)
  for (const [number, pack] of space.packs.entries()) {
    const order = pack.index.offsetOrder()
    const blobs = findBlobs(pack, space) ?? (await readBlobs(pack, checkpoint))
    for (let rank = 0; rank < order.length; rank++) {
      const object = space.base(number) + (order[rank] as number)
      if (!blobs.has(rank) && space.isCanonical(object)) selection.add(object)
      const wait = rank % OBJECTS_A_STEP === 0 ? checkpoint() : undefined
      if (wait) await wait
    }
  }
  for (const oid of space.store.looseOids()) {
    const object = space.get(oid)
    if (space.header(object).type !== 'blob') selection.add(object)
    const wait = checkpoint()
    if (wait) await wait
  }
  return selection
}

/** By their places in the offset order. */
function findBlobs(pack: PackFile, { store }: ObjectSpace): Bitset | undefined {
  try {
    return findPackBitmap(pack, store.format)?.ofType('blob')
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    forgetPackBitmap(pack)
    return undefined
  }
}

async function readBlobs(pack: PackFile, checkpoint: Checkpoint): Promise<Bitset> {
  const types = await readEntryTypes(pack, checkpoint)
  const blobs = new Bitset(types.length)
  for (let rank = 0; rank < types.length; rank++) if (types[rank] === BLOB) blobs.add(rank)
  return blobs
}
