import { Unprocessable } from '#kernel/errors.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import type { Rendered, RenderJob } from './job.ts'

/** What is kept takes so much memory at most, in characters. */
const MOST = 8 * 1024 * 1024

/**
 * What took too long is not tried again for so long, in milliseconds: each time costs a thread, and on a machine that has too much to do
 * that is what would keep it so.
 */
const REST_MS = 30_000
/** Of so many of those it is known. */
const MOST_REFUSED = 1000

/** A job by the id of what it is about, instead of that itself: some lines of it, or so many characters from its beginning. */
type KnownJob = { blob: string; name: string } & ({ runs: readonly number[] } | { characters: number })

/** What was rendered, to be shown again: the job says all that goes into it, what its reader may be told included. */
export class RenderedBefore {
  readonly #kept = new KeptWork<Rendered>(MOST, sizeOf)
  readonly #refused = new Map<string, { until: number; why: Unprocessable }>()

  /** @throws what `work` does, of which nothing is kept but that it was refused, for a while */
  async answer(job: RenderJob | KnownJob, work: () => Promise<Rendered>): Promise<Rendered> {
    const key = sha256Hex(JSON.stringify(job, (_, value) => (value instanceof Set ? [...value] : value)))
    const refused = this.#refused.get(key)
    if (refused && performance.now() < refused.until) throw refused.why
    try {
      return await this.#kept.answer(key, work)
    } catch (error) {
      if (error instanceof Unprocessable) this.#refuse(key, error)
      throw error
    }
  }

  #refuse(key: string, why: Unprocessable): void {
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear()
    this.#refused.set(key, { until: performance.now() + REST_MS, why })
  }
}

/** What is known of a job takes so much at least. */
const ENTRY = 200

function sizeOf({ html, lines = [] }: Rendered): number {
  return ENTRY + html.length + lines.reduce((sum, line) => sum + line.length, 0)
}
