import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import type { CommitSource } from './commit-source.ts'
import { listCommits } from './walk.ts'

/** A ref, and where a push moved it. */
export interface PushedRef {
  name: string
  /** Undefined for one that is new: it brings what no other ref has. */
  before: Oid | undefined
  after: Oid
  /** All that it has is new, whatever other refs have. */
  bringsAll?: boolean
}

/** What is read of a push. */
export interface PushedRange {
  pushed: readonly PushedRef[]
  /** Refs as they are now, the pushed ones among them: a line each, of object id, space and name. */
  others: string
  /** Commits listed of each ref. */
  limit: number
}

export interface PushedMessage {
  oid: Oid
  message: string
}

interface Tip {
  name: string
  oid: Oid
}

/** What stands in the lines of `PushedRange.others`. */
export function parseTips(lines: string): Tip[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ oid: line.slice(0, line.indexOf(' ')) as Oid, name: line.slice(line.indexOf(' ') + 1) }))
}

/** The newest commits that a push brought to one of its refs. @throws GitError `missing` when they are no longer there */
export function* pushedCommits(source: CommitSource, ref: PushedRef, { others, limit }: { others: readonly Tip[]; limit: number }): Steps<Oid[]> {
  const exclude = ref.before !== undefined ? [ref.before] : ref.bringsAll ? [] : otherTips(ref.name, others)
  // Where another ref points to the same, there is nothing to walk.
  if (exclude.includes(ref.after)) return []
  return (yield* listCommits(source, { include: [ref.after], exclude, limit })).map((id) => source.oid(id))
}

function otherTips(name: string, others: readonly Tip[]): Oid[] {
  return [...new Set(others.filter((other) => other.name !== name).map(({ oid }) => oid))]
}
