import type { Oid } from '../objects/oid.ts'
import { PackFile } from '../packs/pack-file.ts'
import { PackFirst } from '../packs/pack-first.ts'
import { EntryTable } from '../packs/receive/entry-table.ts'
import { type PushedTip, peelTips } from '../packs/receive/peel.ts'
import { receivePack } from '../packs/receive/receive.ts'
import { addTipTimes } from '../packs/receive/tip-times.ts'
import { packObjects } from '../packs/write/pack-objects.ts'
import { ScratchStore } from '../store/scratch-store.ts'
import type { ObjectReader } from '../store/types.ts'
import type { Made } from './made.ts'
import { type MakerName, makers } from './makers.ts'
import type { OpenRepo } from './open-repos.ts'
import { inQuarantine } from './quarantine.ts'

export interface MadeObjects {
  result: unknown
  /** The pack of all that is new, in the quarantine; undefined when nothing is. */
  packPath: string | undefined
  tips: PushedTip[]
}

interface MakeInput {
  maker: MakerName
  input: unknown
  quarantine: string
  /** The pack of what was brought before from elsewhere, and nobody else sees yet. */
  brought?: string
}

export const makeTasks = {
  /**
   * Runs a maker and leaves what it made as one pack in `quarantine`, a directory of its own that is made here: checked as a push's is, its
   * content durable. @throws GitError as the maker does, and when a push of the same would be refused
   */
  async makeObjects(repo: OpenRepo, { brought, ...asked }: MakeInput): Promise<MadeObjects> {
    // What upkeep removed before the caller held the repository must not be taken for stored.
    repo.store.refresh()
    if (brought === undefined) return makeIn(repo, repo.store, asked)
    const pack = PackFile.open(brought, { limits: repo.limits })
    try {
      return await makeIn(repo, new PackFirst(pack, repo.store), asked)
    } finally {
      pack.close()
    }
  },
}

type AnyMaker = (scratch: ScratchStore, repo: OpenRepo, input: unknown) => Promise<Made<unknown>>

async function makeIn(repo: OpenRepo, store: ObjectReader, { maker, input, quarantine }: Omit<MakeInput, 'brought'>): Promise<MadeObjects> {
  const scratch = new ScratchStore(store, repo.limits.maxInflatedBytes)
  const { tips, result } = await (makers[maker] as AnyMaker)(scratch, repo, input)
  const objects = scratch.reachable(tips).map(({ object }) => object)
  if (objects.length === 0) return { result, packPath: undefined, tips: await storedTips(store, tips) }
  const options = { directory: quarantine, store, limits: repo.limits, tips: unique(tips) }
  const received = await inQuarantine(quarantine, () => receivePack(packObjects(objects), options))
  return { result, packPath: received.packPath, tips: received.tips }
}

/** Tips that need nothing new. @throws GitError `missing` */
export function storedTips(store: ObjectReader, tips: readonly Oid[]): Promise<PushedTip[]> {
  const { columns } = new EntryTable(store.format.hexLength / 2, 0)
  const none = { columns, order: new Uint32Array(), store }
  return addTipTimes({ ...none, readEntries: async () => {} }, peelTips({ ...none, tags: [] }, unique(tips)))
}

function unique(oids: readonly Oid[]): Oid[] {
  return [...new Set(oids)]
}
