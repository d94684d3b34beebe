import { Command } from 'commander'
import type { Session } from './environment.ts'
import { examples } from './help.ts'
import type { DoctorOptions } from './run-doctor.ts'

/** `pocketforge doctor`: whether everything that is stored holds together. */
export function doctorCommand(session: Session): Command {
  return new Command('doctor')
    .description('check the store: database, refs, packs, derived files, leftovers; the exit code is 1 when something is wrong')
    .option('--repair', 'mend what can be derived again and remove leftovers; the server must not run')
    .option('--json', 'as JSON, for programs')
    .option('--data <directory>', 'the data directory (POCKETFORGE_DATA)')
    .option('--config <file>', 'settings file (POCKETFORGE_CONFIG)')
    .addHelpText('after', examples('pocketforge doctor', 'pocketforge doctor --repair', 'pocketforge doctor --json'))
    .action(async (options: DoctorOptions) => (await import('./run-doctor.ts')).runDoctor(options, session))
}
