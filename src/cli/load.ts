import { type Config, type ConfigInput, loadConfig } from '#config.ts'
import { dataDirectory } from './data-directory.ts'
import type { Environment } from './environment.ts'

/** Options that every command which reads the store has. */
export interface StoreOptions {
  data?: string
  config?: string
}

/** The configuration that a command line stands for: its flags over the environment over the settings file. */
export function configOf(options: StoreOptions, environment: Environment, flags: ConfigInput = {}): Config {
  return loadConfig(dataDirectory(options.data, environment), environment, flags, options.config ?? environment.POCKETFORGE_CONFIG)
}
