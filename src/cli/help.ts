import { InvalidArgumentError } from 'commander'
import { isPort } from './serve-options.ts'

/** The text after a command's options: how it is used. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** A port number of an option. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  if (!isPort(text)) throw new InvalidArgumentError('A whole number from 0 to 65535 is expected.')
  return Number(text)
}
