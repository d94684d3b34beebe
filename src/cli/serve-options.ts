import type { ServeOptions } from './run-server.ts'

/** The options of `pocketforge serve`; each takes a value. */
export const serveOptions = [
  { name: 'data', value: 'directory', description: 'data directory (POCKETFORGE_DATA)' },
  { name: 'config', value: 'file', description: 'settings file (POCKETFORGE_CONFIG; default: pocketforge.toml in the data directory)' },
  { name: 'host', value: 'address', description: 'address to listen on; 0.0.0.0 listens on all interfaces (default: 127.0.0.1)' },
  { name: 'port', value: 'number', description: 'port to listen on; 0 picks a free port (default: 3000)' },
  { name: 'admin-username', value: 'name', description: 'first start only: username of the first administrator (POCKETFORGE_ADMIN_USERNAME; default: admin)' },
  {
    name: 'admin-password',
    value: 'password',
    description: 'first start only: password of the first administrator (POCKETFORGE_ADMIN_PASSWORD; default: generated and shown once)',
  },
  { name: 'admin-email', value: 'address', description: 'first start only: email address of the first administrator (POCKETFORGE_ADMIN_EMAIL)' },
] as const satisfies readonly ServeOption[]

export interface ServeOption {
  /** As it is typed, behind two dashes. */
  name: string
  /** What its value is called where options are explained. */
  value: string
  description: string
}

/**
 * The options of a start that is written plainly, `[serve] [--option value]…`, without loading what reads and explains command lines:
 * that takes a seventh of a start.
 * @returns undefined for whatever else is meant, or may be wrong
 */
export function readPlainServe(argv: readonly string[]): ServeOptions | undefined {
  const words = argv[0] === 'serve' ? argv.slice(1) : argv
  const options: Record<string, string | number> = {}
  for (let at = 0; at < words.length; at += 2) {
    const option = serveOptions.find(({ name }) => words[at] === `--${name}`)
    const value = words[at + 1]
    if (option === undefined || !value || value.startsWith('-')) return undefined
    if (option.name === 'port' && !isPort(value)) return undefined
    options[memberOf(option)] = option.name === 'port' ? Number(value) : value
  }
  return options
}

export function isPort(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= 65_535
}

/** What an option is called among those that were read: `adminEmail`. */
function memberOf({ name }: ServeOption): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
