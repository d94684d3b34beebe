import { accessTo, actingAlone, atLeast, type Member, type RepoAccess, type RepoRow, unitOfStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { hasChanged, type RefReport } from '#git/protocol/receive-pack.ts'
import type { UpdateRequest } from '#git/protocol/update-request.ts'
import type { ReceiveOutput } from '#git/workers/stream-tasks.ts'
import { breathe } from '#kernel/breathe.ts'
import type { Tx } from '#kernel/db.ts'
import { Busy } from '#kernel/errors.ts'
import {
  type MoveRefs,
  mayPush,
  type ObjectWriting,
  REFUSED_WITH_OTHERS,
  type RefPolicy,
  type RefResult,
  type RefUpdate,
  StaleStage,
} from '#repositories/refs/index.ts'
import { type ProposalResult, propose, welcome } from '#work/pulls/index.ts'
import { requirePushStill } from './git-gate.ts'
import { policies } from './policies.ts'
import { DENIED, type PushPlan } from './push-plan.ts'

/** A push as its parts hand it on. */
export interface Push {
  context: Context
  repo: RepoRow
  viewer: Member
  request: UpdateRequest
  plan: PushPlan
  writing: ObjectWriting
  /** Called in the transaction in which a ref moves. */
  fill?(tx: Tx): void
}

export interface Landed {
  results: readonly RefReport[]
  proposals: ProposalResult[]
}

/** How often it begins anew when another program writes, or others move refs that it is about to move. */
const MOST_TRIES = 3
/** How many updates are looked at in one go. */
const SLICE = 2000

/** A pack that took an hour to arrive is not refused because the command line writes at this moment. */
export async function landWhenFree(push: Push, received: ReceiveOutput | undefined): Promise<Landed> {
  if (received) {
    const { packPath, objects, tips, closed } = received.pack
    push.writing.take({ packPath: objects > 0 ? packPath : undefined, tips, isClosed: closed })
  }
  const updates = await updatesOf(push, received)
  for (let tries = 1; ; tries++) {
    const repo = accessTo(push.context.db, push.viewer, push.repo.id)
    if (repo) await push.writing.stage(moveOf(push, repo, updates))
    try {
      const landed = await land(push, updates, received)
      for (const proposal of landed.proposals) void push.context.tasks.start('proposed changes', () => welcome(push.context, proposal))
      return landed
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof Busy || error instanceof StaleStage)) throw error
      if (error instanceof Busy) await push.context.db.untilFree()
    }
  }
}

/** What the refs may move to, and the moves. */
async function updatesOf({ plan }: Push, received: ReceiveOutput | undefined): Promise<RefUpdate[]> {
  plan.branches.setFastForward(received?.fastForward ?? [])
  const updates: RefUpdate[] = []
  for (const [i, { name, old, new: oid }] of plan.moves.entries()) {
    updates.push({ name, old, new: oid, fastForward: old === SHA1.zero || plan.branches.isFastForward(i) })
    if (i % SLICE === SLICE - 1) await breathe()
  }
  return updates
}

/** One of a push that is to move all or nothing does not move. */
class NotAll extends Error {
  readonly results: readonly RefReport[]

  constructor(results: readonly RefReport[]) {
    super('not all refs of the push can be updated')
    this.results = results
  }
}

async function land(push: Push, updates: readonly RefUpdate[], received: ReceiveOutput | undefined): Promise<Landed> {
  const isAtomic = push.request.capabilities.has('atomic')
  try {
    return await push.writing.landPrepared({ actorId: push.viewer.user.id, updates }, (tx, move) => {
      const landed = landAll(push, tx, move, updates, received)
      if (isAtomic && landed.results.some(({ ok }) => !ok)) throw new NotAll(landed.results)
      if (hasChanged(landed.results)) push.fill?.(tx)
      return landed
    })
  } catch (error) {
    if (!(error instanceof NotAll)) throw error
    return { results: error.results.map((one) => (one.ok ? { name: one.name, ok: false, reason: REFUSED_WITH_OTHERS } : one)), proposals: [] }
  }
}

