import { ByteQueue, Credit } from '../../byte-queue.ts'
import type { Checkpoint } from '../../checkpoint.ts'
import { GitError } from '../../errors.ts'
import { SHA1 } from '../../objects/oid.ts'
import type { ReceivedPack, ReceivePackOptions } from '../receive/receive.ts'
import { receivePack } from '../receive/receive.ts'
import type { Selection } from '../select/enumerate.ts'
import { PackOutput, UNFRAMED } from './pack-output.ts'
import { writePack } from './write-pack.ts'

export interface RewriteOptions extends ReceivePackOptions {
  checkpoint: Checkpoint
}

const WINDOW_BYTES = 4 * 1024 * 1024

/**
 * Writes the chosen objects as one pack and takes it in again as if it came from outside, checks and all.
 * @throws GitError as `writePack` and `receivePack`
 */
export async function rewritePack(selection: Selection, options: RewriteOptions): Promise<ReceivedPack> {
  const credit = new Credit(WINDOW_BYTES)
  const queue = new ByteQueue(WINDOW_BYTES, (count) => credit.give(count))
  let isOver = false
  const sink = {
    async write(bytes: Uint8Array) {
      await credit.take(bytes.length)
      if (isOver) throw new GitError('protocol', 'Cannot write pack: the reader is closed')
      queue.push(bytes)
    },
  }
  const rules = { checkpoint: options.checkpoint, ofsDelta: true, mayStandOn: () => false }
  const written = writePack(selection, rules, new PackOutput(sink, UNFRAMED, SHA1.hasher())).then(
    () => queue.end(),
    (error) => queue.fail(error),
  )
  try {
    return await receivePack(queue, options)
  } finally {
    isOver = true
    credit.give(Number.MAX_SAFE_INTEGER)
    await written
  }
}
