import { mkdirSync, rmSync } from 'node:fs'

/** Makes a directory for what `work` writes into it, and removes it when that fails: else it is the caller's. */
export function inQuarantine<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(path)
  return removedOnFailure(path, work)
}

/** The same for a directory that is there. */
export async function removedOnFailure<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    rmSync(path, { recursive: true, force: true })
    throw error
  }
}
