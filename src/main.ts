import { runCommand } from '#cli/program.ts'

// Whatever a command stores is for the account it runs as alone; the directory's own mode may be loosened by hand.
process.umask(0o077)
// Elysia asks here whether to describe to developers all that is wrong with a body and what would be right, at length.
Bun.env.NODE_ENV = 'production'
process.exitCode = await runCommand(process.argv.slice(2), process.env)
