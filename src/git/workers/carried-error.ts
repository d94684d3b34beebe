import { GitError, type GitErrorKind } from '../errors.ts'

/** An error that survives the way between threads. */
export interface CarriedError {
  gitKind: GitErrorKind | undefined
  message: string
  stack: string | undefined
  /** Of the file system's: `ENOSPC`, and what was called. */
  code: string | undefined
  syscall: string | undefined
}

export function carry(error: unknown): CarriedError {
  const known: Error & { code?: string; syscall?: string } = error instanceof Error ? error : new Error(String(error))
  return { gitKind: known instanceof GitError ? known.kind : undefined, message: known.message, stack: known.stack, code: known.code, syscall: known.syscall }
}

export function revive({ gitKind, message, stack, code, syscall }: CarriedError): Error {
  const revived = gitKind ? new GitError(gitKind, message) : Object.assign(new Error(message), { code, syscall })
  if (stack) revived.stack = stack
  return revived
}
