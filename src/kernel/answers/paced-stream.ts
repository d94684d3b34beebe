import { breathe, isDue } from '../breathe.ts'
import { TooSlow } from '../pace.ts'
import { type AnswerKind, AnswerMemory, type Bounds, type Room } from './answer-memory.ts'

/**
 * What of its server a handler uses; absent in tests that have none. Deadlines count from the last byte that moved; 0 is none.
 */
export type Connections = { timeout(request: Request, seconds: number): void } | null

/**
 * Ends the connection of a peer that does not take its answer: failing the answer's stream alone leaves what Bun has buffered
 * where it is for as long as the peer likes.
 */
export function cutOff(server: Connections | undefined, request: Request): void {
  server?.timeout(request, 1)
}

/** A request, and the server that it came to. */
export interface Peer {
  request: Request
  server: Connections | undefined
}

/** Requests that are answered by a stream that goes on when the answer has begun. */
const streamed = new WeakSet<Request>()

/** Whether the request is being answered for as long as its answer's body is read. */
export function isStreamed(request: Request): boolean {
  return streamed.has(request)
}

/** What of the server's context a stream goes by. */
export interface StreamContext {
  config: Bounds['config'] & { git: { REQUEST_SECONDS: number } }
  services: { get<Service>(kind: new (context: Bounds) => Service): Service }
  /** Hears why an answer broke off whose beginning was sent already, where that was not its reader's doing. */
  answerBroke(error: unknown, request: Request): void
}

/**
 * The same stream for a peer that has to take it at the pace, and wholly within `git.REQUEST_SECONDS`; else it is cut off, and the source
 * cancelled. Nothing is read of the source before there is memory for it.
 * @param source or what opens it then
 * @throws Problem 503 as `AnswerMemory` does, the source is cancelled; and what `source` does
 */
export async function pacedStream(
  context: StreamContext,
  source: ReadableStream<Uint8Array> | (() => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>),
  peer: Peer,
  kind: AnswerKind = 'stream',
): Promise<ReadableStream<Uint8Array>> {
  let room: Room | undefined
  try {
    room = await context.services.get(AnswerMemory).enter(kind)
    const opened = typeof source === 'function' ? await source() : source
    return streamIn(context, room, opened, peer)
  } catch (error) {
    room?.leave()
    if (typeof source !== 'function') await source.cancel().catch(() => {})
    throw error
  }
}

/** The same for what holds its memory already, which it leaves at its end. */
export function streamIn(context: StreamContext, room: Room, source: ReadableStream<Uint8Array>, peer: Peer): ReadableStream<Uint8Array> {
  streamed.add(peer.request)
  return new PacedStream(context, room, source, peer).body
}

/** The connection gets no more at once: who takes a large piece slowly takes something all the same. */
const PIECE_BYTES = 256 * 1024

interface SourceReader {
  read(): Promise<{ value?: Uint8Array }>
  cancel(reason?: unknown): Promise<void>
}

class PacedStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #context: StreamContext
  readonly #reader: SourceReader
  readonly #room: Room
  readonly #peer: Peer
  readonly #deadline: Timer
  #isOver = false
  /** Of a large piece of the source. */
  #rest: Uint8Array | undefined
  #pulled = Promise.withResolvers<void>()
  #fail: () => void = () => {}

  constructor(context: StreamContext, room: Room, source: ReadableStream<Uint8Array>, peer: Peer) {
    this.#context = context
    this.#reader = source.getReader()
    this.#room = room
    this.#peer = peer
    this.#deadline = setTimeout(() => this.#stop(), context.config.git.REQUEST_SECONDS * 1000)
    this.#deadline.unref()
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#fail = () => controller.error()
          this.#expectPull(0)
        },
        pull: (controller) => this.#pull(controller),
        cancel: async (reason) => {
          this.#end()
          await this.#reader.cancel(reason)
        },
      },
      { highWaterMark: 0 },
    )
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#pulled.resolve()
    try {
      if (isDue()) await breathe()
      const value = this.#rest ?? (await this.#reader.read()).value
      if (this.#isOver) return
      if (value) {
        const piece = value.subarray(0, PIECE_BYTES)
        this.#rest = piece.length < value.length ? value.subarray(piece.length) : undefined
        this.#expectPull(piece.length)
        return controller.enqueue(piece)
      }
      this.#end()
      controller.close()
    } catch (error) {
      if (this.#isOver) return
      this.#end()
      this.#context.answerBroke(error, this.#peer.request)
      // Cuts the answer off. A reason Bun would print, beside the log.
      controller.error()
    }
  }

  /** The peer takes what it was given, of so many bytes, when it asks for more. */
  #expectPull(bytes: number): void {
    this.#pulled = Promise.withResolvers()
    this.#room.waitFor(this.#pulled.promise, bytes).catch((error) => {
      if (error instanceof TooSlow) this.#stop()
    })
  }

  #stop(): void {
    if (this.#isOver) return
    this.#end()
    void this.#reader.cancel().catch(() => {})
    this.#fail()
    cutOff(this.#peer.server, this.#peer.request)
  }

  #end(): void {
    this.#isOver = true
    this.#rest = undefined
    clearTimeout(this.#deadline)
    this.#pulled.resolve()
    this.#room.leave()
  }
}
