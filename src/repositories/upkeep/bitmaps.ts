import { existsSync, rmSync, statSync } from 'node:fs'
import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { bitmapPath, LEAST_OBJECTS } from '#git/bitmaps/bitmap-path.ts'
import { refSnapshot, temporaryIn } from '#repositories/refs/index.ts'
import { listPacks } from './list-packs.ts'

/** What an index takes for each object: its id, checksum and offset. */
const INDEX_BYTES = 28

/** Packs that were tried since the start, by path: not every one can have bitmaps, and one is not tried with each push. */
class Tried {
  readonly packs = new Map<number, string>()
}

/**
 * Has reachability bitmaps written beside the largest pack when there are none, if it is large enough for that, and those of others removed:
 * git reads one file of a repository.
 */
export async function keepBitmaps(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, repo: RepoRow): Promise<void> {
  const { packs: tried } = context.services.get(Tried)
  const packs = listPacks(context, repo)
  const largest = findLargest(packs)
  if (largest === undefined || existsSync(bitmapPath(largest)) || tried.get(repo.id) === largest) return
  const commits = await context.git.run('writeBitmaps', repo.id, async () => {
    const { chunks } = await refSnapshot(context, repo)
    return { chunks, temporary: temporaryIn(context.git.pathOf(repo.id)) }
  })
  tried.set(repo.id, largest)
  if (commits > 0) for (const pack of packs) if (pack !== largest) rmSync(bitmapPath(pack), { force: true })
  context.log.info('wrote pack bitmaps', { repo: repo.id, commits })
}

/** The pack of the most objects, if they are enough. */
function findLargest(packs: readonly string[]): string | undefined {
  let [largest, most]: [string | undefined, number] = [undefined, LEAST_OBJECTS * INDEX_BYTES]
  for (const pack of packs) {
    const { size } = statSync(pack.replace(/pack$/, 'idx'), { throwIfNoEntry: false }) ?? { size: 0 }
    if (size > most) [largest, most] = [pack, size]
  }
  return largest
}
