import { type Checkpoint, inTurns } from '../checkpoint.ts'
import { CommitQueue } from '../history/commit-queue.ts'
import type { CommitSource } from '../history/commit-source.ts'
import { Marks } from '../history/marks.ts'
import type { ObjectSpace } from '../packs/select/object-space.ts'
import { Bitset } from './bitset.ts'
import type { PackBitmap } from './pack-bitmap.ts'

export interface ReachOptions {
  space: ObjectSpace
  source: CommitSource
  /** Of the first pack of `space`. */
  bitmap: PackBitmap
  checkpoint: Checkpoint
  /** Whether nothing from here on is looked for, by object number. */
  isOut?(number: number): boolean
  /** So many commits are looked at that bitmaps do not tell of. Default: all. */
  most?: number
}

export interface Reached {
  /** What bitmaps tell, by the bits of the pack. */
  bits: Bitset
  /** Commits, as ids of the source, that they do not tell of; parents after their children, unless clocks are askew. */
  commits: number[]
}

const MET = 1

/** What commits reach: walks from them to those that have a bitmap. @throws GitError `missing`, or `corrupt` as a bitmap is */
export async function reachWith(starts: Iterable<number>, options: ReachOptions): Promise<Reached> {
  const { space, source, bitmap, checkpoint, isOut, most = Infinity } = options
  const { count } = bitmap.pack.index
  const bits = new Bitset(count)
  const commits: number[] = []
  const queue = new CommitQueue()
  const met = new Marks(source.size)
  const meet = (id: number): void => {
    if (met.has(id, MET)) return
    met.add(id, MET)
    queue.push(id, source.date(id), source.generation(id))
  }
  const isTold = (number: number): boolean => {
    if (number < 0 || number >= count) return false
    if (bits.has(bitmap.bitOf(number))) return true
    const reached = bitmap.findReached(number)
    if (reached) bits.addAll(reached)
    return reached !== undefined
  }
  await inTurns(starts, checkpoint, meet)
  for (let id = queue.pop(); id >= 0 && commits.length < most; id = queue.pop()) {
    const number = space.findOid(source.oid(id))
    if (!isOut?.(number) && !isTold(number)) {
      commits.push(id)
      for (const parent of [...source.parents(id)]) meet(parent)
    }
    const wait = checkpoint()
    if (wait) await wait
  }
  return { bits, commits: commits.filter((id) => !isTold(space.findOid(source.oid(id)))) }
}
