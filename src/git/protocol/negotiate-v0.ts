import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { parseOid } from '../objects/oid.ts'
import type { LineReader } from './line-reader.ts'
import type { Negotiation } from './negotiate.ts'
import type { PktWriter } from './sideband.ts'

/** How talkative the answers to haves are: without `multi_ack`, with it, or with `multi_ack_detailed`. */
export type AckMode = 'single' | 'multi' | 'detailed'

export function ackMode(capabilities: ReadonlyMap<string, string>): AckMode {
  if (capabilities.has('multi_ack_detailed')) return 'detailed'
  return capabilities.has('multi_ack') ? 'multi' : 'single'
}

export interface RoundOptions {
  mode: AckMode
  /** Once ready, the pack follows without waiting for the client's `done`. */
  noDone: boolean
  /** Each round is a connection of its own. */
  stateless: boolean
  maxHaves: number
}

/**
 * The rounds of haves and answers of protocols v0 and v1.
 * Source: `Documentation/gitprotocol-pack.txt`, "Packfile Negotiation", and the answers that stock git gives.
 */
export class V0Rounds {
  readonly #reader: LineReader
  readonly #out: PktWriter
  readonly #negotiation: Negotiation
  readonly #options: RoundOptions
  /** The last have that we have too. */
  #last: Oid | undefined
  #hasCommon = false
  #hasOther = false
  #isReady = false

  constructor(reader: LineReader, out: PktWriter, negotiation: Negotiation, options: RoundOptions) {
    this.#reader = reader
    this.#out = out
    this.#negotiation = negotiation
    this.#options = options
  }

  /** True when the pack is to follow; false when the client leaves first, as it does after each round over HTTP. @throws GitError `protocol`, `limit` */
  async run(): Promise<boolean> {
    for (let left = this.#options.maxHaves; left >= 0; left--) {
      const { text, end } = await this.#reader.line()
      if (text === 'done') return this.#done()
      if (text === undefined) {
        // A stateless client that asked for another depth comes for the boundary first, and names its haves the next time.
        if (end === 'end') return false
        if (await this.#endRound()) return true
        if (this.#options.stateless) return false
      } else {
        await this.#have(text)
      }
    }
    throw new GitError('limit', `Cannot fetch: more than ${this.#options.maxHaves} haves`)
  }

  async #have(line: string): Promise<void> {
    if (!line.startsWith('have ')) throw new GitError('protocol', `expected SHA1 list, got '${line.slice(0, 80)}'`)
    const oid = parseOid(line.slice('have '.length))
    if (this.#negotiation.add(oid)) this.#shared(oid)
    else await this.#unknown(oid)
    if (this.#out.isFull) await this.#out.send()
  }

  #shared(oid: Oid): void {
    this.#hasCommon = true
    this.#last = oid
    if (this.#options.mode === 'detailed') this.#ack(oid, ' common')
    else if (this.#options.mode === 'multi') this.#ack(oid, ' continue')
    else if (this.#negotiation.common.length === 1) this.#ack(oid, '')
  }

  /** A have of which we know nothing; when there is common ground enough, the client hears that it need not go on. */
  async #unknown(oid: Oid): Promise<void> {
    this.#hasOther = true
    if (this.#options.mode === 'single' || !(await this.#negotiation.canStop())) return
    if (this.#options.mode === 'detailed') this.#isReady = true
    this.#ack(oid, this.#options.mode === 'detailed' ? ' ready' : ' continue')
  }

  async #endRound(): Promise<boolean> {
    const { mode, noDone } = this.#options
    if (mode === 'detailed' && this.#hasCommon && !this.#hasOther && (await this.#negotiation.canStop())) {
      this.#isReady = true
      if (this.#last) this.#ack(this.#last, ' ready')
    }
    if (this.#negotiation.common.length === 0 || mode !== 'single') this.#out.line('NAK\n')
    if (noDone && this.#isReady && this.#last) {
      this.#ack(this.#last, '')
      return true
    }
    await this.#out.send()
    this.#hasCommon = false
    this.#hasOther = false
    return false
  }

  #done(): true {
    if (this.#negotiation.common.length === 0) this.#out.line('NAK\n')
    else if (this.#options.mode !== 'single' && this.#last) this.#ack(this.#last, '')
    return true
  }

  #ack(oid: Oid, suffix: string): void {
    this.#out.line(`ACK ${oid}${suffix}\n`)
  }
}
