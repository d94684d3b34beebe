import type { GitErrorKind } from '../../errors.ts'
import { GitError } from '../../errors.ts'
import type { ObjectType, Oid } from '../../objects/oid.ts'

/** An error about the whole pack, as the pusher reads it. */
export function refusal(kind: GitErrorKind, reason: string, cause?: unknown): GitError {
  return new GitError(kind, `Cannot accept pack: ${reason}`, { cause })
}

/** `error` told as the reason why the pack is refused; `where` names the entry or object it is about. Other errors pass as they are. */
export function refusedFor(error: unknown, where?: string): unknown {
  if (!(error instanceof GitError) || error.message.startsWith('Cannot accept pack: ')) return error
  const reason = error.message.replace(/^Cannot [^:]*: /, '')
  return refusal(error.kind, where === undefined ? reason : `${where}: ${reason}`, error)
}

export function nameEntry(entry: number, offset: number): string {
  return `entry ${entry + 1} at byte ${offset}`
}

export function nameObject(type: ObjectType, oid: Oid): string {
  return `${type} ${oid}`
}
