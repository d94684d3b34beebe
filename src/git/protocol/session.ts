import { CommitSource } from '../history/commit-source.ts'
import type { Oid } from '../objects/oid.ts'
import type { Checkpoint } from '../packs/checkpoint.ts'
import { checkpointOf } from '../packs/checkpoint.ts'
import { ObjectSpace } from '../packs/object-space.ts'
import { peelTo } from '../packs/tag-chain.ts'
import type { UploadContext } from './context.ts'

/** One fetch: what its steps share. */
export class FetchSession {
  readonly context: UploadContext
  readonly source: CommitSource
  readonly space: ObjectSpace
  readonly checkpoint: Checkpoint

  constructor(context: UploadContext) {
    this.context = context
    this.source = new CommitSource(context.store, context.graph)
    this.space = new ObjectSpace(context.store)
    this.checkpoint = checkpointOf(context.signal)
  }

  /** The ids, as in `source`, of the commits that `oids` name, directly or through tags; other objects and absent ones are left out. */
  commitIds(oids: Iterable<Oid>): number[] {
    const ids = new Set<number>()
    for (const oid of oids) {
      if (this.space.findOid(oid) < 0) continue
      const end = peelTo(this.space, oid, () => {})
      if (end.type === 'commit') ids.add(this.source.idOf(end.oid))
    }
    return [...ids]
  }
}
