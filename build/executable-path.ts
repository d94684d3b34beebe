import { join } from 'node:path'

export const targets = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'windows-x64'] as const
export type Target = (typeof targets)[number]

/** Where `compile.ts` puts executables. */
export const outDirectory = join(import.meta.dir, 'out')

/** The path of the executable for `target`, or for this machine. */
export function executablePath(target?: Target): string {
  const isWindows = target === undefined ? process.platform === 'win32' : target.startsWith('windows')
  return join(outDirectory, `pocketforge${target === undefined ? '' : `-${target}`}${isWindows ? '.exe' : ''}`)
}
