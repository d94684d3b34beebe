import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import type { PktReader } from './pkt-line.ts'
import { pktTextEscaped } from './pkt-line.ts'

/** Bytes that a line of a request has on average at most; single ones may be longer. */
const LINE_BYTES = 256

export interface Section {
  lines: string[]
  /** What ended it. */
  end: 'flush' | 'delim' | 'response-end' | 'end'
}

/** Reads the lines of a request, which together must stay within what the limits allow for. */
export class LineReader {
  readonly #packets: PktReader
  readonly #maxLines: number

  constructor(packets: PktReader, limits: GitLimits) {
    this.#packets = packets
    this.#maxLines = limits.maxCommands + 256
  }

  /** One line, without its newline; undefined at the end of a section or of the stream, with `end` saying which. @throws GitError `protocol` */
  async line(): Promise<{ text: string | undefined; end: Section['end'] }> {
    if (isDue()) await breathe()
    const packet = await this.#packets.next()
    if (packet === undefined) return { text: undefined, end: 'end' }
    if (packet.type !== 'data') return { text: undefined, end: packet.type }
    return { text: pktTextEscaped(packet.payload), end: 'end' }
  }

  /** All lines up to the next flush or delimiter; undefined when the stream ends before the first. @throws GitError `protocol`, `limit` */
  async section(): Promise<Section | undefined> {
    const lines: string[] = []
    let bytes = 0
    for (;;) {
      const { text, end } = await this.line()
      if (text === undefined) {
        if (end !== 'end') return { lines, end }
        if (lines.length === 0) return undefined
        throw new GitError('protocol', 'the request ends before its flush packet')
      }
      bytes += text.length
      if (lines.length >= this.#maxLines || bytes > this.#maxLines * LINE_BYTES)
        throw new GitError('limit', `Cannot read request: more than ${this.#maxLines} lines`)
      lines.push(text)
    }
  }
}
