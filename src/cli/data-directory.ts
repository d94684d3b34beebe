import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from './environment.ts'

/** The data directory: the flag, else `POCKETFORGE_DATA`, else the platform's own place for application data. */
export function dataDirectory(flag: string | undefined, environment: Environment, platform: string = process.platform): string {
  return resolve(flag ?? environment.POCKETFORGE_DATA ?? platformDirectory(environment, platform))
}

/** XDG Base Directory Specification, Apple's File System Programming Guide, Windows' Known Folders. */
function platformDirectory(environment: Environment, platform: string): string {
  const home = homedir()
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Pocketforge')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Pocketforge')
  return join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'pocketforge')
}
