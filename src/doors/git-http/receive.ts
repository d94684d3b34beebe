import { type Member, paceOf, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { PktReader } from '#git/protocol/pkt-line.ts'
import { PushAnswer, type PushReport } from '#git/protocol/receive-pack.ts'
import { readUpdateRequest, type UpdateRequest } from '#git/protocol/update-request.ts'
import { HEADS } from '#git/refs/names.ts'
import type { ReceiveNotice, ReceiveOutput } from '#git/workers/stream-tasks.ts'
import { diskProblem } from '#kernel/disk-trouble.ts'
import { Busy, Problem } from '#kernel/errors.ts'
import { ObjectWriting, type RefPolicy, type RefResult, type RefUpdate } from '#repositories/refs/index.ts'
import { expectUpkeep } from '#repositories/upkeep/index.ts'
import { drain, gitBody, type ResponseBody, respond } from './body.ts'
import { requirePushStill } from './git-gate.ts'
import { policies } from './policies.ts'

/** A push as its parts hand it on. */
interface Push {
  context: Context
  repo: RepoRow
  viewer: Member
  request: UpdateRequest
  writing: ObjectWriting
}

/** How long a whole push waits for another program's write. */
const BUSY_MS = 10_000
const MAX_DRAIN_BYTES = 256 * 1024 * 1024
const MAX_DRAIN_MS = 20_000
/** Commands, options and packet headers around a pack. */
const MAX_AROUND_PACK = 64 * 1024 * 1024

export interface PushPlace {
  viewer: Member
  /** Called once the request is known to be a push: finds or creates the repository. */
  open(options: readonly string[]): Promise<{ repo: RepoRow; greeting?: string; undo?: () => void }>
}

/**
 * Answers `POST …/git-receive-pack`: commands are read, the pack is taken into quarantine and checked in a worker,
 * then in one transaction the refs move, or nothing does. The response begins when the client has sent everything.
 */
export async function answerReceive(context: Context, place: PushPlace, httpRequest: Request, onEnd: (error?: unknown) => void): Promise<ResponseBody> {
  const pace = paceOf(context.config)
  const body = gitBody(httpRequest, { maxBytes: context.git.limits.maxPackBytes + MAX_AROUND_PACK, seconds: context.config.git.REQUEST_SECONDS, pace })
  const reader = new PktReader(body)
  const request = await readUpdateRequest(reader, context.git.limits).catch(async (error) => {
    await body.return(undefined)
    throw error
  })
  if (request.commands.length === 0) return respond(async () => {}, pace, { end: onEnd })
  const { repo, greeting, undo } = await place.open(request.options)
  const push: Push = { context, repo, viewer: place.viewer, request, writing: await ObjectWriting.begin(context, repo.id) }
  const incoming = takePack(push, reader)
  await incoming.sent
  return respond(
    async (sink) => {
      const answer = new PushAnswer(sink, request)
      const report = await finish(push, incoming, answer).finally(() => push.writing.end())
      if (incoming.result) expectUpkeep(context, repo.id)
      if (!report.results.some((one) => one.ok)) undo?.()
      else if (greeting) await answer.say(greeting)
      await answer.report(report)
    },
    pace,
    { end: onEnd },
  )
}

interface Incoming {
  /** Resolves when the client has sent everything, or enough to know that it is no use. */
  sent: Promise<void>
  /** Undefined for a push that only deletes. */
  result: Promise<ReceiveOutput> | undefined
  /** Hears of progress from now on. */
  listen(listener: (notice: ReceiveNotice) => void): void
}

function takePack(push: Push, reader: PktReader): Incoming {
  const { context, repo, request } = push
  const { quarantine } = push.writing
  const place = { path: context.git.pathOf(repo.id), limits: context.git.limits }
  if (request.commands.every((command) => command.new === SHA1.zero)) return { sent: Promise.resolve(), result: undefined, listen: () => {} }
  let listener: ((notice: ReceiveNotice) => void) | undefined
  const changes = request.commands.filter((command) => command.new !== SHA1.zero)
  const tips = [...new Set(changes.map((command) => command.new))]
  const moved = changes.filter((command) => command.old !== SHA1.zero && command.name.startsWith(HEADS))
  const call = context.git.pool.stream('receive', place, { quarantine, tips, moved }, (notice: ReceiveNotice) => listener?.(notice))
  const deadline = setTimeout(() => call.abort(), context.config.git.REQUEST_SECONDS * 1000)
  void call.result.catch(() => {}).finally(() => clearTimeout(deadline))
  const source = reader.rest()
  const sent = sendAll(source, call).catch(() => call.abort())
  const stopped = call.result.then(
    () => {},
    () => drain(source, MAX_DRAIN_BYTES, MAX_DRAIN_MS),
  )
  return {
    sent: Promise.race([sent, stopped]),
    result: call.result,
    listen: (added) => {
      listener = added
    },
  }
}

async function sendAll(
  source: AsyncIterable<Uint8Array>,
  call: { write(bytes: Uint8Array): Promise<void>; end(): void; result: Promise<unknown> },
): Promise<void> {
  let failed = false
  call.result.catch(() => {
    failed = true
  })
  const iterator = source[Symbol.asyncIterator]()
  while (!failed) {
    const next = await iterator.next()
    if (next.done) return call.end()
    await call.write(next.value)
  }
}

/** Waits for the checked pack, then moves the refs. */
async function finish(push: Push, incoming: Incoming, answer: PushAnswer): Promise<PushReport> {
  const refuseAll = (unpack: string, reason: string): PushReport => ({
    unpack,
    results: push.request.commands.map(({ name }) => ({ name, ok: false, reason })),
  })
  let received: ReceiveOutput | undefined
  try {
    incoming.listen((notice) => void answer.progress(progressLine(notice)).catch(() => {}))
    received = await incoming.result
    if (received && received.pack.objects >= TALKATIVE) await answer.progress(`Checked ${received.pack.objects} objects, done.\n`)
  } catch (error) {
    return refuseAll(reasonFor(error, push), 'unpacker error')
  }
  try {
    return { unpack: 'ok', results: await landWhenFree(push, received) }
  } catch (error) {
    return refuseAll('ok', reasonFor(error, push))
  }
}

/** What the pusher reads of a failure; one that is not the pusher's own is logged. */
function reasonFor(error: unknown, { context, repo, writing }: Push): string {
  if (writing.isGone) return 'Repository not found.'
  if (error instanceof GitError || error instanceof Problem) return error.message
  context.disk.report(error)
  context.log.error('push failed', error, { repo: repo.id })
  return diskProblem(error)?.message ?? 'internal error, see the log of the server'
}

/** From this many objects on, a push is long enough to talk about. */
const TALKATIVE = 1000

const phases = { receiving: 'Receiving objects', resolving: 'Resolving deltas', checking: 'Checking connectivity' }

function progressLine({ phase, done, total }: ReceiveNotice): string {
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total)
  return `${phases[phase]}: ${String(percent).padStart(3)}% (${done}/${total})${done === total ? ', done.\n' : '\r'}`
}

