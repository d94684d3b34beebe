import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { parseCapabilities } from './capabilities.ts'
import type { ByteSink, Connection, SnapshotRef, UploadContext } from './context.ts'
import type { FetchRequest } from './fetch-request.ts'
import { decodeFetch, isDeepening } from './fetch-request.ts'
import { LineReader } from './line-reader.ts'
import { answerLsRefs, decodeLsRefs } from './ls-refs.ts'
import { Negotiation } from './negotiate.ts'
import { answerObjectInfo, decodeObjectInfo } from './object-info.ts'
import { PktReader } from './pkt-line.ts'
import { reportErrors } from './report-errors.ts'
import { sendPack } from './send-pack.ts'
import { FetchSession } from './session.ts'
import type { ShallowPlan } from './shallow.ts'
import { planShallow } from './shallow.ts'
import { PktWriter } from './sideband.ts'
import { checkWants, resolveWantRefs } from './wants.ts'

/**
 * Serves protocol v2: answers each command that `source` brings until it ends, or just the first of a stateless connection:
 * there a small body could ask for any number of answers.
 * A client's own mistakes are reported to it in an ERR packet, and the function returns; other failures are reported without
 * detail, and thrown.
 * Source: `Documentation/gitprotocol-v2.txt`.
 */
export async function uploadPackV2(source: AsyncIterable<Uint8Array>, context: UploadContext, sink: ByteSink, options: Connection): Promise<void> {
  const out = new PktWriter(sink)
  const reader = new LineReader(new PktReader(source), context.limits)
  await reportErrors(context, out, async () => {
    do {
      const command = await readCommand(reader)
      if (command === undefined) return
      await answer(command, context, out, sink)
    } while (!options.stateless)
  })
}

/** The same for a body that says it asks for refs: nothing else is answered, and no object is read. */
export async function listRefsV2(source: AsyncIterable<Uint8Array>, context: Omit<UploadContext, 'store'>, sink: ByteSink): Promise<void> {
  const out = new PktWriter(sink)
  await reportErrors(context, out, async () => {
    const command = await readCommand(new LineReader(new PktReader(source), context.limits))
    if (command?.name !== 'ls-refs') throw new GitError('protocol', 'expected no other command than ls-refs')
    await answerLsRefs(decodeLsRefs(command.args), context.refs, out)
  })
}

interface Command {
  name: string
  args: string[]
}

/** The next command, or undefined when the client has no more. @throws GitError `protocol` */
async function readCommand(reader: LineReader): Promise<Command | undefined> {
  const head = await reader.section()
  if (head === undefined || (head.lines.length === 0 && head.end === 'flush')) return undefined
  const capabilities = parseCapabilities(head.lines)
  const name = capabilities.get('command')
  if (name === undefined) throw new GitError('protocol', 'no command requested')
  const format = capabilities.get('object-format') ?? 'sha1'
  if (format !== 'sha1') throw new GitError('protocol', `mismatched object format: server sha1, client ${format.slice(0, 20)}`)
  const args = head.end === 'delim' ? await reader.section() : undefined
  if (args?.end === 'delim') throw new GitError('protocol', 'expected flush after arguments')
  return { name, args: args?.lines ?? [] }
}

async function answer(command: Command, context: UploadContext, out: PktWriter, sink: ByteSink): Promise<void> {
  if (command.name === 'ls-refs') return answerLsRefs(decodeLsRefs(command.args), context.refs, out)
  using session = new FetchSession(context)
  if (command.name === 'fetch') return await new Fetch(session, decodeFetch(command.args, context.limits), out, sink).run()
  if (command.name === 'object-info') return await answerObjectInfo(decodeObjectInfo(command.args, context.limits), session, out)
  throw new GitError('protocol', `invalid command '${command.name.slice(0, 40)}'`)
}

class Fetch {
  readonly #session: FetchSession
  readonly #request: FetchRequest
  readonly #out: PktWriter
  readonly #sink: ByteSink
  readonly #wantRefs: SnapshotRef[]
  readonly #wants: Set<Oid>

  constructor(session: FetchSession, request: FetchRequest, out: PktWriter, sink: ByteSink) {
    this.#session = session
    this.#request = request
    this.#out = out
    this.#sink = sink
    this.#wantRefs = resolveWantRefs(session, request)
    this.#wants = new Set([...request.wants, ...this.#wantRefs.map((ref) => ref.oid)])
  }

  async run(): Promise<void> {
    const request = this.#request
    if (this.#wants.size === 0 && !request.waitForDone) return
    this.#out.sideband = request.sidebandAll
    await checkWants(this.#session, request.wants)
    const negotiation = new Negotiation(this.#session, this.#wants)
    await this.#session.each(request.haves, (oid) => negotiation.add(oid))
    const isReady = request.done || request.haves.length === 0 || (await this.#acknowledge(negotiation))
    if (isReady && this.#wants.size > 0) await this.#send(negotiation.common)
    else await this.#out.send()
  }

  /** Says what is common; true when the pack can follow at once. */
  async #acknowledge(negotiation: Negotiation): Promise<boolean> {
    this.#out.line('acknowledgments\n')
    if (negotiation.common.length === 0) this.#out.line('NAK\n')
    for (const oid of negotiation.common) {
      this.#out.line(`ACK ${oid}\n`)
      if (this.#out.isFull) await this.#out.send()
    }
    const isReady = !this.#request.waitForDone && (await negotiation.canStop())
    if (isReady) {
      this.#out.line('ready\n')
      this.#out.delim()
    } else {
      this.#out.flush()
    }
    return isReady
  }

  async #send(haves: Oid[]): Promise<void> {
    const plan = await planShallow(this.#session, this.#request, this.#wants)
    this.#writeShallow(plan)
    this.#writeWantRefs()
    this.#out.line('packfile\n')
    await this.#out.send()
    const order = { wants: this.#wants.union(new Set(plan.extraWants)), haves: [...haves, ...plan.unshallow], cuts: plan.cuts, request: this.#request }
    await sendPack(this.#session, order, 'side-band-64k', this.#sink)
    this.#out.flush()
    await this.#out.send()
  }

  /** Who asks for a boundary hears of it even when nothing changes, as from git. */
  #writeShallow(plan: ShallowPlan): void {
    if (!isDeepening(this.#request) && this.#request.shallows.length === 0) return
    this.#out.line('shallow-info\n')
    writeBoundary(plan, this.#out)
    this.#out.delim()
  }

  #writeWantRefs(): void {
    if (this.#wantRefs.length === 0) return
    this.#out.line('wanted-refs\n')
    for (const ref of this.#wantRefs) this.#out.line(`${ref.oid} ${ref.name}\n`)
    this.#out.delim()
  }
}

/** The new boundary of a client's history, as all versions of the protocol write it: without line feeds, which libgit2 refuses here. */
export function writeBoundary(plan: ShallowPlan, out: PktWriter): void {
  for (const oid of plan.shallow) out.line(`shallow ${oid}`)
  for (const oid of plan.unshallow) out.line(`unshallow ${oid}`)
}
