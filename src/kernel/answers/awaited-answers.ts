import type { Connections } from './paced-stream.ts'

/** Seconds without a byte after which a connection is closed. */
export const IDLE_SECONDS = 30

/**
 * Keeps connections open whose answers are still being made: that nothing moves on them is not their peers' doing. How long the work may take is
 * for what does it to say.
 */
export class AwaitedAnswers {
  readonly #server: NonNullable<Connections>
  readonly #idleSeconds: number
  readonly #requests = new Set<Request>()
  #timer: Timer | undefined

  constructor(server: NonNullable<Connections>, idleSeconds = IDLE_SECONDS) {
    this.#server = server
    this.#idleSeconds = idleSeconds
  }

  add(request: Request, answer: Promise<unknown>): void {
    this.#requests.add(request)
    this.#timer ??= setInterval(() => this.#look(), (this.#idleSeconds * 1000) / 3).unref()
    const done = () => this.#requests.delete(request)
    answer.then(done, done)
  }

  #look(): void {
    for (const request of this.#requests) if (!ownDeadlines.has(request)) this.#server.timeout(request, this.#idleSeconds)
    if (this.#requests.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const ownDeadlines = new WeakSet<Request>()

/** Has a request's handler alone say how long its connection may be silent. */
export function keepOwnDeadline(request: Request): void {
  ownDeadlines.add(request)
}
