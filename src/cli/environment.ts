import { fstatSync } from 'node:fs'

/** Environment variables, as `process.env` has them; passed in so that tests can have their own. */
export type Environment = Record<string, string | undefined>

/** What a command works with besides its options. */
export interface Session {
  environment: Environment
  out: Output
  /** What the process will end with when no error is thrown. */
  exitCode: number
}

/** Where a command writes: results by `print`, remarks and errors by `warn`, a line each. */
export interface Output {
  print(text: string): void
  warn(text: string): void
  /** Whether a person looks at what is printed, on a terminal with colours. */
  isPretty: boolean
}

/**
 * The process' own: what is printed for somebody who has read enough goes nowhere. `process.stdout` would load all of Node's streams, which takes
 * a sixth of a start.
 */
export function processOutput(environment: Environment): Output {
  return {
    print: (text) => console.log(text),
    warn: (text) => void process.stderr.write(`${text}\n`),
    isPretty: isTerminal(1) && !environment.NO_COLOR && environment.TERM !== 'dumb',
  }
}

/** Files and pipes are none; about the rest a module is asked that loads those streams. */
function isTerminal(descriptor: number): boolean {
  return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(descriptor)
}
