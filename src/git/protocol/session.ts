import type { Checkpoint } from '../checkpoint.ts'
import { checkpointOf, inTurns } from '../checkpoint.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { Oid } from '../objects/oid.ts'
import { holdPacks } from '../packs/select/hold-packs.ts'
import { ObjectSpace } from '../packs/select/object-space.ts'
import { peelTo } from '../packs/select/tag-chain.ts'
import type { UploadContext } from './context.ts'

/** One fetch: what its steps share. The packs that it began with are open until it is disposed of: a slow client is sent all of them, whatever upkeep does. */
export class FetchSession implements Disposable {
  readonly context: UploadContext
  readonly source: CommitSource
  readonly space: ObjectSpace
  readonly checkpoint: Checkpoint
  readonly #held: Disposable

  constructor(context: UploadContext) {
    this.context = context
    this.#held = holdPacks(context.store)
    this.source = new CommitSource(context.store, context.graph)
    this.space = new ObjectSpace(context.store)
    this.checkpoint = checkpointOf(context.signal)
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]()
  }

  /** The ids, as in `source`, of the commits that `oids` name, directly or through tags; other objects and absent ones are left out. */
  async commitIds(oids: Iterable<Oid>): Promise<number[]> {
    const ids = new Set<number>()
    await this.each(oids, (oid) => {
      const id = this.commitId(oid)
      if (id !== undefined) ids.add(id)
    })
    return [...ids]
  }

  /** The same for one; undefined for whatever is left out there. */
  commitId(oid: Oid): number | undefined {
    if (this.space.findOid(oid) < 0) return undefined
    const end = peelTo(this.space, oid, () => {})
    return end.type === 'commit' ? this.source.idOf(end.oid) : undefined
  }

  /** Works for each of what a request names, and lets other requests have their turns meanwhile. */
  each<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    return inTurns(items, this.checkpoint, work)
  }
}
