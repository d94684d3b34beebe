import { Command, Option } from 'commander'
import type { Session } from './environment.ts'
import { examples, parsePort } from './help.ts'
import type { ServeOptions } from './run-server.ts'
import { serveOptions } from './serve-options.ts'

/** `pocketforge serve`: the server itself is loaded only when it is to run. */
export function serveCommand(session: Session): Command {
  const command = new Command('serve').description('start the server (the default command)')
  for (const { name, value, description } of serveOptions) {
    const option = new Option(`--${name} <${value}>`, description)
    command.addOption(name === 'port' ? option.argParser(parsePort) : option)
  }
  return command
    .addHelpText(
      'after',
      examples('pocketforge serve', 'pocketforge serve --data ./forge --port 8080', 'pocketforge serve --host 0.0.0.0   # listen on all interfaces'),
    )
    .action(async (options: ServeOptions) => {
      const { runServer } = await import('./run-server.ts')
      await runServer(options, session)
    })
}
