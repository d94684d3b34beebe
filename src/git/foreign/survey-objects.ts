import type { Checkpoint } from '../checkpoint.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { type ForeignDirectory, unlike } from './foreign-directory.ts'

/** What a foreign repository's own `objects` directory holds. */
export interface ForeignObjects {
  /** Names of its packs, `pack-….pack`. */
  packs: string[]
  /** How many files lie where loose objects do. */
  loose: number
}

/** Each pack is an open file while it is read. */
const MAX_PACKS = 1000
/** Each loose object that refs reach is remembered by its id, some hundred bytes. */
const MAX_LOOSE = 2_000_000
const isFolder = /^[0-9a-f]{2}$/
const isPack = /^pack-.+\.pack$/

/**
 * Looks over all files that will be opened to read objects, so that none of them leads elsewhere. Borrowed objects
 * (`info/alternates`) are none of these.
 * @throws GitError `refused` when one is no plain file, `limit` when they are too many
 */
export async function surveyObjects(directory: ForeignDirectory, limits: GitLimits, checkpoint: Checkpoint): Promise<ForeignObjects> {
  const mostLoose = Math.min(MAX_LOOSE, limits.maxPackObjects)
  let loose = 0
  for (const { name } of directory.entries('objects').filter((entry) => isFolder.test(entry.name))) {
    for (const file of directory.entries(`objects/${name}`)) {
      if (file.kind !== 'file') throw unlike(`objects/${name}/${file.name}`, 'file')
      loose++
    }
    if (loose > mostLoose) throw new GitError('limit', `it has more than ${mostLoose} loose objects. Run \`git gc\` to pack them`)
    const wait = checkpoint()
    if (wait) await wait
  }
  return { packs: listPacks(directory), loose }
}

function listPacks(directory: ForeignDirectory): string[] {
  const packs = directory.entries('objects/pack').filter(({ name }) => isPack.test(name))
  for (const { name, kind } of packs) if (kind !== 'file') throw unlike(`objects/pack/${name}`, 'file')
  if (packs.length > MAX_PACKS) throw new GitError('limit', `it has more than ${MAX_PACKS} packs. Run \`git repack -ad\` to combine them`)
  return packs.map(({ name }) => name)
}
