import { isFile, nameOf, pair, type RenameSource, type RenameTarget } from './rename-candidates.ts'
import { MAX_SCORE, type Similarity } from './similarity.ts'

export interface Matching {
  sources: RenameSource[]
  targets: RenameTarget[]
  similarity: Similarity
  /** The score from which on files are similar. */
  least: number
  copies: boolean
  /** Contents are compared while there are no more pairs than the square of this; 0 is no limit. */
  limit: number
  /** And no more than are left here, of which those that are compared are taken. */
  left?: { pairs: number } | undefined
}

interface Candidate {
  source: RenameSource
  target: RenameTarget
  score: number
  hasSameName: boolean
}

/** How many sources stay in the running for one target. */
const CANDIDATES = 4

/** Pairs files by content, in steps; returns whether there were too many to compare. Source: git's `diffcore_rename_extended`. */
export function* pairSimilar(matching: Matching): Generator<void, boolean, undefined> {
  const { targets, copies, limit, left } = matching
  let { sources } = matching
  if (!copies) {
    sources = sources.filter(({ uses }) => uses === 0)
    yield* pairByName({ ...matching, sources })
    sources = sources.filter(({ uses }) => uses === 0)
  }
  const open = targets.filter(({ from }) => from === undefined)
  if (open.length === 0 || sources.length === 0) return false
  const pairs = open.length * sources.length
  if ((limit > 0 && pairs > limit * limit) || (left && pairs > left.pairs)) return true
  if (left) left.pairs -= pairs
  yield* pairBest({ ...matching, sources, targets: open })
  return false
}

/** Files that alone have their name, wherever they lie, when they are more similar than they would have to be. */
function* pairByName({ sources, targets, similarity, least }: Matching): Generator<void, void, undefined> {
  const closer = least + Math.trunc((MAX_SCORE - least) / 2)
  const sourceOf = uniqueNames(sources)
  const targetOf = uniqueNames(targets.filter(({ from }) => from === undefined))
  for (const source of sources) {
    const name = nameOf(source.path)
    const target = sourceOf.get(name) === source ? targetOf.get(name) : undefined
    if (target === undefined || target.from !== undefined) continue
    const score = scoreOf(similarity, source, target, closer)
    if (score >= closer) pair(target, source, score)
    yield
  }
}

function uniqueNames<T extends { path: string }>(files: readonly T[]): Map<string, T | undefined> {
  const unique = new Map<string, T | undefined>()
  for (const file of files) {
    const name = nameOf(file.path)
    unique.set(name, unique.has(name) ? undefined : file)
  }
  return unique
}

/** All with all, the most similar pairs first. Copies come after renames: what is left of the candidates may be used again. */
export function* pairBest({ sources, targets, similarity, least, copies }: Matching): Generator<void, void, undefined> {
  const candidates: Candidate[] = []
  const names = sources.map(({ path }) => nameOf(path))
  for (const target of targets) {
    const best: Candidate[] = []
    const name = nameOf(target.path)
    for (let i = 0; i < sources.length; i++) {
      keepIfBetter(best, {
        source: sources[i] as RenameSource,
        target,
        score: scoreOf(similarity, sources[i] as RenameSource, target, least),
        hasSameName: names[i] === name,
      })
      yield
    }
    candidates.push(...best)
  }
  const usable = candidates.filter(({ score }) => score >= least).sort(compare)
  for (const { source, target, score } of usable) if (target.from === undefined && source.uses === 0) pair(target, source, score)
  if (copies) for (const { source, target, score } of usable) if (target.from === undefined) pair(target, source, score)
}

/** Only files are similar without being the same. */
export function scoreOf(similarity: Similarity, source: RenameSource, target: RenameTarget, least: number): number {
  return isFile(source.side) && isFile(target.side) ? similarity.score(source.side, target.side, least) : 0
}

function keepIfBetter(best: Candidate[], candidate: Candidate): void {
  if (best.length < CANDIDATES) {
    best.push(candidate)
    return
  }
  let worst = 0
  for (let i = 1; i < best.length; i++) if (compare(best[i] as Candidate, best[worst] as Candidate) > 0) worst = i
  if (compare(best[worst] as Candidate, candidate) > 0) best[worst] = candidate
}

/** The better one first. */
function compare(a: Candidate, b: Candidate): number {
  return a.score === b.score ? Number(b.hasSameName) - Number(a.hasSameName) : b.score - a.score
}
