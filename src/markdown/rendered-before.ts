import { sha256Hex } from '#kernel/ids.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import type { CodeJob, Rendered, RenderJob } from './job.ts'

/** What is kept takes so much memory at most, in characters. */
const MOST = 8 * 1024 * 1024

/** What was rendered, to be shown again: the job says all that goes into it, what its reader may be told included. */
export class RenderedBefore {
  readonly #kept = new KeptWork<Rendered>(MOST, sizeOf)

  /** @throws what `work` does, of which nothing is kept */
  answer(job: RenderJob | CodeJob, work: () => Promise<Rendered>): Promise<Rendered> {
    return this.#kept.answer(sha256Hex(JSON.stringify(job, (_, value) => (value instanceof Set ? [...value] : value))), work)
  }
}

function sizeOf({ html, lines = [] }: Rendered): number {
  return html.length + lines.reduce((sum, line) => sum + line.length, 0)
}
