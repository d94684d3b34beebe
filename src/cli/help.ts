import { InvalidArgumentError } from 'commander'
import { messageOf } from '#kernel/errors.ts'

/** The text after a command's options: how it is used. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** What a person sees of an error: its message, and for a mistake of ours where it happened. */
export function failed(error: unknown): string {
  const isOurMistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return isOurMistake ? `Unexpected: ${error.stack ?? error.message}` : messageOf(error)
}

/** A port number of an option. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A whole number from 0 to 65535 is expected.')
  return port
}
