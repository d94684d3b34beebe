import { Command } from 'commander'
import type { Session } from './environment.ts'
import { examples, parsePort } from './help.ts'
import type { ServeOptions } from './run-server.ts'

/** `pocketforge serve`: the server itself is loaded only when it is to run. */
export function serveCommand(session: Session): Command {
  return new Command('serve')
    .description('serve the forge (what happens without a command, too)')
    .option('--data <directory>', 'where everything is kept (POCKETFORGE_DATA)')
    .option('--config <file>', 'settings file (POCKETFORGE_CONFIG; default: pocketforge.toml in the data directory)')
    .option('--host <address>', 'address to listen on; 0.0.0.0 serves the whole network (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 picks a free one (default: 3000)', parsePort)
    .option('--admin-username <name>', 'first start only: the first administrator (POCKETFORGE_ADMIN_USERNAME; default: admin)')
    .option('--admin-password <password>', 'first start only: their password (POCKETFORGE_ADMIN_PASSWORD; default: a generated one, shown once)')
    .option('--admin-email <address>', 'first start only: their e-mail address (POCKETFORGE_ADMIN_EMAIL)')
    .addHelpText(
      'after',
      examples('pocketforge serve', 'pocketforge serve --data ./forge --port 8080', 'pocketforge serve --host 0.0.0.0   # for the whole network'),
    )
    .action(async (options: ServeOptions) => {
      const { runServer } = await import('./run-server.ts')
      await runServer(options, session)
    })
}
