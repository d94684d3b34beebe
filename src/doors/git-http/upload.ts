import { atLeast, isWikiId, paceOf, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isLoss } from '#git/errors.ts'
import type { UploadContext } from '#git/protocol/context.ts'
import { listRefsV2 } from '#git/protocol/upload-pack.ts'
import { AnswerMemory } from '#kernel/answers/answer-memory.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { Progress } from '#kernel/pace.ts'
import { fewRefs, recentlyDeleted, refSnapshot } from '#repositories/refs/index.ts'
import { gitAgent } from '#version.ts'
import { gitBody, type ResponseBody, respond } from './body.ts'
import { type HeldRequest, readRequest } from './read-request.ts'
import { respondAsMade } from './respond-as-made.ts'

/** Requests of a fetch are small: a list of wants and haves. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024
/** They are made before they are sent, and whoever is let read may send them: a slow one must not hold its place for long. */
const MAX_REQUEST_SECONDS = 120

/** Answers `POST …/git-upload-pack`. A few refs are listed here; very many, and whatever touches objects, in a worker. */
export async function answerUpload(
  context: Context,
  repo: RepoAccess,
  request: Request,
  version: 0 | 1 | 2,
  onEnd: (error?: unknown) => void,
): Promise<ResponseBody> {
  const pace = paceOf(context.config)
  const body = gitBody(request, { maxBytes: MAX_REQUEST_BYTES, seconds: MAX_REQUEST_SECONDS, pace })
  const held = await readRequest(body, context.services.get(AnswerMemory))
  const end = (error?: unknown) => {
    held.room?.leave()
    onEnd(error)
  }
  try {
    return await answer(context, repo, held, version, end)
  } catch (error) {
    held.room?.leave()
    throw error
  }
}

async function answer(
  context: Context,
  repo: RepoAccess,
  { pieces, room }: HeldRequest,
  version: 0 | 1 | 2,
  end: (error?: unknown) => void,
): Promise<ResponseBody> {
  const [first] = pieces
  if (version === 2 && isLsRefs(first)) {
    await makeAskedMerges(context, repo, first)
    const shared = await refSnapshot(context, repo.row)
    const refs = pieces.length === 1 && first.length <= BRIEF_BYTES && fewRefs(shared)
    if (refs) return listRefs(context, { refs, exact: shared.isExact }, first, end)
  }
  const { head, quiet, chunks, isExact: exact } = await refSnapshot(context, repo.row)
  const deleted = recentlyDeleted(context, repo.row.id)
  const { pool, trailers } = context.git
  const trailer = trailers.get(repo.row.id)
  const input = { version, chunks, head: head?.target, deleted, quiet, exact, trailer, agent: gitAgent }
  const start = () => {
    const call = pool.stream('upload', context.git.placeOf(repo.row.id), input)
    void call.result.then((made) => made && trailers.set(repo.row.id, made)).catch(() => {})
    return call
  }
  return respondAsMade(context, start, {
    begin: (call) => void send(pieces, call).catch(() => {}),
    // The protocol has told it by then, and ends.
    isTold: (error) => isLoss(error) || diskTroubleOf(error) !== undefined,
    end,
    held: room,
  })
}

async function listRefs(
  context: Pick<Context, 'config' | 'git'>,
  listed: Pick<UploadContext, 'refs' | 'exact'>,
  request: Uint8Array,
  onEnd: (error?: unknown) => void,
): Promise<ResponseBody> {
  const asked = { limits: context.git.limits, agent: gitAgent, ...listed }
  const source = (async function* () {
    yield request
  })()
  return respond((sink) => listRefsV2(source, asked, sink), new Progress(paceOf(context.config)), { end: onEnd })
}

function isLsRefs(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes !== undefined && Buffer.from(bytes.subarray(4, 19)).toString('latin1') === 'command=ls-refs'
}

/** A request of as many prefixes as a configuration has: one of a hundred thousand is for a worker. */
const BRIEF_BYTES = 8192

/** A fetch asks for few merges, by their names. */
const MOST_MERGES = 16

/** What merging a pull request would come to is made when it is asked for by its name. Requests are small: what matters is in their first part. */
async function makeAskedMerges(context: Context, repo: RepoAccess, request: Uint8Array | undefined): Promise<void> {
  const text = Buffer.from(request ?? []).toString('latin1')
  const numbers = [...text.matchAll(/ref-prefix refs\/pull\/([1-9]\d{0,8})\/merge\n/g)].map(([, number]) => Number(number))
  if (numbers.length === 0 || !showsPulls(repo)) return
  const { makeMergeRefs } = await import('#work/pulls/index.ts')
  await makeMergeRefs(context, repo.row.id, [...new Set(numbers)].slice(0, MOST_MERGES))
}

/** Before version 2 the refs are listed before anything is asked for: what merging the newest pull requests would come to must be among them. */
export async function makeListedMerges(context: Context, repo: RepoAccess): Promise<void> {
  if (!showsPulls(repo)) return
  const { makeNewestMergeRefs } = await import('#work/pulls/index.ts')
  await makeNewestMergeRefs(context, repo.row.id)
}

function showsPulls(repo: RepoAccess): boolean {
  return !isWikiId(repo.row.id) && atLeast(repo.permission.of('pulls'), 'read')
}

async function send(pieces: Uint8Array[], call: { write(bytes: Uint8Array): Promise<void>; end(): void }): Promise<void> {
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) await call.write(piece)
  call.end()
}
