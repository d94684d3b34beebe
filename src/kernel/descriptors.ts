import { closeSync, openSync, readFileSync } from 'node:fs'

/** As many as a thread may open before it has said that it is there, several times over: others begin meanwhile. */
const FOR_A_THREAD = 32
/** Fewer than these are soon used up by connections. */
const FEW = 1024

/**
 * To be asked before a thread is started. Bun ends the whole process when a thread cannot open what it begins with; this error is answered.
 * @throws Error `EMFILE` when few more files can be opened
 */
export function requireDescriptors(): void {
  if (process.platform === 'win32') return
  const opened: number[] = []
  try {
    while (opened.length < FOR_A_THREAD) opened.push(openSync('/dev/null', 'r'))
  } finally {
    for (const one of opened) closeSync(one)
  }
}

/** How many files this process may open, where that is few, and can be known. */
export function findFewDescriptors(): number | undefined {
  const most = findDescriptors()
  return most !== undefined && most < FEW ? most : undefined
}

/** How many files this process may open, where that can be known and is a number. Source: proc_pid_limits(5). */
export function findDescriptors(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, soft] = /^Max open files +(\d+)/m.exec(limits()) ?? []
  return soft === undefined ? undefined : Number(soft)
}

function limits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
