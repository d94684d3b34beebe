import { breathe, isDue } from '#kernel/breathe.ts'
import { visible } from '../errors.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { type ByteSink, listedRefs, type RefSnapshot } from './context.ts'
import { encodePkt, FLUSH } from './pkt-line.ts'
import { BAND_ERROR, BAND_PACK, BAND_PROGRESS, PktWriter } from './sideband.ts'
import type { UpdateRequest } from './update-request.ts'

/** The server's half of a push besides the pack itself. Source: `Documentation/gitprotocol-pack.txt`. */

/** What receive-pack offers. */
function receiveCapabilities(agent: string): string {
  return `report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=${SHA1.name} agent=${agent}`
}

/** The body of `GET …/info/refs?service=git-receive-pack`; with `http` false, what SSH begins with. */
export async function advertiseReceive(version: 0 | 1, refs: RefSnapshot, options: { agent: string; http: boolean }, sink: ByteSink): Promise<void> {
  const out = new PktWriter(sink)
  if (options.http) {
    out.line('# service=git-receive-pack\n')
    out.flush()
  }
  if (version === 1) out.line('version 1\n')
  let suffix = `\0${receiveCapabilities(options.agent)}`
  for (const ref of listedRefs(refs)) {
    out.line(`${ref.oid} ${ref.name}${suffix}\n`)
    suffix = ''
    if (!out.isFull) continue
    await out.send()
    if (isDue()) await breathe()
  }
  if (suffix !== '') out.line(`${SHA1.zero} capabilities^{}${suffix}\n`)
  out.flush()
  await out.send()
}

/** Lines of a report that are made in one go. */
const LINES = 1000

/** What became of a push. `unpack` is `ok` or why the pack was refused. */
export interface PushReport {
  unpack: string
  results: readonly RefReport[]
}

export interface RefReport {
  /** The ref as the client named it. */
  name: string
  ok: boolean
  /** Why not. */
  reason?: string
  /** The push deletes a ref that does not exist. */
  wasAbsent?: true
  /** What moved instead, when that is another ref; told to clients that understand it. */
  moved?: { ref: string; before: Oid; after: Oid; isForced: boolean }
}

/** Returns whether a push changed a ref. */
export function hasChanged(results: readonly RefReport[]): boolean {
  return results.some(({ ok, wasAbsent }) => ok && !wasAbsent)
}

/** A push's answer: messages while it is worked on, the report at its end, as far as the client asked for them. */
export class PushAnswer {
  readonly #sink: ByteSink
  readonly #capabilities: ReadonlyMap<string, string>
  readonly #undecodable: ReadonlyMap<string, Uint8Array>

  constructor(sink: ByteSink, { capabilities, undecodable }: Pick<UpdateRequest, 'capabilities' | 'undecodable'>) {
    this.#sink = sink
    this.#capabilities = capabilities
    this.#undecodable = undecodable
  }

  /** Text for the pusher's terminal, shown behind `remote: `. */
  async say(text: string): Promise<void> {
    if (this.#hasBands) await this.#band(BAND_PROGRESS, Buffer.from(text))
  }

  /** How far the work is, unless the pusher asked for quiet. A line that ends in `\r` is overwritten by the next. */
  async progress(text: string): Promise<void> {
    if (!this.#capabilities.has('quiet')) await this.say(text)
  }

  /** Ends the push with an error that the client prints and fails with. */
  async fail(reason: string): Promise<void> {
    if (this.#hasBands) await this.#band(BAND_ERROR, Buffer.from(`${visible(reason)}\n`))
    else await this.#sink.write(encodePkt(`ERR ${visible(reason)}`))
  }

  async report({ unpack, results }: PushReport): Promise<void> {
    if (this.#capabilities.has('report-status') || this.#capabilities.has('report-status-v2')) {
      await this.#pkts([`unpack ${visible(unpack)}\n`])
      for (let at = 0; at < results.length; at += LINES) {
        await this.#pkts(results.slice(at, at + LINES).flatMap((one) => [this.#lineOf(one), ...this.#optionsOf(one)]))
        await breathe()
      }
      await this.#inner(FLUSH)
    }
    if (this.#hasBands) await this.#sink.write(FLUSH)
  }

  /**
   * The client finds the ref that a line is about by its name, so the name goes back byte for byte as it came. Git itself sends no control characters
   * in names: those are escaped, because a terminal would obey them.
   */
  #lineOf({ name, ok, reason = 'refused' }: RefReport): Uint8Array | string {
    if (ok) return `ok ${name}\n`
    const bytes = this.#undecodable.get(name) ?? Buffer.from(/\p{Cc}/u.test(name) ? visible(name) : name)
    return Buffer.concat([Buffer.from('ng '), bytes, Buffer.from(` ${visible(reason)}\n`)])
  }

  /** Source: `Documentation/gitprotocol-pack.txt`, "Report Status". */
  #optionsOf({ ok, moved }: RefReport): string[] {
    if (!ok || !moved || !this.#capabilities.has('report-status-v2')) return []
    const { ref, before, after, isForced } = moved
    const lines = [`option refname ${ref}\n`, `option old-oid ${before}\n`, `option new-oid ${after}\n`]
    return isForced ? [...lines, 'option forced-update\n'] : lines
  }

  #pkts(lines: readonly (Uint8Array | string)[]): Promise<void> {
    return this.#inner(Buffer.concat(lines.map((line) => encodePkt(line))))
  }

  /** A part of the report, which side-bands wrap. */
  async #inner(bytes: Uint8Array): Promise<void> {
    if (this.#hasBands) await this.#band(BAND_PACK, bytes)
    else await this.#sink.write(bytes)
  }

  get #hasBands(): boolean {
    return this.#capabilities.has('side-band-64k')
  }

  async #band(band: number, bytes: Uint8Array): Promise<void> {
    const room = 65_515
    for (let at = 0; at < bytes.length; at += room) {
      await this.#sink.write(encodePkt(Buffer.concat([Uint8Array.of(band), bytes.subarray(at, at + room)])))
    }
  }
}
