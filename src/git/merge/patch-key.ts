import { ByteWriter } from '../diff/byte-writer.ts'
import { writePatch } from '../diff/patch.ts'
import { diffTrees, type TreeChange } from '../diff/tree-diff.ts'
import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'

/** A commit's trees: of its first parent (undefined: it has none) and its own. */
export interface Change {
  before: Oid | undefined
  after: Oid
}

/** Changes that touch more paths than this are never the same as another. */
const MAX_PATHS = 10_000
/** Lines of a patch that do not count: places, ids and, as in git, whether the last line ends in a break. Modes do: who changed one wants it kept. */
const isPlace = /^(?:@@ |index |\\ No newline )/

/** Which paths a change touches, and how: what changes must have in common to be the same. */
export function changedPaths(store: ObjectReader, { before, after }: Change): string | undefined {
  const paths: string[] = []
  for (const { status, path } of diffTrees(store, before, after)) {
    if (paths.push(`${status} ${path}`) > MAX_PATHS) return undefined
  }
  return paths.join('\0')
}

/**
 * What a change says, wherever the lines stand and whatever the blanks: equal for changes that `git patch-id` gives one id.
 * @throws GitError `missing` or `corrupt`
 */
export function* patchKey(store: ObjectReader, { before, after }: Change): Steps<string> {
  const hasher = store.format.hasher()
  for (const change of diffTrees(store, before, after)) hasher.update(yield* patchText(store, change))
  return Buffer.from(hasher.digest()).toString('hex')
}

function* patchText(store: ObjectReader, change: TreeChange): Steps<Uint8Array> {
  const out = new ByteWriter()
  yield* writePatch(out, store, change)
  const lines = Buffer.from(out.take()).toString('latin1').split('\n')
  const isBinary = lines.some((line) => line.startsWith('Binary files '))
  const kept = [...lines.filter((line) => !isPlace.test(line)), ...(isBinary ? [change.old?.oid, change.new?.oid] : [])]
  return Buffer.from(kept.join('').replace(/\s/g, ''), 'latin1')
}
