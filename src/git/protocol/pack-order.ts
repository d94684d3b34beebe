import type { Oid } from '../objects/oid.ts'
import type { FetchRequest } from './fetch-request.ts'

/** What a pack is to hold, once negotiation is over. */
export interface PackOrder {
  wants: ReadonlySet<Oid>
  /** Had by both sides. */
  haves: readonly Oid[]
  /** Commits whose parents the client does not get. */
  cuts: ReadonlySet<Oid>
  request: FetchRequest
}
