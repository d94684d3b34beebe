import type { Oid } from '../objects/oid.ts'
import { MAX_SCORE } from './similarity.ts'
import type { TreeSide } from './tree-diff.ts'

/** A file that something may have come from. */
export interface RenameSource {
  path: string
  side: TreeSide
  /** How often the file is still needed as it was: as itself when it stays, and by those that came from it. */
  uses: number
}

/** A new file, and what it came from once that is known. */
export interface RenameTarget {
  path: string
  side: TreeSide
  from?: { source: RenameSource; score: number }
}

/** Sources with the same content that are looked at for one target. */
const MAX_IDENTICAL = 100

export function pair(target: RenameTarget, source: RenameSource, score: number): void {
  source.uses++
  target.from = { source, score }
}

export function isFile({ mode }: TreeSide): boolean {
  return mode >> 12 === 0o10
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function hasSameName(a: { path: string }, b: { path: string }): boolean {
  return nameOf(a.path) === nameOf(b.path)
}

/** Pairs files with the same content. Source: git's `find_exact_renames`. */
export function pairIdentical(sources: readonly RenameSource[], targets: readonly RenameTarget[], copies: boolean): void {
  const byOid = new Map<Oid, RenameSource[]>()
  for (const source of sources) {
    const same = byOid.get(source.side.oid)
    if (same === undefined) byOid.set(source.side.oid, [source])
    else same.push(source)
  }
  for (const target of targets) {
    const source = findIdentical(byOid.get(target.side.oid) ?? [], target, copies)
    if (source !== undefined) pair(target, source, MAX_SCORE)
  }
}

/** Best is one that is not in use and has the same name. */
function findIdentical(candidates: readonly RenameSource[], target: RenameTarget, copies: boolean): RenameSource | undefined {
  let best: RenameSource | undefined
  let bestScore = -1
  let left = MAX_IDENTICAL
  for (const source of candidates) {
    const isSameKind = (isFile(source.side) && isFile(target.side)) || source.side.mode === target.side.mode
    if (!isSameKind || (source.uses > 0 && !copies)) continue
    const score = (source.uses > 0 ? 0 : 1) + (hasSameName(source, target) ? 1 : 0)
    if (score > bestScore) [best, bestScore] = [source, score]
    if (bestScore === 2 || --left === 0) break
  }
  return best
}
