import { Marks } from '../history/marks.ts'
import type { Oid } from '../objects/oid.ts'
import type { FetchSession } from './session.ts'

/** The client has it. */
const THEIRS = 1
/** Seen to descend from what the client has. */
const CONNECTED = 2
/** Everything below was looked at, and nothing of the client's was there. */
const DEAD = 4

/**
 * Finds out what client and server have in common.
 * Source: `Documentation/gitprotocol-pack.txt`, "Packfile Negotiation".
 */
export class Negotiation {
  /** What both sides have, in the order the client named it. */
  readonly common: Oid[] = []
  readonly #session: FetchSession
  readonly #wants: Iterable<Oid>
  readonly #known = new Set<Oid>()
  readonly #haves: number[] = []
  #wantIds: number[] | undefined
  #oldest = Infinity
  /** The last answer of `canStop`, as long as no have was added. */
  #stop: boolean | undefined

  constructor(session: FetchSession, wants: Iterable<Oid>) {
    this.#session = session
    this.#wants = wants
  }

  /** Notes a have of the client's; answers whether we have it too. */
  add(oid: Oid): boolean {
    if (this.#known.has(oid)) return true
    if (this.#session.space.findOid(oid) < 0) return false
    this.#known.add(oid)
    this.common.push(oid)
    const id = this.#session.commitId(oid)
    if (id !== undefined) {
      this.#haves.push(id)
      this.#oldest = Math.min(this.#oldest, this.#session.source.date(id))
    }
    this.#stop = undefined
    return true
  }

  /** Whether every wanted commit descends from something the client has, so that more haves would hardly make the pack smaller. */
  async canStop(): Promise<boolean> {
    if (this.common.length === 0) return false
    this.#stop ??= await this.#allConnected()
    return this.#stop
  }

  async #allConnected(): Promise<boolean> {
    this.#wantIds ??= await this.#session.commitIds(this.#wants)
    const marks = new Marks(this.#session.source.size)
    await this.#session.each(this.#haves, (id) => {
      marks.add(id, THEIRS)
      for (const parent of this.#session.source.parents(id)) marks.add(parent, THEIRS)
    })
    for (const id of this.#wantIds) if (!(await this.#isConnected(id, marks))) return false
    return true
  }

  /** Goes down from `want`, one path at a time, until it meets what the client has. */
  async #isConnected(want: number, marks: Marks): Promise<boolean> {
    const path = [want]
    for (let id = path.at(-1); id !== undefined; id = path.at(-1)) {
      if (marks.of(id) & (THEIRS | CONNECTED)) {
        for (const step of path) marks.add(step, CONNECTED)
        return true
      }
      const next = this.#nextBelow(id, marks)
      if (next === undefined) {
        marks.add(id, DEAD)
        path.pop()
      } else {
        path.push(next)
      }
      const wait = this.#session.checkpoint()
      if (wait) await wait
    }
    return false
  }

  /** A parent below which something of the client's may still be. Commits older than all the client named cannot descend from them. */
  #nextBelow(id: number, marks: Marks): number | undefined {
    const { source } = this.#session
    if (source.date(id) < this.#oldest) return undefined
    return source.parents(id).find((parent) => !marks.has(parent, DEAD))
  }
}
