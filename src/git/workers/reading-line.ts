import { FairLine } from '#kernel/fair-line.ts'
import type { MemoryTurns } from './memory-turns.ts'

/** A task that reserves memory. */
export interface MemoryHolder {
  /** Called when the memory is reserved. */
  onGranted?: (() => void) | undefined
}

/** The sender name under which all reading tasks together take turns with each pusher. */
const READERS = 'readers'

/**
 * Where tasks that only read wait for memory. One of them at a time asks `MemoryTurns`, so that pushes take turns with readers however many
 * readers there are. Among readers, those of each sender come in turn.
 */
export class ReadingLine {
  readonly #memory: MemoryTurns<MemoryHolder>
  readonly #line = new FairLine<Reader>()
  #first: Reader | undefined

  constructor(memory: MemoryTurns<MemoryHolder>) {
    this.#memory = memory
  }

  /** Asks for memory on behalf of `from` (see `FairLine`). `MemoryTurns.release` gives it back. */
  enter(holder: MemoryHolder, bytes: number, from: readonly string[]): Reader {
    const reader = new Reader(holder, bytes)
    holder.onGranted = () => {
      reader.grant()
      this.#leaveFirst(reader)
    }
    this.#line.push(reader, from)
    this.#next()
    return reader
  }

  /** Call when a reader no longer needs the memory, or has stopped waiting. */
  leave(reader: Reader): void {
    reader.isGone = true
    if (reader.isGranted || this.#first === reader) this.#memory.release(reader.holder)
    this.#leaveFirst(reader)
  }

  #leaveFirst(reader: Reader): void {
    if (this.#first !== reader) return
    this.#first = undefined
    this.#next()
  }

  #next(): void {
    while (this.#first === undefined && this.#line.length > 0) {
      const reader = this.#line.shift()
      if (!reader || reader.isGone) continue
      this.#first = reader
      this.#memory.acquire(reader.holder, reader.bytes, READERS)
    }
  }
}

/** A reading task that waits for memory or has it. */
export class Reader {
  readonly holder: MemoryHolder
  readonly bytes: number
  isGone = false
  isGranted = false
  readonly #granted = Promise.withResolvers<void>()

  constructor(holder: MemoryHolder, bytes: number) {
    this.holder = holder
    this.bytes = bytes
  }

  get granted(): Promise<void> {
    return this.#granted.promise
  }

  grant(): void {
    this.isGranted = true
    this.#granted.resolve()
  }
}
