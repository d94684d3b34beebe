import { type Environment, type Output, processOutput, type Session } from './environment.ts'
import { failed } from './failure.ts'
import { readPlainServe } from './serve-options.ts'

/** Runs one command line; returns the exit code: 0 done, 1 failed, 2 not understood. */
export async function runCommand(argv: readonly string[], environment: Environment, out: Output = processOutput(environment)): Promise<number> {
  const session: Session = { environment, out, exitCode: 0 }
  try {
    const options = readPlainServe(argv)
    if (options === undefined) return await (await import('./commands.ts')).runWithCommander(argv, session)
    await (await import('./run-server.ts')).runServer(options, session)
    return session.exitCode
  } catch (error) {
    out.warn(failed(error))
    return 1
  }
}
