import type { Clock } from './clock.ts'
import type { Database, Tx } from './db.ts'
import type { Tasks } from './tasks.ts'

/** What every event has; slices declare their own in `events.ts`, the union of them all is `src/events.ts`. */
export interface EventBase {
  type: string
  /** Who did it. */
  actorId: number
  repoId?: number
}

export interface StoredEvent<E extends EventBase> {
  id: number
  at: number
  event: E
}

/**
 * For each kind of event, whether a reader has to do with it. A new kind is a type error in every reader until that has decided.
 */
export type Concerns<E extends EventBase> = { readonly [K in E['type']]: boolean | ((event: Extract<E, { type: K }>) => boolean) }

export function isConcerned<E extends EventBase>(concerns: Concerns<E>, event: E): boolean {
  const answer = (concerns as Record<string, boolean | ((event: E) => boolean)>)[event.type]
  return typeof answer === 'function' ? answer(event) : answer === true
}

/** Somebody who reads events in the background, from the place reached so far. Whoever answers from what it makes of them has it read first. */
export interface EventFollower<E extends EventBase> {
  /** Of its task, as administrators see it. */
  name: string
  /** The id of the last event that it has no more need of. */
  placeOf: () => number
  /** What something may come of: other events are passed over with the next one, or after a while, and wake nobody. */
  concerns: Concerns<E>
  /** Reads all there is. */
  read: () => Promise<void>
}

const FORGET_AT_ONCE = 1000
/** Followers wait until nothing has been recorded for so long, so that a burst of pushes is read at once… */
const QUIET_MS = 500
/** …but no longer than this. */
const LONGEST_WAIT_MS = 5000
/** How often what could not be read is tried again. */
const RETRY_SECONDS = 60

/**
 * Events are rows, written in the transaction of the change they tell of; commit only wakes the readers,
 * so a crash loses none. Each reader keeps its own place by name.
 */
export class EventLog<E extends EventBase> {
  readonly #db: Database
  readonly #clock: Clock
  readonly #wakers = new Set<(event: E) => void>()
  readonly #readers: (() => number)[] = []

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  record(tx: Tx, event: E): void {
    tx.insert('event', {
      type: event.type,
      actor_id: event.actorId,
      repo_id: event.repoId ?? null,
      payload: JSON.stringify(event),
      created_at: this.#clock.seconds(),
    })
    tx.onCommit(() => {
      for (const wake of this.#wakers) wake(event)
    })
  }

  /** Calls `wake` with each event of concern once it is committed; returns how to stop. */
  onRecord(concerns: Concerns<E>, wake: (event: E) => void): () => void {
    const waker = (event: E) => {
      if (isConcerned(concerns, event)) wake(event)
    }
    this.#wakers.add(waker)
    return () => this.#wakers.delete(waker)
  }

  /** Says how far a reader has come, by the id of the last event it has no more need of: what it has not read is kept. */
  addReader(placeOf: () => number): void {
    this.#readers.push(placeOf)
  }

  /** Has a follower read what is recorded, a little later and again and again; what an earlier run left unread first. */
  follow(tasks: Tasks, { name, placeOf, concerns, read }: EventFollower<E>): void {
    this.addReader(placeOf)
    tasks.every(RETRY_SECONDS, name, read)
    const wake = tasks.afterQuiet(QUIET_MS, LONGEST_WAIT_MS, name)
    this.onRecord(concerns, wake)
    wake()
  }

  /** Forgets events from before `time` (Unix seconds) that every reader has read; in pieces, so that others come in between. @returns whether there are more */
  forgetBefore(time: number): boolean {
    const read = Math.min(Number.MAX_SAFE_INTEGER, ...this.#readers.map((placeOf) => placeOf()))
    const sql = 'DELETE FROM event WHERE id IN (SELECT id FROM event WHERE created_at < ? AND id <= ? ORDER BY created_at LIMIT ?)'
    return this.#db.provisional((tx) => tx.run(sql, time, read, FORGET_AT_ONCE)) === FORGET_AT_ONCE
  }

  after(id: number, limit: number): StoredEvent<E>[] {
    return this.#db
      .all<{ id: number; payload: string; created_at: number }>('SELECT id, payload, created_at FROM event WHERE id > ? ORDER BY id LIMIT ?', id, limit)
      .map((row) => ({ id: row.id, at: row.created_at, event: JSON.parse(row.payload) as E }))
  }
}
