import { abbreviator } from '../diff/abbreviate.ts'
import type { FileChange } from '../diff/renames.ts'
import { type WriteDiffOptions, writePatches } from '../diff/write-diff.ts'
import type { OpenRepos, RepoPlace } from './open-repos.ts'

export interface PatchShard {
  repo: RepoPlace
  changes: FileChange[]
  options: Omit<WriteDiffOptions, 'signal' | 'abbreviate' | 'withMemory'> & { fullIds?: boolean }
}

/** The patches of some of the files of a large diff. */
export function makePatches({ repo, changes, options }: PatchShard, repos: OpenRepos): Promise<Uint8Array> {
  return repos.use(repo, async ({ store }) => {
    const pieces: Uint8Array[] = []
    const abbreviate = options.fullIds ? undefined : abbreviator(store)
    await writePatches(store, changes, { ...options, abbreviate }, async (piece) => void pieces.push(piece))
    return Buffer.concat(pieces)
  })
}
