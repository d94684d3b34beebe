import { Command } from 'commander'
import type { Session } from './environment.ts'
import { examples } from './help.ts'
import type { DoctorOptions } from './run-doctor.ts'

/** `pocketforge doctor`: whether everything that is stored holds together. */
export function doctorCommand(session: Session): Command {
  return new Command('doctor')
    .description('check the data directory: database, refs, packs, derived files and leftovers; exits with 1 if a problem is found')
    .option('--repair', 'rebuild derived data and remove leftovers; stop the server first')
    .option('--json', 'print JSON')
    .option('--data <directory>', 'data directory (POCKETFORGE_DATA)')
    .option('--config <file>', 'settings file (POCKETFORGE_CONFIG)')
    .addHelpText('after', examples('pocketforge doctor', 'pocketforge doctor --repair', 'pocketforge doctor --json'))
    .action(async (options: DoctorOptions) => (await import('./run-doctor.ts')).runDoctor(options, session))
}
