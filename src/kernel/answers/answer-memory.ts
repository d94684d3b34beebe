import { Problem } from '../errors.ts'
import { type Pace, Progress, type Reader, TooSlow } from '../pace.ts'

/** What a streamed answer holds for its reader: pieces on their way between threads, the one that the connection has and the next. */
const STREAM_BYTES = 512 * 1024
/** Who has taken nothing for this share of the time that a client may take is cut off when others wait for the memory. */
const PATIENCE = 1 / 6
/** The more wait the less patience there is, but for this share of it. */
const LEAST_PATIENCE = 1 / 5

/**
 * What share of the memory each kind of answer has for itself, so that none waits for another kind: streams; what is there as a whole; large
 * files, each of which takes room on disk while it is read; diffs, each of which has a task wait in a worker; and, beside all of them, large
 * requests that are kept until they are answered.
 */
const SHARES = { stream: 8 / 16, whole: 5 / 16, file: 2 / 16, diff: 1 / 16, request: 2 / 16 }
/** What share of theirs one large request can take: how long one is shows only at its end. */
const REQUEST_SHARE = 1 / 4
export type AnswerKind = keyof typeof SHARES

/** Settings that it goes by; see the README. */
export interface Bounds {
  config: { server: { ANSWER_MEMORY: number; PROGRESS_SECONDS: number; PROGRESS_BYTES: number } }
}

/**
 * The memory of all answers that go on while they are read, together. An answer enters before it is begun, and waits there while others hold
 * all of it; those among them whose readers take nothing are cut off for it.
 */
export class AnswerMemory {
  readonly #lanes: Record<AnswerKind, Lane>

  constructor({ config: { server } }: Bounds) {
    const pace = { seconds: server.PROGRESS_SECONDS, bytes: server.PROGRESS_BYTES }
    const lane = (kind: AnswerKind) => new Lane(server.ANSWER_MEMORY * SHARES[kind], pace)
    this.#lanes = { stream: lane('stream'), whole: lane('whole'), file: lane('file'), diff: lane('diff'), request: lane('request') }
  }

  /**
   * Room for an answer, which has to leave it however it ends.
   * @param bytes what it holds; one that holds more than there is gets all of it
   * @throws Problem 503 when there has been none for `server.PROGRESS_SECONDS`
   */
  enter(kind: AnswerKind, bytes = STREAM_BYTES): Promise<Room> {
    return this.#lanes[kind].enter(bytes, false)
  }

  /** Room for as much of a large request as one can take; see `Room.shrink`. @throws Problem as `enter` does */
  enterRequest(): Promise<Room> {
    const { request } = this.#lanes
    return request.enter(request.total * REQUEST_SHARE, false)
  }

  /**
   * The same for an answer that is made already, and holds its memory while it waits. Those that wait hold no more together than those that are
   * read: the longest waiting are refused for others.
   * @throws Problem 503
   */
  enterMade(bytes: number): Promise<Room> {
    return this.#lanes.whole.enter(bytes, true)
  }
}

/** An answer that wants to enter. */
interface Waiting {
  bytes: number
  isMade: boolean
  enter(): void
  refuse(): void
}

/** Answers that take their turns. */
class Lane {
  /** In bytes. */
  readonly total: number
  readonly #pace: Pace
  #free: number
  /** Those that want to enter, in the order of asking. */
  readonly #queue: Waiting[] = []
  /** What they want together, in bytes. */
  #wanted = 0
  #isNewestsTurn = true
  /** Those that wait for their readers, the longest first. */
  readonly #stalled = new Set<Room>()
  #timer: Timer | undefined
  /** When that fires. */
  #due = 0

  constructor(total: number, pace: Pace) {
    this.total = this.#free = total
    this.#pace = pace
  }

