import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import type { PktReader } from '#git/protocol/pkt-line.ts'
import type { ReceiveNotice, ReceiveOutput } from '#git/workers/stream-tasks.ts'
import { TooSlow } from '#kernel/pace.ts'
import { drain } from './body.ts'
import type { PushPlan } from './push-plan.ts'

const MAX_DRAIN_BYTES = 256 * 1024 * 1024

/** The objects of a push on their way. */
export interface Incoming {
  /** Resolves when the client has sent everything, or enough to know that it is no use. */
  sent: Promise<void>
  /** Undefined for a push that only deletes, and one that nobody lets pass. */
  result: Promise<ReceiveOutput> | undefined
  /** Why no more of it is waited for, where its sender still sends. */
  readonly tooSlow: TooSlow | undefined
  /** Nobody waits for it any more. */
  stop(): void
  /** Hears of progress from now on. */
  listen(listener: (notice: ReceiveNotice) => void): void
}

/** Reads and discards the rest of a rejected push, within the limits of its body: git prints the reason only after it has sent everything. */
export function drainRest(source: AsyncIterator<Uint8Array>): Promise<void> {
  return drain(source, MAX_DRAIN_BYTES)
}

/** Has the pack indexed and checked in a worker, which leaves it in `quarantine`; of a push that is refused it is thrown away unread. */
export function takePack(
  context: Pick<Context, 'config' | 'git'>,
  repoId: number,
  plan: PushPlan,
  quarantine: string,
  reader: PktReader,
  sender: string,
): Incoming {
  const source = reader.rest()
  const none = { result: undefined, tooSlow: undefined, stop: () => {}, listen: () => {} }
  if (plan.tips.length === 0) return { ...none, sent: plan.refused.size === 0 ? Promise.resolve() : drainRest(source) }
  let listener: ((notice: ReceiveNotice) => void) | undefined
  const place = { path: context.git.pathOf(repoId), limits: context.git.limits }
  const call = context.git.pool.stream('receive', place, { quarantine, ...inputOf(plan) }, (notice: ReceiveNotice) => listener?.(notice), sender)
  const { REQUEST_SECONDS } = context.config.git
  const deadline = setTimeout(() => call.abort(new GitError('limit', `The push took longer than ${REQUEST_SECONDS} seconds`)), REQUEST_SECONDS * 1000)
  void call.result.catch(() => {}).finally(() => clearTimeout(deadline))
  let tooSlow: TooSlow | undefined
  const sent = sendAll(source, call).catch((error) => {
    if (error instanceof TooSlow) tooSlow = error
    call.abort(reasonOf(error))
  })
  return {
    sent,
    result: call.result,
    get tooSlow() {
      return tooSlow
    },
    stop: () => call.abort(),
    listen: (added) => {
      listener = added
    },
  }
}

/** Why a pack does not come on, for the pusher's terminal: who is only slow reads it there. */
function reasonOf(error: unknown): GitError | undefined {
  if (error instanceof GitError) return error
  return error instanceof TooSlow ? new GitError('protocol', error.message) : undefined
}

function inputOf({ branches, proposals, tips }: PushPlan) {
  const heads = proposals.flatMap(({ command, head }) => (head === undefined ? [] : [{ name: command.name, old: head, new: command.new }]))
  const described = [...new Set(proposals.map(({ command }) => command.new))]
  return { tips, moved: [...branches.pairs, ...heads], described }
}

/** Sends the pack to the worker. If the worker rejects the pack, reads and discards the rest. */
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
  await drainRest(iterator)
}