/** Judges by what holds now: the push may have taken an hour. */
function landAll(push: Push, tx: Tx, move: MoveRefs, updates: readonly RefUpdate[], received: ReceiveOutput | undefined): Landed {
  const { context, request, viewer, plan } = push
  const repo = requirePushStill(context, tx, viewer, push.repo.id)
  const moved = updates.length === 0 ? [] : move(moveOf(push, repo, updates))
  const proposed = plan.proposals.map(({ command }) => proposeOne(push, tx, move, repo, command.name, received))
  if (proposed.length === 0 && plan.refused.size === 0) return { results: moved.some(({ ok }) => !ok) ? moved.map(namingRule) : moved, proposals: [] }
  const byName = new Map<string, RefReport>([...moved.map(namingRule), ...proposed.map(reportOf)].map((one) => [one.name, one]))
  for (const [name, reason] of plan.refused) byName.set(name, { name, ok: false, reason })
  const results = request.commands.map(({ name }) => byName.get(name) ?? { name, ok: false, reason: 'refused' })
  return { results, proposals: proposed.filter((one) => one.ok) }
}

/** What is asked of the refs that move as they are named. */
function moveOf(push: Push, repo: RepoAccess, updates: readonly RefUpdate[]): Parameters<MoveRefs>[0] {
  const { request, viewer } = push
  const all = [refuseUndecodable(request), refuseUnentitled(push, repo), ...policies]
  return { actorId: viewer.user.id, acting: actingAlone(viewer), message: 'push', updates, policies: all, atomic: request.capabilities.has('atomic') }
}

type Outcome = ProposalResult | (RefReport & { ok: false })

function proposeOne(
  { context, plan, viewer, request }: Push,
  tx: Tx,
  move: MoveRefs,
  repo: RepoAccess,
  ref: string,
  received: ReceiveOutput | undefined,
): Outcome {
  const { command, head } = plan.proposals.find((one) => one.command.name === ref) as PushPlan['proposals'][number]
  const contains = received?.fastForward.includes(ref) ? head : undefined
  const asked = { viewer, repo, ref, oid: command.new, options: request.options, message: received?.messages[command.new], contains }
  const outcome = propose(context, tx, asked, move)
  return typeof outcome === 'string' ? { name: ref, ok: false, reason: outcome } : outcome
}

function reportOf(outcome: Outcome): RefReport {
  if (!outcome.ok) return outcome
  const { name, ref, before, after, isForced } = outcome
  return { name, ok: true, moved: { ref, before, after, isForced } }
}

/** Who is refused by a rule that people made reads its name. */
function namingRule(result: RefResult): RefReport {
  if (result.ok || result.rule === undefined) return result
  const advice = result.reason.startsWith('Not allowed to push') ? '. Open a pull request instead.' : ''
  return { ...result, reason: `${result.reason} (branch protection "${result.rule}")${advice}` }
}

/** Names are text here; of one that is none only the pusher knows which it is. */
function refuseUndecodable({ undecodable }: UpdateRequest): RefPolicy {
  const policy = (_tx: Tx, _repo: RepoRow, update: RefUpdate) => (undecodable.has(update.name) ? 'the ref name is not valid UTF-8' : undefined)
  return Object.assign(policy, { basis: () => '' })
}

/** Who may push one ref may not push another for that, unless it is who may write to all of them. */
function refuseUnentitled({ context, viewer }: Push, repo: RepoAccess): RefPolicy {
  if (atLeast(repo.permission.of(unitOfStore(repo.row.id)), 'write')) return Object.assign(() => undefined, { basis: () => '' })
  return (tx, _repo, update) => (mayPush(context, tx, viewer, repo, update) ? undefined : DENIED)
}
