import { GitError, type GitErrorKind } from '../errors.ts'

/** An error that survives the way between threads. */
export interface CarriedError {
  gitKind: GitErrorKind | undefined
  message: string
  stack: string | undefined
  /** Of the file system's, its own or that of what caused it: `ENOSPC`, and what was called. */
  code: string | undefined
  syscall: string | undefined
}

export function carry(error: unknown): CarriedError {
  const known = error instanceof Error ? error : new Error(String(error))
  const { code, syscall } = firstWithCode(known)
  return { gitKind: known instanceof GitError ? known.kind : undefined, message: known.message, stack: known.stack, code, syscall }
}

function firstWithCode(error: Error): { code?: string; syscall?: string } {
  const known: { code?: string; syscall?: string } = error as never
  return known.code === undefined && error.cause instanceof Error ? firstWithCode(error.cause) : known
}

export function revive({ gitKind, message, stack, code, syscall }: CarriedError): Error {
  const ofFiles = Object.assign(new Error(message), { code, syscall })
  const revived = gitKind ? new GitError(gitKind, message, code === undefined ? {} : { cause: ofFiles }) : ofFiles
  if (stack) revived.stack = stack
  return revived
}
