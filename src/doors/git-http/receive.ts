import { accessTo, lineOf, type Member, paceOf, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { PktReader } from '#git/protocol/pkt-line.ts'
import { hasChanged, PushAnswer, type PushReport } from '#git/protocol/receive-pack.ts'
import { PushTooLarge, readUpdateRequest, type UpdateRequest } from '#git/protocol/update-request.ts'
import type { ReceiveNotice, ReceiveOutput } from '#git/workers/stream-tasks.ts'
import type { Tx } from '#kernel/db.ts'
import { diskProblem } from '#kernel/disk-trouble.ts'
import { Busy, NotFound, Problem } from '#kernel/errors.ts'
import { Progress } from '#kernel/pace.ts'
import { ObjectWriting, StaleStage } from '#repositories/refs/index.ts'
import { expectUpkeep } from '#repositories/upkeep/index.ts'
import { gitBody, type ResponseBody, respond } from './body.ts'
import { type Landed, landWhenFree, type Push } from './land-push.ts'
import { hintsOf } from './push-hints.ts'
import { planPush } from './push-plan.ts'
import { drainRest, type Incoming, takePack } from './take-pack.ts'

/** Commands, options and packet headers around a pack. */
const MAX_AROUND_PACK = 64 * 1024 * 1024

export interface PushPlace {
  viewer: Member
  /** Called once the request is known to be a push: finds or creates the repository. */
  open(options: readonly string[]): OpenedPlace
}

export interface OpenedPlace {
  repo: RepoRow
  /** What the pusher is told when something lands. */
  greeting?: string
  /** Makes what the push needs there, now that nobody takes it away. */
  prepare?(): void
  /** Called in the transaction in which something lands. */
  fill?(tx: Tx): void
  /** Called when nothing has, and nobody is in it any more on the push's behalf. */
  undo?(): void
}

export interface ReceiveAnswer {
  body: ResponseBody
  headers?: Record<string, string> | undefined
}

/**
 * Answers `POST …/git-receive-pack`: commands are read, the pack is taken into quarantine and checked in a worker,
 * then in one transaction the refs move, or nothing does. The response begins when the client has sent everything.
 */
export async function answerReceive(context: Context, place: PushPlace, httpRequest: Request, onEnd: (error?: unknown) => void): Promise<ReceiveAnswer> {
  const pace = paceOf(context.config)
  const body = gitBody(httpRequest, { maxBytes: context.git.limits.maxPackBytes + MAX_AROUND_PACK, seconds: context.config.git.REQUEST_SECONDS, pace })
  const reader = new PktReader(body)
  const client = new Progress(pace)
  const request = await readUpdateRequest(reader, context.git.limits).catch(async (error) => {
    if (error instanceof PushTooLarge) return error
    await body.return(undefined)
    throw error
  })
  if (request instanceof PushTooLarge) {
    await drainRest(body)
    return { body: await respond((sink) => new PushAnswer(sink, request.read).fail(request.message), client, { end: onEnd }) }
  }
  if (request.commands.length === 0) return { body: await respond(async () => {}, client, { end: onEnd }) }
  const begun = await begin(context, place, request, reader).catch((error) => refusalFor(context, error))
  if (begun instanceof Problem) {
    await drainRest(body)
    return { body: await respond((sink) => new PushAnswer(sink, request).report(refuseAll(request, 'ok', begun.message)), client, { end: onEnd }) }
  }
  const { push, incoming, opened } = begun
  const { repo, greeting, undo } = opened
  const answerBody = await respond(
    async (sink) => {
      const answer = new PushAnswer(sink, request)
      // Whoever still sends reads of it now, and of the report once all is sent.
      if (incoming.tooSlow) await answer.say(`${incoming.tooSlow.message}\n`)
      const report = await finish(push, incoming, answer).finally(() => push.writing.end())
      const received = await incoming.result?.catch(() => undefined)
      // A ref that moves to what is stored leaves nothing to look after.
      if (received && received.pack.objects > 0) expectUpkeep(context, repo.id)
      if (report.results.some((one) => one.wasAbsent)) await answer.say('warning: deleting a non-existent ref\n')
      if (!hasChanged(report.results)) undo?.()
      else await answer.say(`${greeting ?? ''}${await hintsOf(push, report)}`)
      await answer.report(report)
    },
    client,
    { gone: () => incoming.stop(), end: onEnd },
  )
  return { body: answerBody, headers: incoming.tooSlow?.headers }
}

/** Judges what is asked for, and takes the pack in. @throws NotFound when the pusher may not see the repository any more */
async function begin(context: Context, { viewer, open }: PushPlace, request: UpdateRequest, reader: PktReader) {
  const opened = open(request.options)
  const { repo, prepare, fill, undo } = opened
  const writing = await ObjectWriting.begin(context, repo.id)
  try {
    prepare?.()
    const access = accessTo(context.db, viewer, repo.id)
    if (!access) throw new NotFound('Repository not found.')
    const plan = await planPush(context, viewer, access, request)
    const incoming = takePack(context, repo.id, plan, writing.quarantine, reader, lineOf(viewer))
    await incoming.sent
    const push: Push = { context, repo, viewer, request, plan, writing, fill }
    return { push, incoming, opened }
  } catch (error) {
    await writing.end()
    undo?.()
    throw error
  }
}

/** What a push is told in its report that is no fault of its own: of a status git shows no more than the number. @throws what is anything else */
function refusalFor(context: Pick<Context, 'disk' | 'log'>, error: unknown): Problem {
  const problem = error instanceof Busy ? error : diskProblem(error)
  if (!problem) throw error
  context.disk.report(error)
  context.log.error('push failed', error)
  return problem
}

function refuseAll({ commands }: Pick<UpdateRequest, 'commands'>, unpack: string, reason: string): PushReport {
  return { unpack, results: commands.map(({ name }) => ({ name, ok: false, reason })) }
}

/** Waits for the checked pack, then moves the refs. */
async function finish(push: Push, incoming: Incoming, answer: PushAnswer): Promise<PushReport & Partial<Landed>> {
  let received: ReceiveOutput | undefined
  try {
    incoming.listen((notice) => void answer.progress(progressLine(notice)).catch(() => {}))
    received = await incoming.result
    if (received && received.pack.objects >= TALKATIVE) await answer.progress(`Checked ${received.pack.objects} objects, done.\n`)
  } catch (error) {
    return refuseAll(push.request, reasonFor(error, push), 'unpacker error')
  }
  try {
    return { unpack: 'ok', ...(await landWhenFree(push, received)) }
  } catch (error) {
    return refuseAll(push.request, 'ok', reasonFor(error, push))
  }
}

/** What the pusher reads of a failure; one that is not the pusher's own is logged. */
function reasonFor(error: unknown, { context, repo, writing }: Push): string {
  if (writing.isGone) return 'Repository not found.'
  if (error instanceof GitError || error instanceof Problem || error instanceof StaleStage) return error.message
  context.disk.report(error)
  context.log.error('push failed', error, { repo: repo.id })
  return diskProblem(error)?.message ?? 'internal error, see the server log'
}

/** From this many objects on, a push is long enough to talk about. */
const TALKATIVE = 1000

const phases = { receiving: 'Receiving objects', resolving: 'Resolving deltas', checking: 'Checking connectivity' }

function progressLine({ phase, done, total }: ReceiveNotice): string {
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total)
  return `${phases[phase]}: ${String(percent).padStart(3)}% (${done}/${total})${done === total ? ', done.\n' : '\r'}`
}
