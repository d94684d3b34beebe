import { mapInTurns } from '#kernel/breathe.ts'
import { type CommitDetails, tellCommit } from '../browse/commit-details.ts'
import { type Checkpoint, checkpointOf } from '../checkpoint.ts'
import { aheadBehindSteps, type Distance } from '../history/ahead-behind.ts'
import { lookAtMove, type MoveAnswer, type MoveQuestion } from '../history/branch-move.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { Oid } from '../objects/oid.ts'
import { PackFile } from '../packs/pack-file.ts'
import { PackFirst } from '../packs/pack-first.ts'
import { runSteps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { inTime } from './in-time.ts'
import type { OpenRepo } from './open-repos.ts'

/** For all that one push brings. */
const MAX_MS = 60_000

/** A move of a ref as it was: undefined where there was nothing before, or nothing behind. */
export interface PastMove {
  from: Oid | undefined
  to: Oid | undefined
}

/** What is left of a move: which of its commits are still there and, if both, how many came (`ahead`) and how many went (`behind`). */
export interface MeasuredMove {
  hasFrom: boolean
  hasTo: boolean
  distance?: Distance
}

/** What those ask who judge moves of branches, whose objects may lie in a pack that nobody else sees yet. */
export const moveTasks = {
  /** See `lookAtMove`; in the order of `questions`. */
  async lookAtMoves(repo: OpenRepo, { packPaths, questions }: { packPaths: readonly string[]; questions: readonly MoveQuestion[] }): Promise<MoveAnswer[]> {
    repo.store.refresh()
    const look = (store: ObjectReader, checkpoint: Checkpoint) =>
      mapInTurns(questions, (question) => lookAtMove(new CommitSource(store, repo.graph()), question, checkpoint))
    return withPacks(repo, packPaths, (store) => inTime('check the new commits of a branch', MAX_MS, (signal) => look(store, checkpointOf(signal))))
  },

  /** In the order of `moves`; those that there is no time for are not measured. */
  async measureMoves(repo: OpenRepo, { moves, milliseconds }: { moves: readonly PastMove[]; milliseconds: number }): Promise<MeasuredMove[]> {
    const end = performance.now() + milliseconds
    const source = repo.commits()
    const isThere = (oid: Oid | undefined) => oid !== undefined && repo.store.findHeader(oid)?.type === 'commit'
    return mapInTurns(moves, async ({ from, to }) => {
      const move: MeasuredMove = { hasFrom: isThere(from), hasTo: isThere(to) }
      if (!move.hasFrom || !move.hasTo || performance.now() >= end) return move
      return { ...move, distance: await runSteps(aheadBehindSteps(source, to as Oid, from as Oid)) }
    })
  },

  /** Commits with their signatures, in the order of `oids`. */
  async readCommits(repo: OpenRepo, { packPaths, oids }: { packPaths: readonly string[]; oids: readonly Oid[] }): Promise<CommitDetails[]> {
    return withPacks(repo, packPaths, (store) => mapInTurns(oids, (oid) => tellCommit(store, oid, oids.length)))
  },
}

async function withPacks<T>(repo: OpenRepo, paths: readonly string[], work: (store: ObjectReader) => Promise<T>): Promise<T> {
  const packs = paths.map((path) => PackFile.open(path, { limits: repo.limits }))
  try {
    return await work(packs.reduce<ObjectReader>((behind, pack) => new PackFirst(pack, behind), repo.store))
  } finally {
    for (const pack of packs) pack.close()
  }
}
