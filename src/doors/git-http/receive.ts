import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Member, RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { type ObjectType, SHA1 } from '#git/objects/oid.ts'
import { publishPacks } from '#git/packs/publish.ts'
import { PktReader } from '#git/protocol/pkt-line.ts'
import { PushAnswer, type PushReport } from '#git/protocol/receive-pack.ts'
import { readUpdateRequest, type UpdateRequest } from '#git/protocol/update-request.ts'
import type { ReceiveNotice, ReceiveOutput } from '#git/workers/stream-tasks.ts'
import { Problem } from '#kernel/errors.ts'
import { randomHex } from '#kernel/ids.ts'
import { type RefUpdate, updateRefs } from '#repositories/refs/index.ts'
import { expectUpkeep } from '#repositories/upkeep/index.ts'
import { drain, gitBody, type ResponseBody, respond } from './body.ts'
import { requirePushStill } from './git-gate.ts'
import { type PushPolicy, policies } from './policies.ts'

/** A push as its parts hand it on. */
interface Push {
  context: Context
  repo: RepoRow
  viewer: Member
  request: UpdateRequest
}

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
  const body = gitBody(httpRequest, context.git.limits.maxPackBytes + MAX_AROUND_PACK, context.config.git.REQUEST_SECONDS)
  const reader = new PktReader(body)
  const request = await readUpdateRequest(reader, context.git.limits).catch(async (error) => {
    await body.return(undefined)
    throw error
  })
  if (request.commands.length === 0) return respond(async () => {}, { end: onEnd })
  const { repo, greeting, undo } = await place.open(request.options)
  const push: Push = { context, repo, viewer: place.viewer, request }
  const leave = await context.pushes.share(repo.id)
  const incoming = takePack(push, reader)
  await incoming.sent
  return respond(
    async (sink) => {
      const answer = new PushAnswer(sink, request.capabilities)
      const report = await finish(push, incoming, answer).finally(leave)
      if (incoming.result) expectUpkeep(context, repo.id)
      if (undo && !report.results.some((one) => one.ok)) undo()
      else if (greeting) await answer.say(greeting)
      await answer.report(report)
    },
    { end: onEnd },
  )
}

interface Incoming {
  /** Resolves when the client has sent everything, or enough to know that it is no use. */
  sent: Promise<void>
  /** Undefined for a push that only deletes. */
  result: Promise<ReceiveOutput> | undefined
  quarantine: string
  /** Hears of progress from now on. */
  listen(listener: (notice: ReceiveNotice) => void): void
}

function takePack(push: Push, reader: PktReader): Incoming {
  const { context, repo, request } = push
  const place = { path: context.git.pathOf(repo.id), limits: context.git.limits }
  const quarantine = join(place.path, 'objects', `tmp_incoming-${randomHex(8)}`)
  if (request.commands.every((command) => command.new === SHA1.zero)) return { sent: Promise.resolve(), result: undefined, quarantine, listen: () => {} }
  let listener: ((notice: ReceiveNotice) => void) | undefined
  const call = context.git.pool.stream('receive', place, { quarantine, updates: request.commands }, (notice: ReceiveNotice) => listener?.(notice))
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
    quarantine,
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
    return { unpack: 'ok', results: land(push, received) }
  } catch (error) {
    return refuseAll('ok', reasonFor(error, push))
  } finally {
    rmSync(incoming.quarantine, { recursive: true, force: true })
  }
}

/** What the pusher reads of a failure; one that is not the pusher's own is logged. */
function reasonFor(error: unknown, { context, repo }: Push): string {
  if (error instanceof GitError || error instanceof Problem) return error.message
  context.log.error('push failed', error, { repo: repo.id })
  return 'internal error, see the log of the server'
}

/** From this many objects on, a push is long enough to talk about. */
const TALKATIVE = 1000

const phases = { receiving: 'Receiving objects', resolving: 'Resolving deltas', checking: 'Checking connectivity' }

function progressLine({ phase, done, total }: ReceiveNotice): string {
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total)
  return `${phases[phase]}: ${String(percent).padStart(3)}% (${done}/${total})${done === total ? ', done.\n' : '\r'}`
}

/**
 * One transaction without a pause: policies and refs are judged, and when anything is accepted the pack becomes
 * visible just before the commit. A crash in between leaves an unreferenced pack, never a ref without its objects.
 */
function land(push: Push, received: ReceiveOutput | undefined): PushReport['results'] {
  const { context, repo, request, viewer } = push
  return context.db.tx((tx) => {
    requirePushStill(tx, viewer, repo.id)
    const refused = new Map<string, string>()
    const tips = new Map(received?.pack.tips.map((tip) => [tip.oid, tip]))
    const fastForward = new Set(received?.fastForward)
    const updates = request.commands.map((command) => ({
      ...command,
      peeled: tips.get(command.new)?.peeled,
      fastForward: fastForward.has(command.name) || command.old === SHA1.zero,
    }))
    for (const update of updates) {
      const reason =
        checkType(update, tips.get(update.new)?.type) ?? policies.map((policy: PushPolicy) => policy(tx, repo, update)).find((found) => found !== undefined)
      if (reason !== undefined) refused.set(update.name, reason)
    }
    const atomic = request.capabilities.has('atomic')
    const judged = atomic && refused.size > 0 ? [] : updates.filter((update) => !refused.has(update.name))
    const results = updateRefs(context, tx, {
      repoId: repo.id,
      actorId: viewer.user.id,
      message: 'push',
      updates: judged,
      atomic,
      leavesUnreachable: refused.size > 0 || received?.pack.closed === false,
    })
    if (received && results.some((one) => one.ok)) publishPacks([received.pack.packPath], join(context.git.pathOf(repo.id), 'objects', 'pack'))
    const byName = new Map(results.map((one) => [one.name, one]))
    return updates.map(({ name }) => byName.get(name) ?? { name, ok: false, reason: refused.get(name) ?? 'atomic push failed' })
  })
}

/** Branches point to commits: anything else would break every reader of the branch. */
function checkType(update: RefUpdate, type: ObjectType | undefined): string | undefined {
  if (update.new === SHA1.zero || !update.name.startsWith('refs/heads/')) return undefined
  return type === 'commit' ? undefined : `cannot update a branch to a ${type ?? 'missing object'}`
}
