import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** What processes use, as Linux tells in /proc (proc(5)); elsewhere the answers are NaN, printed as a dash. */

const isLinux = process.platform === 'linux'

/** The kernel's unit of time in /proc, whatever its own clock. */
const TICKS_PER_SECOND = 100

/** User and system time of all threads, of those that have ended too, in seconds; in steps of 10 ms. */
export function cpuSecondsOf(pid: number): number {
  if (!isLinux) return Number.NaN
  const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user, system] = afterName.slice(11, 13).map(Number) as [number, number]
  return (user + system) / TICKS_PER_SECOND
}

/** User and system time of the threads that there are, in seconds; exact, where `cpuSecondsOf` counts in steps. Source: `Documentation/scheduler/sched-stats.rst`. */
export function runSecondsOf(pid: number): number {
  if (!isLinux) return Number.NaN
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]), 0) / 1e9
}

/** How long the main thread of a process was ready to run and had no processor, in seconds. Source: the same. */
export function waitedSecondsOf(pid: number): number {
  if (!isLinux) return Number.NaN
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e9
}

/** The most memory the process ever held, or has held since `forgetPeak`, in bytes. */
export function peakBytesOf(pid: number): number {
  return statusBytes(pid, 'VmHWM')
}

export function residentBytesOf(pid: number): number {
  return statusBytes(pid, 'VmRSS')
}

export function forgetPeak(pid: number): void {
  if (isLinux) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The sum of the peaks of a process and of what it has started and still runs; 0 once it has ended. */
export function treePeakBytesOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const children = threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean))
    return children.reduce((sum, child) => sum + treePeakBytesOf(Number(child)), peakBytesOf(pid) || 0)
  } catch {
    return 0
  }
}

function statusBytes(pid: number, field: string): number {
  if (!isLinux) return Number.NaN
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024
}
