import { GitError } from '../../errors.ts'
import type { GitLimits } from '../../limits.ts'
import type { ObjectFormat } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import type { DeltaWalk } from './delta-walk.ts'
import type { EntryTable } from './entry-table.ts'
import type { Forest } from './forest.ts'
import { LinkTable } from './link-table.ts'
import type { MemoryTurn } from './memory-turn.ts'
import type { ObjectChecker } from './object-checker.ts'
import type { ShardInput, ShardOutput } from './shard.ts'
import { AT_WORK, BEGUN, CONTROL_LENGTH, LOOK_MS, MADE, RESTS, resolveFamilies, STOPPED } from './shard.ts'
import { TagTargets } from './tag-targets.ts'

/** Runs shards on other threads. It may run fewer than given, and late ones find nothing left to do. */
export type RunShards = (inputs: ShardInput[]) => Promise<ShardOutput[]>

export interface ResolveInput {
  packPath: string
  table: EntryTable
  forest: Forest
  format: ObjectFormat
  limits: GitLimits
  /** Checks what this thread resolves; without it objects are only named. */
  checker?: ObjectChecker | undefined
  runShards?: RunShards
  onProgress?: (done: number) => void
  turn?: MemoryTurn | undefined
}

/** What the pack's objects link to, a table a thread. */
export interface PackLinks {
  links: LinkTable[]
  tags: TagTargets[]
}

/** Packs with fewer deltas are resolved before another thread has started. */
const WORTH_SHARDING = 2000

/**
 * Pass 2: makes every object whose base is in the pack, names and checks it. Deltas whose base is elsewhere stay unresolved.
 * @throws GitError when a delta or an object is bad
 */
export async function resolveDeltas(input: ResolveInput, deltas: number): Promise<PackLinks> {
  const runShards = deltas >= WORTH_SHARDING && input.format === SHA1 ? input.runShards : undefined
  const work = describeWork(input, runShards === undefined ? 1 : 2)
  const others = runShards?.([work]) ?? Promise.resolve([])
  let haveEnded = false
  // Whether to wait for the others is decided below; until then their failure must not count as unhandled.
  const end = others.then(
    () => void (haveEnded = true),
    () => void (haveEnded = true),
  )
  const pass = (walk?: DeltaWalk) => passTogether(input.turn, work.control, () => haveEnded, walk)
  let stop: unknown
  try {
    await resolveFamilies(work, input.format, input.checker, (walk) => {
      input.onProgress?.(Atomics.load(work.control, MADE))
      return pass(walk)
    })
  } finally {
    while (Atomics.load(work.control, BEGUN) > 0 && !haveEnded) {
      await Promise.race([end, Bun.sleep(LOOK_MS)])
      await pass().catch((error) => {
        stop = error
      })
    }
  }
  if (stop !== undefined) throw stop
  return collect(input, Atomics.load(work.control, BEGUN) > 0 ? await others : [])
}

/** As `passIfOver`, once the shards rest as well. @param walk of this thread, if it still has one */
async function passTogether(turn: MemoryTurn | undefined, control: Int32Array, haveOthersEnded: () => boolean, walk: DeltaWalk | undefined): Promise<void> {
  if (!turn?.isOver || walk?.canRest === false) return
  walk?.rest()
  Atomics.store(control, RESTS, 1)
  while (Atomics.load(control, AT_WORK) > 0 && !haveOthersEnded()) await Bun.sleep(LOOK_MS)
  try {
    await turn.pass()
  } catch (error) {
    Atomics.store(control, STOPPED, 1)
    throw error
  } finally {
    Atomics.store(control, RESTS, 0)
  }
}

function describeWork(input: ResolveInput, threads: number): ShardInput {
  return {
    packPath: input.packPath,
    count: input.table.count,
    columns: input.table.columns,
    forest: input.forest,
    control: new Int32Array(new SharedArrayBuffer(4 * CONTROL_LENGTH)),
    limits: input.limits,
    cacheBytes: input.limits.deltaCacheBytes / threads,
  }
}

function collect(input: ResolveInput, outputs: ShardOutput[]): PackLinks {
  const links: PackLinks = { links: [], tags: [] }
  if (input.checker !== undefined) {
    links.links.push(input.checker.links)
    links.tags.push(input.checker.tags)
  }
  for (const output of outputs) {
    if (output.error !== undefined) throw new GitError(output.error.kind, output.error.message)
    links.links.push(LinkTable.of(output.links))
    links.tags.push(TagTargets.of(output.tags, input.format.rawLength))
  }
  return links
}
