import { GitError } from '../errors.ts'

/** Goes through a text line by line; bytes as latin1, lines with their line breaks. */
export class PatchReader {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(data: Uint8Array) {
    this.#text = Buffer.prototype.latin1Slice.call(data, 0, data.length)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Where it stands: lines are counted from 1. */
  get lineNumber(): number {
    return this.#line
  }

  /** The line that `next` gives; empty at the end. */
  peek(): string {
    return this.#text.slice(this.#at, this.#endOf(this.#at))
  }

  /** The line after that. */
  peekSecond(): string {
    const start = this.#endOf(this.#at)
    return this.#text.slice(start, this.#endOf(start))
  }

  next(): string {
    const line = this.peek()
    this.#at += line.length
    this.#line++
    return line
  }

  startsWith(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#at)
  }

  /** The error of a patch that is none, at the line it stands at. */
  corrupt(reason: string, line: number = this.#line): GitError {
    return new GitError('corrupt', `Cannot read patch: ${reason} (line ${line})`)
  }

  #endOf(start: number): number {
    const lf = this.#text.indexOf('\n', start)
    return lf < 0 ? this.#text.length : lf + 1
  }
}
