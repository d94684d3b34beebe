import { Problem } from './errors.ts'

/**
 * What is wrong with the disk: `full`, `read-only`, `failing`, when it answers with errors, `crowded`, when the process has as many files
 * open as it may, or `lost`, when it could not make durable what it had taken. After the last nobody knows what is on it: asking again
 * may succeed without the bytes being there (fsync's error is told once).
 */
export type DiskTrouble = 'full' | 'read-only' | 'failing' | 'crowded' | 'lost'

/** What of an error of the file system's or of SQLite's tells of its disk, in itself or in its cause. */
export function diskTroubleOf(error: unknown): DiskTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall = '' } = error as { code?: unknown; syscall?: unknown }
  const name = String(code)
  if (/^f(data)?sync$/.test(String(syscall)) || name.startsWith('SQLITE_IOERR')) return 'lost'
  if (name === 'ENOSPC' || name === 'EDQUOT' || name === 'SQLITE_FULL') return 'full'
  if (name === 'EROFS' || name.startsWith('SQLITE_READONLY')) return 'read-only'
  if (name === 'EIO' || /^SQLITE_(CANTOPEN|CORRUPT|NOTADB)/.test(name)) return 'failing'
  if (name === 'EMFILE' || name === 'ENFILE') return 'crowded'
  return diskTroubleOf(error.cause)
}

const words: Record<DiskTrouble, string> = {
  full: "The server's disk is full: nothing was stored. Reading goes on. Free some space there, then try again.",
  'read-only': "The server's disk can only be read: nothing was stored. Reading goes on. Make it writable, then try again.",
  failing: "The server's disk answers with errors: nothing was stored. Look after the disk, then try again.",
  crowded: 'The server has as many files open as it may: nothing was stored. Try again in a moment, or let it open more (ulimit -n).',
  lost: "The server's disk failed: nothing was stored, and the server stops. Look after the disk before it is started again.",
}

/** The same as an answer; undefined for errors that have nothing to do with the disk. */
export function diskProblem(error: unknown): Problem | undefined {
  const trouble = diskTroubleOf(error)
  return trouble && new Problem(503, words[trouble], { cause: error, headers: { 'Retry-After': '60' } })
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
    if (this.#error) throw new Problem(503, words.lost, { cause: this.#error })
  }
}
