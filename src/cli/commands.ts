import { Command, CommanderError } from 'commander'
import { version } from '#version.ts'
import { AUTH_DESCRIPTION, adminCommand } from './admin.ts'
import { doctorCommand } from './doctor.ts'
import type { Output, Session } from './environment.ts'
import { examples } from './help.ts'
import { serveCommand } from './serve.ts'
import type { LicensesOptions } from './show-licenses.ts'

const USAGE_ERROR = 2

/** Runs a command line, and says what of it is not understood. @returns the exit code */
export async function runWithCommander(argv: readonly string[], session: Session): Promise<number> {
  try {
    await makeProgram(session, await authCommandFor(argv, session)).parseAsync(withDefault(argv), { from: 'user' })
    return session.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
    throw error
  }
}

/** `pocketforge --port 3001` is `pocketforge serve --port 3001`. */
function withDefault(argv: readonly string[]): string[] {
  const [first = '--'] = argv
  const isForServe = first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first)
  return isForServe ? ['serve', ...argv] : [...argv]
}

/** Its options are those of the sources' settings: only who asks for it has them loaded. */
async function authCommandFor([first, second]: readonly string[], session: Session): Promise<Command> {
  if (first === 'admin' && second === 'auth') return (await import('./admin-auth.ts')).authCommand(session)
  return new Command('auth').description(AUTH_DESCRIPTION)
}

function makeProgram(session: Session, auth: Command): Command {
  const program = new Command('pocketforge')
    .description('A git forge in one executable.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'display help for command')
    .helpCommand('help [command]', 'display help for command')
    .addHelpText(
      'after',
      examples('pocketforge', 'pocketforge serve --host 0.0.0.0 --port 8080', 'pocketforge admin user create --username ada --email ada@example.org'),
    )
  program.addCommand(serveCommand(session))
  program.addCommand(adminCommand(session).addCommand(auth))
  program.addCommand(doctorCommand(session))
  program.addCommand(new Command('version').description('print the version').action(() => session.out.print(version)))
  program.addCommand(
    new Command('licenses')
      .description('list the third-party packages in the executable and their licenses')
      .option('--full', 'include the text of each license')
      .option('--json', 'print JSON')
      .action(async (options: LicensesOptions) => (await import('./show-licenses.ts')).showLicenses(options, session)),
  )
  for (const command of withDescendants(program)) adopt(command, session.out)
  return program
}

/** What every command does alike; commander copies it to those made by `command()`, not to those added whole. */
function adopt(command: Command, out: Output): void {
  command
    .exitOverride()
    .showHelpAfterError(`Try "${fullName(command)} --help".`)
    .configureOutput({ writeOut: (text) => out.print(text.trimEnd()), writeErr: (text) => out.warn(text.trimEnd()) })
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => withDescendants(child as Command))]
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}
