import { runCommand } from './cli/program.ts'

process.exitCode = await runCommand(process.argv.slice(2), process.env)
