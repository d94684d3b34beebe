import { globMatcher } from '#kernel/glob.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import type { CommitSource } from './commit-source.ts'
import { limitedSteps } from './limited-walk.ts'

/** What is asked about a branch that is to move. */
export interface MoveQuestion {
  /** Undefined for a branch that is new: then it brings what none of `known` has. */
  from: Oid | undefined
  to: Oid
  known: readonly Oid[]
  /** Globs over paths in lower case, whose separators are `.` and `/`. */
  forbidden: readonly string[]
  free: readonly string[]
  /** Whether to look at its commits' signatures. */
  signatures: boolean
}

export interface MoveAnswer {
  /** The first changed file that a glob of `forbidden` matches. */
  forbiddenFile?: string
  /** Something changed, and globs of `free` match all of it. */
  isFree: boolean
  /** The first commit without a signature. */
  unsigned?: Oid
  /** New commits, all with signatures, when none is without. */
  signed: Oid[]
}

/** A branch brings at most so many commits whose signatures are looked at. */
const MAX_COMMITS = 100_000
/** And changes at most so many files, where it matters which: trees can be made that unfold into billions. */
const MAX_FILES = 1_000_000
const SEPARATORS = './'

/**
 * Looks at what a branch that moves brings: the files that differ between its ends, and its new commits.
 * @throws GitError `limit` for trees that unfold into too many files, and as `checkpoint` does
 */
export async function lookAtMove(source: CommitSource, question: MoveQuestion, checkpoint: Checkpoint): Promise<MoveAnswer> {
  const isAboutFiles = question.forbidden.length > 0 || question.free.length > 0
  const isNew = question.from === undefined
  const commits = question.signatures || (isNew && isAboutFiles) ? await newCommits(source, question, checkpoint) : []
  const files = isAboutFiles
    ? await lookAtFiles(source, question, isNew ? startOf(source, question.to, commits) : question.from, checkpoint)
    : { isFree: false }
  return { ...files, ...(question.signatures ? await lookAtCommits(source, commits, checkpoint) : { signed: [] }) }
}

/** Newest first. */
async function newCommits(source: CommitSource, { from, to, known }: MoveQuestion, checkpoint: Checkpoint): Promise<number[]> {
  const steps = limitedSteps(source, { include: [to], exclude: from === undefined ? known : [from] })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const wait = checkpoint()
    if (wait) await wait
  }
}

/** Where a new branch leaves what is known, by first parents; undefined when it shares nothing with that. */
function startOf(source: CommitSource, to: Oid, commits: readonly number[]): Oid | undefined {
  const fresh = new Set(commits)
  let id: number | undefined = source.idOf(to)
  while (id !== undefined && fresh.has(id)) id = source.parents(id)[0]
  return id === undefined ? undefined : source.oid(id)
}

async function lookAtFiles(
  source: CommitSource,
  { to, forbidden, free }: MoveQuestion,
  from: Oid | undefined,
  checkpoint: Checkpoint,
): Promise<Pick<MoveAnswer, 'forbiddenFile' | 'isFree'>> {
  const isForbidden = matcherOf(forbidden)
  const isFree = matcherOf(free)
  const treeOf = (oid: Oid | undefined) => (oid === undefined ? undefined : source.tree(source.idOf(oid)))
  let changed = 0
  let freed = 0
  for (const { path } of diffTrees(source.store, treeOf(from), treeOf(to), { limit: MAX_FILES })) {
    const lower = path.trim().toLowerCase()
    changed++
    if (isForbidden(lower)) return { forbiddenFile: path, isFree: false }
    if (freed < changed && isFree(lower)) freed++
    // Nothing more can be learnt.
    if (forbidden.length === 0 && freed < changed) break
    const wait = checkpoint()
    if (wait) await wait
  }
  return { isFree: changed > 0 && freed === changed }
}

function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((glob) => globMatcher(glob, SEPARATORS))
  return (path) => matchers.some((matches) => matches(path))
}

async function lookAtCommits(source: CommitSource, commits: readonly number[], checkpoint: Checkpoint): Promise<Pick<MoveAnswer, 'unsigned' | 'signed'>> {
  const signed: Oid[] = []
  for (const id of commits) {
    const oid = source.oid(id)
    if (signed.length >= MAX_COMMITS || parseCommit(source.store.get(oid, 'commit').data).gpgsig === undefined) return { unsigned: oid, signed: [] }
    signed.push(oid)
    const wait = checkpoint()
    if (wait) await wait
  }
  return { signed }
}
