import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointOf } from '../checkpoint.ts'
import { GitError } from '../errors.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { Oid } from '../objects/oid.ts'
import { checkSum, remakeIndex } from '../packs/receive/sum-packs.ts'
import { verifyPack } from '../packs/receive/verify.ts'
import { countReachable } from '../packs/select/enumerate.ts'
import { namesIn } from '../store/loose.ts'
import type { OpenRepo } from './open-repos.ts'

export interface CheckedPacks {
  packs: number
  objects: number
  /** What is wrong, a sentence each. */
  faults: string[]
}

export interface SummedPacks {
  /** Names of packs whose damaged index was made anew. */
  mended: string[]
  /** What is wrong, a sentence each. */
  faults: string[]
}

export interface CheckedReach {
  /** Objects found. */
  objects: number
  /** The first thing that is missing or damaged. */
  fault: string | undefined
}

/** Checks of one repository's store; those for `doctor` change nothing. */
export const checkTasks = {
  /** Reads the packs and their indexes for their checksums alone, which costs little, and makes damaged indexes anew, at `temporary` until they are whole. */
  async sumPacks(repo: OpenRepo, { temporary }: { temporary: string }): Promise<SummedPacks> {
    const summed: SummedPacks = { mended: [], faults: [] }
    const directory = join(repo.path, 'objects', 'pack')
    for (const index of namesIn(directory).filter((name) => /^pack-.*\.idx$/.test(name))) {
      const pack = index.replace(/idx$/, 'pack')
      try {
        await checkSum(join(directory, pack))
        if (await isWhole(join(directory, index))) continue
        await remakeIndex(join(directory, pack), temporary, repo.limits)
        summed.mended.push(pack)
      } catch (error) {
        if (isFailedSync(error)) throw error
        if (!isJoined(join(directory, pack), error)) summed.faults.push((error as Error).message)
      }
    }
    return summed
  },

  /** Reads every pack from end to end. */
  async checkPacks(repo: OpenRepo, _input: Record<string, never>): Promise<CheckedPacks> {
    repo.store.refresh()
    const checked: CheckedPacks = { packs: repo.store.faults.length, objects: 0, faults: repo.store.faults.map(({ message }) => message) }
    for (const { path } of repo.store.packs) {
      try {
        const { objects } = await verifyPack(path, path.replace(/\.pack$/, '.idx'), repo.limits)
        checked.objects += objects
      } catch (error) {
        if (isJoined(path, error)) continue
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
        checkpoint: checkpointOf(),
      })
      return { objects, fault: undefined }
    } catch (error) {
      return { objects: 0, fault: (error as Error).message }
    }
  },
}

async function isWhole(index: string): Promise<boolean> {
  try {
    await checkSum(index)
    return true
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

/** That is no fault of a pack's: the service ends by it. */
function isFailedSync(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall === 'fsync'
}

/** What upkeep has joined with others meanwhile is gone. */
function isJoined(packPath: string, error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(packPath)
}