/** What the refs may move to, and the moves. */
function updatesOf({ request, writing }: Push, received: ReceiveOutput | undefined): RefUpdate[] {
  const fastForward = new Set(received?.fastForward)
  if (received) {
    const { packPath, objects, tips, closed } = received.pack
    writing.take({ packPath: objects > 0 ? packPath : undefined, tips, isClosed: closed })
  }
  return request.commands.map(({ name, old, new: oid }) => ({ name, old, new: oid, fastForward: old === SHA1.zero || fastForward.has(name) }))
}

/** A pack that took an hour to arrive is not refused because the command line writes at this moment. */
async function landWhenFree(push: Push, received: ReceiveOutput | undefined): Promise<PushReport['results']> {
  const updates = updatesOf(push, received)
  await push.writing.stage(updates)
  try {
    return await land(push, updates)
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    await push.context.db.untilFree(BUSY_MS)
    return land(push, updates)
  }
}

/** Judges by what holds now: the push may have taken an hour. */
async function land({ request, viewer, repo, writing }: Push, updates: readonly RefUpdate[]): Promise<PushReport['results']> {
  const coming = { actorId: viewer.user.id, updates }
  const results = await writing.landPrepared(coming, (tx, move) => {
    requirePushStill(tx, viewer, repo.id)
    const all = [refuseUndecodable(request), ...policies]
    return move({ ...coming, message: 'push', policies: all, atomic: request.capabilities.has('atomic') })
  })
  return results.map(namingRule)
}

/** Who is refused by a rule that people made reads its name. */
function namingRule(result: RefResult): PushReport['results'][number] {
  return result.ok || result.rule === undefined ? result : { ...result, reason: `${result.reason} (branch protection "${result.rule}")` }
}

/** Names are text here; of one that is none only the pusher knows which it is. */
function refuseUndecodable({ undecodable }: UpdateRequest): RefPolicy {
  return (_tx, _repo, update) => (undecodable.has(update.name) ? 'the name of the ref is not UTF-8' : undefined)
}