  /** See `AnswerMemory`. */
  async enter(bytes: number, isMade: boolean): Promise<Room> {
    const room = new Room(Math.min(bytes, this.total), this.#pace, this)
    if (this.#queue.length === 0 && this.#free >= room.bytes) this.#free -= room.bytes
    else await this.#turn(room.bytes, isMade)
    return room
  }

  /** Gives back what a room held. */
  release(bytes: number): void {
    this.#free += bytes
    for (let next = this.#next(); next && next.bytes <= this.#free; next = this.#next()) {
      this.#drop(next)
      this.#isNewestsTurn = !this.#isNewestsTurn
      this.#free -= next.bytes
      next.enter()
    }
  }

  /**
   * The longest waiting; where more wait than there is room for, the newest in turn with them: who has come last need not wait for a crowd whose
   * readers take nothing.
   */
  #next(): Waiting | undefined {
    return this.#isNewestsTurn && this.#wanted > this.total ? this.#queue.at(-1) : this.#queue[0]
  }

  #drop(waiting: Waiting): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1)
    this.#wanted -= waiting.bytes
  }

  /** How long a reader may take nothing while others wait. */
  get #patience(): Pace {
    const share = Math.min(1, Math.max(LEAST_PATIENCE, this.total / this.#wanted))
    return { seconds: this.#pace.seconds * PATIENCE * share, bytes: 1 }
  }

  /** A room begins, or ends, to wait for its reader. */
  note(room: Room, isStalled: boolean): void {
    this.#stalled.delete(room)
    if (isStalled) this.#stalled.add(room)
    if (isStalled) this.#watch()
  }

  async #turn(bytes: number, isMade: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () => {
      this.#drop(waiting)
      reject(new Problem(503, 'The server is sending too many responses at the moment. Try again later.', { headers: { 'Retry-After': '5' } }))
    }
    const waiting = { bytes, isMade, enter: resolve, refuse }
    this.#queue.push(waiting)
    this.#wanted += bytes
    if (isMade) this.#refuseMade()
    this.#watch()
    const late = setTimeout(refuse, this.#pace.seconds * 1000)
    try {
      await promise
    } finally {
      clearTimeout(late)
    }
  }

  /** Of those that wait and are made, the longest waiting go when together they hold more than there is for all that are read. */
  #refuseMade(): void {
    const made = this.#queue.filter(({ isMade }) => isMade)
    let over = made.reduce((sum, { bytes }) => sum + bytes, -this.total)
    for (const waiting of made) {
      if (over <= 0) return
      over -= waiting.bytes
      waiting.refuse()
    }
  }

  /** Looks after those that wait for their readers when somebody wants to enter. */
  #watch(): void {
    if (this.#queue.length === 0) return
    const [longest] = this.#stalled
    if (!longest) return
    const due = longest.since + this.#patience.seconds * 1000
    if (this.#timer !== undefined && this.#due <= due) return
    clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#makeRoom()
        this.#watch()
      },
      Math.max(0, due - performance.now()),
    )
    this.#timer.unref()
  }

  #makeRoom(): void {
    const patience = this.#patience
    const before = performance.now() - patience.seconds * 1000
    let wanted = this.#wanted - this.#free
    for (const room of this.#stalled) {
      if (wanted <= 0 || room.since > before) return
      wanted -= room.bytes
      room.cutOff(patience)
    }
  }
}

/** What one answer, or a request, holds. */
export class Room implements Reader {
  bytes: number
  /** When it began to wait for its reader. */
  since = 0
  readonly #progress: Progress
  readonly #lane: Lane
  #hasLeft = false
  #waits = 0
  #cut: (error: TooSlow) => void = () => {}

  constructor(bytes: number, pace: Pace, lane: Lane) {
    this.bytes = bytes
    this.#progress = new Progress(pace)
    this.#lane = lane
  }

  async waitFor(step: Promise<void>, bytes: number): Promise<void> {
    const { promise: cut, reject } = Promise.withResolvers<never>()
    const wait = ++this.#waits
    this.#cut = reject
    this.since = performance.now()
    this.#lane.note(this, true)
    try {
      await this.#progress.waitFor(Promise.race([step, cut]), bytes)
    } finally {
      // What is at hand is given at once when the last piece is taken: the next wait has begun then.
      if (wait === this.#waits) this.#lane.note(this, false)
    }
  }

  /** Ends the wait for the reader. */
  cutOff(patience: Pace): void {
    this.#lane.note(this, false)
    this.#cut(new TooSlow(patience))
  }

  /** Gives back what is not needed of it. */
  shrink(bytes: number): void {
    const surplus = this.bytes - bytes
    this.bytes = bytes
    this.#lane.release(surplus)
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#lane.note(this, false)
    this.#lane.release(this.bytes)
  }
}
