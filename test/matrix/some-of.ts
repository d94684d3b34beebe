import { isSoak } from '../soak.ts'

/**
 * Returns one in `share` of the cases in `npm test`, others for each `turn`, and all of them in a soak run. For what is tried with every
 * case on each of hundreds of routes: over all routes, each case is tried many times.
 */
export function someOf<T>(cases: Iterable<T>, share: number, turn: number): T[] {
  return isSoak ? [...cases] : [...cases].filter((_, i) => (i + turn) % share === 0)
}
