import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory in memory, on Linux. */
const IN_MEMORY = '/dev/shm'
/** Several times what a file of tests has there at once. */
const ROOM_BYTES = 1024 ** 3

/**
 * A new directory for what tests write. It is in memory where there is plenty: on a disk their gits spend half of their time looking for inodes
 * that were not freed a moment ago. Whoever sets TMPDIR has it there.
 * @param files of tests that run at a time
 */
export function makeScratch(files: number): string {
  return makeIn(process.env.TMPDIR === undefined && isRoomy(files * ROOM_BYTES) && runsPrograms() ? IN_MEMORY : tmpdir())
}

function makeIn(directory: string): string {
  return mkdtempSync(join(directory, 'pf-check-'))
}

function isRoomy(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > bytes && process.availableMemory() > 2 * bytes
  } catch {
    return false
  }
}

/** Some systems mount it so that nothing in it can be run, which the hooks of git's own repositories are. */
function runsPrograms(): boolean {
  const directory = makeIn(IN_MEMORY)
  try {
    const program = join(directory, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return Bun.spawnSync([program]).success
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
