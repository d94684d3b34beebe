import type { DeltaWalk } from './delta-walk.ts'

/** Memory that somebody has until others have waited for it a while. */
export interface MemoryTurn {
  /** Whether others should have it now, or nobody waits for what is done with it any more. */
  readonly isOver: boolean
  /** Gives it back; resolves when it is had again. @throws why nobody waits any more */
  pass(): Promise<void>
}

/** That of somebody who shares memory with nobody. */
export const endless: MemoryTurn = { isOver: false, pass: () => Promise.resolve() }

/** The turn that somebody has at the time, who has several one after another. */
export class HeldTurn implements MemoryTurn {
  held: MemoryTurn | undefined
  readonly #signal: AbortSignal | undefined

  /** @param signal aborted when nobody waits any more */
  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return this.#signal?.aborted || (this.held?.isOver ?? false)
  }

  async pass(): Promise<void> {
    this.#signal?.throwIfAborted()
    await this.held?.pass()
  }
}

/** Lets others have the memory of a walk that may take long, which makes its bases again afterwards. Call it every few milliseconds. */
export async function passIfOver(turn: MemoryTurn | undefined, walk: DeltaWalk): Promise<void> {
  if (!turn?.isOver || !walk.canRest) return
  walk.rest()
  await turn.pass()
}
