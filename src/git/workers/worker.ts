import { areOthersWaiting, awake, breathe, untilAborted } from '#kernel/breathe.ts'
import { ByteQueue, Credit } from '../byte-queue.ts'
import { GitError } from '../errors.ts'
import { releaseMapsSoon } from '../mapped-files.ts'
import type { MemoryTurn } from '../packs/receive/memory-turn.ts'
import { carry, revive } from './carried-error.ts'
import { ANSWER_WINDOW_BYTES, answerPieces, type FromWorker, owned, type ToWorker, WINDOW_BYTES } from './messages.ts'
import { OpenRepos } from './open-repos.ts'
import { shardTasks } from './shard-tasks.ts'
import { SharedBuffers } from './shared-buffers.ts'
import { streamTasks } from './stream-tasks.ts'
import type { TaskIo } from './task-io.ts'
import { tasks } from './tasks.ts'

/** The entry of a worker thread: many calls at once, each an async function that breathes. */
declare const self: { onmessage: (event: MessageEvent<ToWorker>) => void }

interface Call {
  incoming: ByteQueue
  credit: Credit
  abort: AbortController
  /** Called once the memory that the call asked for is granted. */
  onGranted?: () => void
  /** Called when others wait for it. */
  onAwaited?: () => void
  forks: Map<number, { resolve: (outputs: unknown[]) => void; reject: (error: unknown) => void }>
}

type AnyShard = (input: unknown, repos: OpenRepos) => Promise<unknown>
type AnyTask = (repo: unknown, input: unknown, io?: TaskIo) => Promise<unknown>

/** The function of that name; the pool, which has typed the call, sends its input and nothing else. */
function named<Work>(table: object, name: string): Work {
  return (table as Record<string, Work>)[name] as Work
}

const repos = new OpenRepos()
/** Streams that are under way, by the id of their call. */
const calls = new Map<number, Call>()
/** Runs that are under way, by the id of their call. */
const runs = new Map<number, AbortController>()
let nextFork = 1

self.onmessage = ({ data }) => {
  awake()
  switch (data.kind) {
    case 'run':
      return void run(data)
    case 'shard':
      return void shard(data)
    case 'stream':
      return void stream(data)
    case 'forget':
      return repos.forget(data.path)
    default:
      return deliver(data)
  }
}

/** The pool aborts only what reads, or is done as well after the next start: such a task ends at its next breath. */
async function run({ id, task, repo, input, isLong }: Extract<ToWorker, { kind: 'run' }>): Promise<void> {
  const abort = new AbortController()
  runs.set(id, abort)
  const work = async () => {
    // Many may come in one turn: one whose askers leave while others work never begins.
    if (isLong && areOthersWaiting()) await breathe()
    return repos.use(repo, (open) => named<AnyTask>(tasks, task)(open, input))
  }
  await settle(id, () => untilAborted(abort.signal, work))
  runs.delete(id)
}

async function shard({ id, task, input }: Extract<ToWorker, { kind: 'shard' }>): Promise<void> {
  await settle(id, () => named<AnyShard>(shardTasks, task)(input, repos))
  // It leaves tens of megabytes behind, which nothing would collect while this thread is idle and others still index the pack.
  if (task === 'resolveShard') Bun.gc(true)
}

function deliver(data: Exclude<ToWorker, { kind: 'run' | 'shard' | 'stream' | 'forget' }>): void {
  if (data.kind === 'abort') runs.get(data.id)?.abort()
  const call = calls.get(data.id)
  if (!call) return
  if (data.kind === 'bytes') call.incoming.push(data.bytes)
  else if (data.kind === 'end') call.incoming.end()
  else if (data.kind === 'taken') call.credit.give(data.count)
  else if (data.kind === 'abort') abort(call, data.error ? revive(data.error) : new GitError('protocol', 'The client disconnected'))
  else if (data.kind === 'granted') call.onGranted?.()
  else if (data.kind === 'awaited') call.onAwaited?.()
  else {
    const fork = call.forks.get(data.fork)
    call.forks.delete(data.fork)
    if (data.error) fork?.reject(revive(data.error))
    else fork?.resolve(data.outputs ?? [])
  }
}

function abort(call: Call, why: Error): void {
  call.abort.abort(why)
  call.incoming.fail(why)
  call.credit.give(Number.MAX_SAFE_INTEGER)
}

async function stream({ id, task, repo, input }: Extract<ToWorker, { kind: 'stream' }>): Promise<void> {
  const call: Call = {
    incoming: new ByteQueue(WINDOW_BYTES, (count) => post({ kind: 'taken', id, count })),
    credit: new Credit(ANSWER_WINDOW_BYTES),
    abort: new AbortController(),
    forks: new Map(),
  }
  calls.set(id, call)
  const shared = new SharedBuffers((buffer) => post({ kind: 'share', id, buffer }))
  const io: TaskIo = {
    incoming: call.incoming,
    signal: call.abort.signal,
    notify: (notice) => post({ kind: 'notice', id, notice }),
    async send(bytes) {
      for (const piece of answerPieces(bytes)) {
        call.abort.signal.throwIfAborted()
        await call.credit.take(piece.length)
        call.abort.signal.throwIfAborted()
        const nth = shared.lend(piece)
        if (nth >= 0) {
          post({ kind: 'shared', id, nth })
          continue
        }
        const own = owned(piece)
        postMessage({ kind: 'bytes', id, bytes: own } satisfies FromWorker, [own.buffer])
      }
    },
    spare: () => shared.spare(),
    async withMemory(bytes, work) {
      const turn = new CallsTurn(call, (kind) => post(kind === 'acquire' ? { kind, id, bytes } : { kind, id }))
      await turn.take('acquire')
      try {
        return await work(turn)
      } finally {
        post({ kind: 'release', id })
      }
    },
    fork: (name, inputs) =>
      new Promise((resolve, reject) => {
        const fork = nextFork++
        call.forks.set(fork, { resolve: resolve as (outputs: unknown[]) => void, reject })
        post({ kind: 'fork', id, fork, task: name, inputs })
      }),
  }
  await settle(id, () => repos.use(repo, (open) => named<AnyTask>(streamTasks, task)(open, input, io)))
  calls.delete(id)
}

/** How long a call has memory at least that others wait for. */
const TURN_MS = 1000

class CallsTurn implements MemoryTurn {
  readonly #call: Call
  readonly #ask: (kind: 'acquire' | 'pass') => void
  #since = 0
  #isAwaited = false

  constructor(call: Call, ask: (kind: 'acquire' | 'pass') => void) {
    this.#call = call
    this.#ask = ask
  }

  get isOver(): boolean {
    return this.#isAwaited && performance.now() - this.#since > TURN_MS
  }

  pass(): Promise<void> {
    return this.take('pass')
  }

  take(how: 'acquire' | 'pass'): Promise<void> {
    return new Promise((resolve) => {
      this.#call.onGranted = () => {
        this.#since = performance.now()
        this.#isAwaited = false
        resolve()
      }
      this.#call.onAwaited = () => {
        this.#isAwaited = true
      }
      this.#ask(how)
    })
  }
}

async function settle(id: number, work: () => Promise<unknown>): Promise<void> {
  try {
    post({ kind: 'done', id, output: await work() })
  } catch (error) {
    post({ kind: 'failed', id, error: carry(error) })
  }
  releaseMapsSoon()
}

function post(message: FromWorker): void {
  postMessage(message)
}
