import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { discard, quarantineName } from '#repositories/refs/index.ts'

/** Larger ones are streamed. */
export const MAX_WHOLE_BYTES = 1024 * 1024
const PIECE_BYTES = 128 * 1024

/**
 * A blob's content as it comes, from a passing file beside the repository's objects, which is whole when this resolves: what a slow reader holds is
 * disk, no worker and little memory. Read it to the end or cancel it.
 * @throws GitError `missing`, `corrupt`
 */
export async function streamBlob(context: Pick<Context, 'git' | 'log' | 'services'>, repoId: number, oid: Oid): Promise<ReadableStream<Uint8Array>> {
  const spooled = await spool(context, repoId, oid)
  let isOver = false
  const close = (): void => {
    if (isOver) return
    isOver = true
    void spooled.close().catch(() => {})
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { buffer, bytesRead } = await spooled.file.read(Buffer.allocUnsafeSlow(PIECE_BYTES), 0, PIECE_BYTES)
          if (isOver) return
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
          close()
          controller.close()
        } catch (error) {
          if (!isOver) controller.error(error)
          close()
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

/** The content in a file that has no name any more where that can be, so that a crash leaves nothing. */
async function spool(context: Pick<Context, 'git' | 'log' | 'services'>, repoId: number, oid: Oid): Promise<Spool> {
  const path = join(context.git.pathOf(repoId), 'objects', quarantineName('blob'))
  const removesOpen = process.platform !== 'win32'
  let file: FileHandle | undefined
  try {
    await context.git.run('spoolBlob', repoId, { oid, path })
    const opened = await open(path, 'r')
    file = opened
    return {
      file,
      async close() {
        await opened.close()
        if (!removesOpen) await discard(context, path)
      },
    }
  } finally {
    if (removesOpen || !file) await discard(context, path)
  }
}

interface Spool {
  file: FileHandle
  close(): Promise<void>
}
