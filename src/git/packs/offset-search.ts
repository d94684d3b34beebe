import { GitError } from '../errors.ts'
import type { PackIndex } from './pack-index.ts'

/** Where `wanted` lies among `count` ascending values, or -1. */
export function search(count: number, valueAt: (i: number) => number, wanted: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = valueAt(middle)
    if (value === wanted) return middle
    if (value < wanted) low = middle + 1
    else high = middle
  }
  return -1
}

/** The position in `index` of the object whose entry begins at `offset`. @throws GitError `corrupt` when none does */
export function positionAtOffset(index: PackIndex, offset: number): number {
  const order = index.offsetOrder()
  const rank = search(index.count, (i) => index.offsetAt(order[i] as number), offset)
  if (rank < 0) throw new GitError('corrupt', `Cannot read pack entry: the base of a delta should start at byte ${offset}, but no object starts there`)
  return order[rank] as number
}
