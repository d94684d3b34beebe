import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import { writeHead, writeLooseRefs, writePackedRefs } from '../refs/write-refs.ts'
import type { OpenRepo } from './open-repos.ts'
import { linesOf, type RefChunk } from './ref-list.ts'

export interface RefFiles {
  /** The text of HEAD. */
  head: string
  /** A file name for what is being written. */
  temporary: string
}

export const refTasks = {
  /** Writes HEAD and all refs as `packed-refs`. */
  async packRefs({ path }: OpenRepo, { head, temporary, chunks }: RefFiles & { chunks: readonly RefChunk[] }): Promise<void> {
    await writePackedRefs(path, temporary, packedTexts(chunks))
    writeHead(path, temporary, head)
  },

  /** Writes HEAD and a few refs. @returns false when it takes `packRefs` */
  async writeRefs({ path }: OpenRepo, { head, temporary, refs }: RefFiles & { refs: { name: string; oid: Oid }[] }): Promise<boolean> {
    if (!writeLooseRefs(path, temporary, refs)) return false
    writeHead(path, temporary, head)
    return true
  },
}

async function* packedTexts(chunks: readonly RefChunk[]): AsyncGenerator<string> {
  for (const chunk of chunks) {
    yield linesOf(chunk)
      .map(([oid, name, peeled]) => `${oid} ${name}\n${peeled === undefined ? '' : `^${peeled}\n`}`)
      .join('')
    if (isDue()) await breathe()
  }
}
