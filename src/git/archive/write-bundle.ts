import type { Checkpoint } from '../checkpoint.ts'
import { GitError } from '../errors.ts'
import type { CommitSource } from '../history/commit-source.ts'
import type { GitLimits } from '../limits.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { enumerateObjects } from '../packs/select/enumerate.ts'
import { holdPacks } from '../packs/select/hold-packs.ts'
import { ObjectSpace } from '../packs/select/object-space.ts'
import { PackOutput, type PackSink, UNFRAMED } from '../packs/write/pack-output.ts'
import { writePack } from '../packs/write/write-pack.ts'
import type { DiskStore } from '../store/disk.ts'

/** A ref as a bundle names it: `refs/heads/main`, or `HEAD`. */
export interface BundleRef {
  name: string
  oid: Oid
}

const isLineSafe = /^[^\s\0-\x1f]+$/

/**
 * Writes a bundle of version 2 with all that `refs` reach. Its pack copies what the store has as it lies there: the same objects every
 * time, and after upkeep perhaps in other bytes. Source: `Documentation/gitformat-bundle.txt`.
 * @throws GitError `missing` when an object is not there, `refused` for no refs or a name that would break the list
 */
export async function writeBundle(
  store: DiskStore,
  source: CommitSource,
  refs: readonly BundleRef[],
  { limits, checkpoint }: { limits: GitLimits; checkpoint: Checkpoint },
  sink: PackSink,
): Promise<void> {
  if (refs.length === 0) throw new GitError('refused', 'Cannot bundle: there are no refs')
  for (const { name } of refs) if (!isLineSafe.test(name)) throw new GitError('refused', `Cannot bundle: "${name.slice(0, 100)}" is not a valid ref name`)
  using _held = holdPacks(store)
  const selection = await enumerateObjects(new ObjectSpace(store), source, { wants: new Set(refs.map(({ oid }) => oid)), limits, checkpoint })
  const header = `# v2 git bundle\n${refs.map(({ name, oid }) => `${oid} ${name}\n`).join('')}\n`
  await sink.write(new Uint8Array(Buffer.from(header)))
  await writePack(selection, { ofsDelta: true, mayStandOn: () => false, checkpoint }, new PackOutput(sink, UNFRAMED, SHA1.hasher()))
}
