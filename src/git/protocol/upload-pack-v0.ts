import type { Oid } from '../objects/oid.ts'
import { parseOid } from '../objects/oid.ts'
import { parseCapabilities } from './capabilities.ts'
import type { ByteSink, Connection, UploadContext } from './context.ts'
import type { FetchRequest } from './fetch-request.ts'
import { applyV0Capabilities, checkFetch, decodeV0Line, emptyFetchRequest, isDeepening } from './fetch-request.ts'
import { LineReader } from './line-reader.ts'
import { Negotiation } from './negotiate.ts'
import { ackMode, V0Rounds } from './negotiate-v0.ts'
import { PktReader } from './pkt-line.ts'
import { reportErrors } from './report-errors.ts'
import { sendPack } from './send-pack.ts'
import { FetchSession } from './session.ts'
import type { ShallowPlan } from './shallow.ts'
import { planShallow } from './shallow.ts'
import type { Framing } from './sideband.ts'
import { PktWriter } from './sideband.ts'
import { writeBoundary } from './upload-pack.ts'
import { checkWants } from './wants.ts'

/**
 * Serves protocol v0 or v1, after the advertisement. Errors are reported as `uploadPackV2` reports them.
 * Source: `Documentation/gitprotocol-pack.txt`.
 */
export async function uploadPackV0(source: AsyncIterable<Uint8Array>, context: UploadContext, sink: ByteSink, options: Connection): Promise<void> {
  const out = new PktWriter(sink)
  const reader = new LineReader(new PktReader(source), context.limits)
  await reportErrors(context, out, async () => {
    const asked = await readWants(reader, context)
    if (asked === undefined) return
    using session = new FetchSession(context)
    await new V0Fetch(session, asked, options, reader, out).run(sink)
  })
}

interface Asked {
  request: FetchRequest
  capabilities: ReadonlyMap<string, string>
}

/** What comes before the haves; undefined when the client wants nothing. @throws GitError `protocol`, `limit`, `refused` */
async function readWants(reader: LineReader, context: UploadContext): Promise<Asked | undefined> {
  const section = await reader.section()
  if (section === undefined || section.lines.length === 0) return undefined
  const request = emptyFetchRequest()
  let capabilities: ReadonlyMap<string, string> = new Map()
  for (const line of section.lines) {
    if (!line.startsWith('want ')) {
      decodeV0Line(line, request)
      continue
    }
    const [oid = '', ...words] = line.slice('want '.length).split(' ')
    request.wants.push(parseOid(oid))
    if (request.wants.length === 1) capabilities = parseCapabilities(words)
  }
  applyV0Capabilities(request, capabilities)
  checkFetch(request, context.limits)
  return request.wants.length === 0 ? undefined : { request, capabilities }
}

function framingOf(capabilities: ReadonlyMap<string, string>): Framing {
  if (capabilities.has('side-band-64k')) return 'side-band-64k'
  return capabilities.has('side-band') ? 'side-band' : 'none'
}

class V0Fetch {
  readonly #session: FetchSession
  readonly #request: FetchRequest
  readonly #framing: Framing
  readonly #rounds: V0Rounds
  readonly #out: PktWriter
  readonly #wants: Set<Oid>
  readonly #negotiation: Negotiation

  constructor(session: FetchSession, asked: Asked, options: Connection, reader: LineReader, out: PktWriter) {
    this.#session = session
    this.#request = asked.request
    this.#framing = framingOf(asked.capabilities)
    this.#out = out
    this.#wants = new Set(asked.request.wants)
    this.#negotiation = new Negotiation(session, this.#wants)
    this.#rounds = new V0Rounds(reader, out, this.#negotiation, {
      mode: ackMode(asked.capabilities),
      noDone: options.stateless && asked.capabilities.has('no-done'),
      stateless: options.stateless,
      maxHaves: session.context.limits.maxCommands,
    })
  }

  async run(sink: ByteSink): Promise<void> {
    await checkWants(this.#session, this.#wants)
    const plan = await planShallow(this.#session, this.#request, this.#wants)
    if (isDeepening(this.#request)) this.#writeBoundary(plan)
    await this.#out.send()
    const isAgreed = await this.#rounds.run()
    await this.#out.send()
    if (!isAgreed) return
    const order = {
      wants: this.#wants.union(new Set(plan.extraWants)),
      haves: [...this.#negotiation.common, ...plan.unshallow],
      cuts: plan.cuts,
      request: this.#request,
    }
    await sendPack(this.#session, order, this.#framing, sink)
    if (this.#framing === 'none') return
    this.#out.flush()
    await this.#out.send()
  }

  #writeBoundary(plan: ShallowPlan): void {
    writeBoundary(plan, this.#out)
    this.#out.flush()
  }
}
