export type Level = 'debug' | 'info' | 'warn' | 'error'
export type Fields = Record<string, string | number | boolean | undefined>

export interface Log {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, error?: unknown, fields?: Fields): void
}

const ranks: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 }

/** Lines of `time level message key=value …`; values are quoted as JSON, so a line break in them cannot forge a line. */
export function lineLog(least: Level, write: (line: string) => void): Log {
  const line = (level: Level, message: string, fields: Fields = {}) => {
    if (ranks[level] < ranks[least]) return
    const pairs = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [` ${key}=${JSON.stringify(value)}`]))
    write(`${new Date().toISOString()} ${level} ${message}${pairs.join('')}\n`)
  }
  return {
    debug: (message, fields) => line('debug', message, fields),
    info: (message, fields) => line('info', message, fields),
    warn: (message, fields) => line('warn', message, fields),
    error: (message, error, fields) => line('error', message, { ...fields, error: describe(error) }),
  }
}

export const silentLog: Log = lineLog('error', () => {})

function describe(error: unknown): string | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : ` ← ${describe(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
