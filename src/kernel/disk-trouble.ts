import { Problem } from './errors.ts'

/**
 * What is wrong with the disk: `full`, `read-only`, `failing`, when it answers with errors or locks nothing, `damaged`, when it does not give out of
 * the database what was written there (SQLite calls pages that cannot be read the same as damaged ones), `crowded`, when the process has as many files open as it may,
 * `forbidden`, when files are another account's, or `lost`, when it could not make durable what it had taken. After the last nobody knows what is on it: asking again
 * may succeed without the bytes being there (fsync's error is told once).
 */
export type DiskTrouble = 'full' | 'read-only' | 'failing' | 'damaged' | 'crowded' | 'forbidden' | 'lost'

/** SQLite's errors after which a commit may be on disk or not. A write that fails, as over a quota, is none: nothing is committed by it. */
const unsynced = /^SQLITE_IOERR(_FSYNC|_DIR_FSYNC)?$/

/** What of an error of the file system's or of SQLite's tells of its disk, in itself, in its cause, or in those that met while it was cleared up. */
export function diskTroubleOf(error: unknown): DiskTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall = '' } = error as { code?: unknown; syscall?: unknown }
  const name = String(code)
  if (/^f(data)?sync$/.test(String(syscall)) || unsynced.test(name)) return 'lost'
  // There is no room for the file beside the database that those who have it open share.
  if (['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'].includes(name)) return 'full'
  if (name === 'EROFS' || name.startsWith('SQLITE_READONLY')) return 'read-only'
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(name)) return 'damaged'
  if (['EIO', 'ENOLCK', 'ESTALE'].includes(name) || /^SQLITE_(IOERR|CANTOPEN|PROTOCOL)/.test(name)) return 'failing'
  if (name === 'EMFILE' || name === 'ENFILE') return 'crowded'
  // Of connections and programs these tell nothing of the disk.
  if (['EACCES', 'EPERM'].includes(name) && !/^(|undefined|connect|bind|listen|spawn.*)$/.test(String(syscall))) return 'forbidden'
  const met = error instanceof SuppressedError ? (diskTroubleOf(error.suppressed) ?? diskTroubleOf(error.error)) : undefined
  return met ?? diskTroubleOf(error.cause)
}

/** What is wrong, and what to do about it. */
const words: Record<DiskTrouble, [fault: string, advice: string]> = {
  full: ["The server's disk is full", 'You can still read. Free some space on the disk, then try again.'],
  'read-only': ["The server's disk is read-only", 'You can still read. Make the disk writable, then try again.'],
  failing: ["The server's disk reports errors", 'Check the disk and its quotas, then try again.'],
  damaged: ["The server's database is damaged or unreadable", 'The administrator of the server must repair it before you try again.'],
  crowded: ['The server has too many open files', 'Try again in a moment, or raise the limit (ulimit -n).'],
  forbidden: ['The server has no permission to use some of its own files', 'Make the user that runs the server their owner (chown), then try again.'],
  lost: ["The server's disk failed", 'The server is stopping. Check the disk before you start the server again.'],
}

const NOTHING_STORED = 'no changes were saved'
const PARTLY_STORED = 'some changes may have been saved, so check before you try again'
/** What a failed sync was about is there after the next start, or is not. */
const NOBODY_KNOWS = 'whether the changes were saved is only known after a restart'

/**
 * The same as an answer; undefined for errors that have nothing to do with the disk.
 * @param mayBeStored whether changes have become durable since this was asked for, of which it may have made some
 */
export function diskProblem(error: unknown, mayBeStored = false): Problem | undefined {
  const trouble = diskTroubleOf(error)
  return trouble && problemOf(trouble, trouble === 'lost' ? NOBODY_KNOWS : mayBeStored ? PARTLY_STORED : NOTHING_STORED, error)
}

function problemOf(trouble: DiskTrouble, outcome: string, cause: unknown): Problem {
  const [fault, advice] = words[trouble]
  return new Problem(503, `${fault}: ${outcome}. ${advice}`, { cause, headers: trouble === 'damaged' ? {} : { 'Retry-After': '60' } })
}

/** Hears of every error that nobody expected, and ends the service when the disk lost something. */
export class DiskWatch {
  readonly #lost = Promise.withResolvers<Error>()
  #error: Error | undefined

  /** Resolves when the disk could not make something durable: what is under way is to be answered, and nothing more be taken on. */
  get lost(): Promise<Error> {
    return this.#lost.promise
  }

  get isLost(): boolean {
    return this.#error !== undefined
  }

  report(error: unknown): void {
    if (diskTroubleOf(error) !== 'lost') return
    this.#error ??= error as Error
    this.#lost.resolve(this.#error)
  }

  /** @throws Problem 503 once the disk has lost something */
  refuseWriting(): void {
    if (this.#error) throw problemOf('lost', NOTHING_STORED, this.#error)
  }
}
