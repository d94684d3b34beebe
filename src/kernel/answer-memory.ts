import { Problem } from './errors.ts'
import { type Pace, Progress, type Reader, TooSlow } from './pace.ts'

/** What a streamed answer holds for its reader: pieces on their way between threads, the one that the connection has and the next. */
const STREAM_BYTES = 512 * 1024
/** Who has taken nothing for this share of the time that a client may take is cut off when others wait for the memory. */
const PATIENCE = 1 / 6

/** Settings that it goes by; see the README. */
export interface Bounds {
  config: { server: { ANSWER_MEMORY: number; PROGRESS_SECONDS: number; PROGRESS_BYTES: number } }
}

/**
 * The memory of all answers that go on while they are read, together. An answer enters before it is begun, and waits there while others hold
 * all of it; those among them whose readers take nothing are cut off for it.
 */
export class AnswerMemory {
  readonly #streams: Lane
  readonly #large: Lane

  constructor({ config: { server } }: Bounds) {
    const pace = { seconds: server.PROGRESS_SECONDS, bytes: server.PROGRESS_BYTES }
    this.#streams = new Lane(server.ANSWER_MEMORY / 2, pace)
    this.#large = new Lane(server.ANSWER_MEMORY / 2, pace)
  }

  /**
   * Room for an answer, which has to leave it however it ends. Those that hold more than a stream does have half of the memory for themselves:
   * a stream does not wait for them.
   * @param bytes what it holds; one that holds more than there is gets all of it
   * @throws Problem 503 when there has been none for `server.PROGRESS_SECONDS`
   */
  enter(bytes = STREAM_BYTES): Promise<Room> {
    return (bytes > STREAM_BYTES ? this.#large : this.#streams).enter(bytes)
  }
}

/** Answers that take their turns. */
class Lane {
  readonly #pace: Pace
  readonly #patience: Pace
  readonly #total: number
  #free: number
  /** Those that want to enter, in the order of asking. */
  readonly #queue: { bytes: number; enter: () => void }[] = []
  /** Those that wait for their readers, the longest first. */
  readonly #stalled = new Set<Room>()
  #timer: Timer | undefined

  constructor(total: number, pace: Pace) {
    this.#total = this.#free = total
    this.#pace = pace
    this.#patience = { seconds: pace.seconds * PATIENCE, bytes: 1 }
  }

  /** See `AnswerMemory`. */
  async enter(bytes: number): Promise<Room> {
    const room = new Room(Math.min(bytes, this.#total), this.#pace, this)
    if (this.#queue.length === 0 && this.#free >= room.bytes) this.#free -= room.bytes
    else await this.#turn(room.bytes)
    return room
  }

  /** Gives back what a room held. */
  release(bytes: number): void {
    this.#free += bytes
    for (let next = this.#queue[0]; next && next.bytes <= this.#free; next = this.#queue[0]) {
      this.#queue.shift()
      this.#free -= next.bytes
      next.enter()
    }
  }

  /** A room begins, or ends, to wait for its reader. */
  note(room: Room, isStalled: boolean): void {
    if (isStalled) this.#stalled.add(room)
    else this.#stalled.delete(room)
    if (isStalled) this.#watch()
  }

  async #turn(bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { bytes, enter: resolve }
    this.#queue.push(waiting)
    this.#watch()
    const late = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1)
      reject(new Problem(503, 'Too many answers are being read at the moment; try again later.', { headers: { 'Retry-After': '5' } }))
    }, this.#pace.seconds * 1000)
    try {
      await promise
    } finally {
      clearTimeout(late)
    }
  }

  /** Looks after those that wait for their readers when somebody wants to enter. */
  #watch(): void {
    if (this.#queue.length === 0 || this.#timer !== undefined) return
    const [longest] = this.#stalled
    if (!longest) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#makeRoom()
        this.#watch()
      },
      Math.max(0, longest.since + this.#patience.seconds * 1000 - performance.now()),
    )
    this.#timer.unref()
  }

  #makeRoom(): void {
    const before = performance.now() - this.#patience.seconds * 1000
    let wanted = this.#queue.reduce((sum, { bytes }) => sum + bytes, -this.#free)
    for (const room of this.#stalled) {
      if (wanted <= 0 || room.since > before) return
      wanted -= room.bytes
      room.cutOff(this.#patience)
    }
  }
}

/** What one answer holds. */
export class Room implements Reader {
  readonly bytes: number
  /** When it began to wait for its reader. */
  since = 0
  readonly #progress: Progress
  readonly #lane: Lane
  #hasLeft = false
  #cut: (error: TooSlow) => void = () => {}

  constructor(bytes: number, pace: Pace, lane: Lane) {
    this.bytes = bytes
    this.#progress = new Progress(pace)
    this.#lane = lane
  }

  async waitFor(step: Promise<void>, bytes: number): Promise<void> {
    const { promise: cut, reject } = Promise.withResolvers<never>()
    this.#cut = reject
    this.since = performance.now()
    this.#lane.note(this, true)
    try {
      await this.#progress.waitFor(Promise.race([step, cut]), bytes)
    } finally {
      this.#lane.note(this, false)
    }
  }

  /** Ends the wait for the reader. */
  cutOff(patience: Pace): void {
    this.#lane.note(this, false)
    this.#cut(new TooSlow(patience))
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#lane.note(this, false)
    this.#lane.release(this.bytes)
  }
}
