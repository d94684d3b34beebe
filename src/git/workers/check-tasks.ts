import { CommitSource } from '../history/commit-source.ts'
import type { Oid } from '../objects/oid.ts'
import { checkpointOf } from '../packs/checkpoint.ts'
import { countReachable } from '../packs/enumerate.ts'
import { verifyPack } from '../packs/verify.ts'
import type { OpenRepo } from './open-repos.ts'

export interface CheckedPacks {
  packs: number
  objects: number
  /** What is wrong, a sentence each. */
  faults: string[]
}

export interface CheckedReach {
  /** Objects found. */
  objects: number
  /** The first thing that is missing or damaged. */
  fault: string | undefined
}

/** Checks of one repository's store for `doctor`; they change nothing. */
export const checkTasks = {
  /** Reads every pack from end to end. */
  async checkPacks(repo: OpenRepo, _input: Record<string, never>): Promise<CheckedPacks> {
    repo.store.refresh()
    const checked: CheckedPacks = { packs: repo.store.faults.length, objects: 0, faults: repo.store.faults.map(({ message }) => message) }
    for (const { path } of repo.store.packs) {
      try {
        const { objects } = await verifyPack(path, path.replace(/\.pack$/, '.idx'), repo.limits)
        checked.objects += objects
      } catch (error) {
        checked.faults.push(`${path}: ${(error as Error).message}`)
      }
      checked.packs++
    }
    return checked
  },

  /** Walks everything that `tips` reach, by the objects alone: the commit-graph may remember what is gone. */
  async checkReach(repo: OpenRepo, { tips }: { tips: Oid[] }): Promise<CheckedReach> {
    try {
      const objects = await countReachable(repo.store, new CommitSource(repo.store, undefined), tips, {
        limits: repo.limits,
        checkpoint: checkpointOf(undefined),
      })
      return { objects, fault: undefined }
    } catch (error) {
      return { objects: 0, fault: (error as Error).message }
    }
  },
}
