import { resolveShard } from '../packs/shard.ts'

/** What one worker forks off to others; the input names all that is needed. */
export const shardTasks = { resolveShard }
