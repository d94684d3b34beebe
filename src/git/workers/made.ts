import type { Oid } from '../objects/oid.ts'

/** What a maker has made. */
export interface Made<Result> {
  /** What refs are to point to: these and what they lead to are kept, whatever else was written is not. */
  tips: Oid[]
  result: Result
}
