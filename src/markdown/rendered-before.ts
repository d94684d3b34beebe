import { sha256Hex } from '#kernel/ids.ts'
import type { CodeJob, Rendered, RenderJob } from './job.ts'

/** What is kept takes so much memory at most, in characters. */
const MOST = 8 * 1024 * 1024

/**
 * What was rendered, to be shown again: the job says all that goes into it, what its reader may be told included. Who asks for what is
 * being rendered waits for that. The one asked for longest ago goes first.
 */
export class RenderedBefore {
  readonly #done = new Map<string, Rendered>()
  readonly #coming = new Map<string, Promise<Rendered>>()
  #size = 0

  /** @throws what `work` does, of which nothing is kept */
  answer(job: RenderJob | CodeJob, work: () => Promise<Rendered>): Promise<Rendered> {
    const key = sha256Hex(JSON.stringify(job, (_, value) => (value instanceof Set ? [...value] : value)))
    const known = this.#done.get(key)
    if (known === undefined) return this.#coming.get(key) ?? this.#begin(key, work)
    this.#done.delete(key)
    this.#done.set(key, known)
    return Promise.resolve(known)
  }

  #begin(key: string, work: () => Promise<Rendered>): Promise<Rendered> {
    const coming = work().finally(() => this.#coming.delete(key))
    this.#coming.set(key, coming)
    return coming.then((rendered) => {
      this.#keep(key, rendered)
      return rendered
    })
  }

  #keep(key: string, rendered: Rendered): void {
    this.#done.set(key, rendered)
    this.#size += sizeOf(rendered)
    for (const [oldest, one] of this.#done) {
      if (this.#size <= MOST) break
      this.#done.delete(oldest)
      this.#size -= sizeOf(one)
    }
  }
}

function sizeOf({ html, lines = [] }: Rendered): number {
  return html.length + lines.reduce((sum, line) => sum + line.length, 0)
}
