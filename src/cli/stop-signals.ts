import { readFileSync } from 'node:fs'

/** Ctrl-C in a terminal may reach a process twice: from the terminal, and passed on by the script that started it. */
const SAME_KEYPRESS_MS = 300

export interface StopSignals extends Disposable {
  /** Resolves with the signal's name at the first one. */
  first: Promise<NodeJS.Signals>
  /** Resolves at the second one. */
  second: Promise<void>
}

/** Waits for Ctrl-C, SIGTERM and a closed terminal, in place of what they do by themselves. Under `nohup` the terminal may close. */
export function stopSignals(): StopSignals {
  const first = Promise.withResolvers<NodeJS.Signals>()
  const second = Promise.withResolvers<void>()
  let since: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (since === undefined) first.resolve(signal)
    else if (now - since > SAME_KEYPRESS_MS) second.resolve()
    since ??= now
  }
  const names: NodeJS.Signals[] = ['SIGINT', 'SIGTERM']
  if (!isHangupIgnored()) names.push('SIGHUP')
  for (const name of names) process.on(name, onSignal)
  return {
    first: first.promise,
    second: second.promise,
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, onSignal)
    },
  }
}

/** Whether this process was started so that SIGHUP is nothing to it, where that can be known. Source: proc_pid_status(5). */
function isHangupIgnored(): boolean {
  if (process.platform !== 'linux') return false
  // The last bit is that of the first signal.
  return /^SigIgn:\s+[0-9a-f]*[13579bdf]$/m.test(readFileSync('/proc/self/status', 'latin1'))
}
