import type { Checkpoint } from '../../checkpoint.ts'
import type { CommitSource } from '../../history/commit-source.ts'
import { Marks } from '../../history/marks.ts'
import type { Oid } from '../../objects/oid.ts'
import type { DiskStore } from '../../store/disk.ts'
import type { ObjectReader } from '../../store/types.ts'
import type { ReceivedPack } from '../receive/receive.ts'
import { enumerateObjects } from '../select/enumerate.ts'
import { holdPacks } from '../select/hold-packs.ts'
import { ObjectSpace } from '../select/object-space.ts'
import { type RewriteOptions, rewritePack } from './rewrite-pack.ts'

/**
 * Takes what commits of one repository reach, and another one lacks, into the quarantine of that other one, checked as a push of it
 * would be. Nothing is read beyond the commits that both have.
 * @param options as for `receivePack`; `store` is the one that lacks them
 * @throws GitError `missing` when `from` has not all of it, and as `receivePack` does
 */
export async function copyMissing(from: DiskStore, source: CommitSource, options: RewriteOptions): Promise<ReceivedPack> {
  const { tips, store, limits, checkpoint } = options
  const haves = await findCommon(source, store, tips, checkpoint)
  using _held = holdPacks(from)
  const selection = await enumerateObjects(new ObjectSpace(from), source, { wants: tips, haves, limits, checkpoint })
  return rewritePack(selection, options)
}

/** The newest commits on the way from `tips` that `store` has, with which it has all that they reach. */
async function findCommon(source: CommitSource, store: ObjectReader, tips: readonly Oid[], checkpoint: Checkpoint): Promise<Oid[]> {
  const seen = new Marks(source.size)
  const common: Oid[] = []
  const open = tips.map((tip) => source.idOf(tip))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id, 1)) continue
    seen.add(id, 1)
    const oid = source.oid(id)
    if (store.has(oid)) common.push(oid)
    else for (const parent of source.parents(id)) open.push(parent)
    const wait = checkpoint()
    if (wait) await wait
  }
  return common
}
