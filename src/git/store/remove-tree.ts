import { existsSync, promises, rmSync } from 'node:fs'

const TRIES = 100
const AGAIN_MS = 5

/**
 * Removes a file, or a directory with all that is in it, on a thread of the file system's; nothing when it is not there. When somebody else
 * removes something in it at the same time, Bun's `rm` says that it is done and leaves the rest: it is asked again until nothing is there.
 * @throws Error when it cannot be removed
 */
export async function removeTree(path: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await promises.rm(path, { recursive: true, force: true, maxRetries: 3 })
    if (!existsSync(path)) return
    await Bun.sleep(AGAIN_MS)
  }
  throw inTheWay(path)
}

/** The same at once, for what is small. */
export function removeTreeNow(path: string): void {
  for (let tries = 0; tries < TRIES; tries++) {
    rmSync(path, { recursive: true, force: true })
    if (!existsSync(path)) return
  }
  throw inTheWay(path)
}

function inTheWay(path: string): Error {
  return new Error(`Cannot remove ${path}: another process keeps writing to it`)
}
