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

export function processOutput(environment: Environment): Output {
  // Who reads only the first lines has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
    isPretty: process.stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb',
  }
}
