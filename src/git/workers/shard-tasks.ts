import { resolveShard } from '../packs/receive/shard.ts'
import { makePatches } from './patch-shard.ts'

/** What one worker forks off to others; the input names all that is needed. */
export const shardTasks = { resolveShard, makePatches }

export type ShardName = keyof typeof shardTasks
