import { InvalidArgumentError } from 'commander'
import { isPort } from './serve-options.ts'

/** The text after a command's options: how it is used. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** The name of an access token. @throws InvalidArgumentError */
export function parseTokenName(text: string): string {
  if (text.length === 0 || text.length > 255) throw new InvalidArgumentError('Expected a name of 1 to 255 characters.')
  return text
}

/** A port number of an option. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  if (!isPort(text)) throw new InvalidArgumentError('Expected a whole number from 0 to 65535.')
  return Number(text)
}
