import { Elysia, t } from 'elysia'
import { accessStore, isWikiId, type Member, paceOf, type RepoRow, stateTerms, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError, isLoss } from '#git/errors.ts'
import { advertise, hasRefs, type Listing } from '#git/protocol/advertise.ts'
import type { RefSnapshot } from '#git/protocol/context.ts'
import { IDLE_SECONDS, keepOwnDeadline } from '#kernel/answers/awaited-answers.ts'
import { type Connections, cutOff } from '#kernel/answers/paced-stream.ts'
import { BadRequest, Forbidden, Problem } from '#kernel/errors.ts'
import { Progress, TooSlow } from '#kernel/pace.ts'
import { readsBody } from '#kernel/slice.ts'
import { fewRefs, refSnapshot } from '#repositories/refs/index.ts'
import { createRepo, makeWikiStore, noteFilled, undoUnfilled, undoWikiStore } from '#repositories/repos/index.ts'
import { gitAgent } from '#version.ts'
import { type ResponseBody, respond } from './body.ts'
import { enterGit, type GitTarget, requirePushStill, type Service } from './git-gate.ts'
import { answerReceive, type PushPlace } from './receive.ts'
import { noCache } from './render-for-git.ts'
import { respondAsMade } from './respond-as-made.ts'
import { answerUpload, makeListedMerges } from './upload.ts'

const params = t.Object({ owner: t.String(), repo: t.String() })

/**
 * Git's smart HTTP. The service is what the path says, whatever the query claims. Source: `Documentation/gitprotocol-http.txt`.
 * The macro `git` is this transport's gate; it hands the handler its target.
 */
export function gitHttp(context: Context) {
  return new Elysia({ name: 'git-http' })
    .macro({
      git: (service: Service | 'query') => ({
        detail: stateTerms({
          kind: 'git',
          asks: service,
          scopes: ['repository'],
          text: 'Requires read access for git-upload-pack (fetch) and for pull requests by push, and write access for git-receive-pack (push).',
        }),
        resolve: async ({ request, params, query }) => {
          const named = service === 'query' ? parseService((query as Record<string, string>).service) : service
          const target = await enterGit(context, request, params as { owner: string; repo: string }, named)
          // A push waits here for another program's write, where nobody waits with it.
          if (service === 'git-receive-pack') await context.db.untilFree()
          return { service: named, target }
        },
      }),
    })
    .get('/:owner/:repo/info/refs', ({ service, target, request, server }) => answerAdvertisement(context, target, service, request, server), {
      git: 'query',
      params,
    })
    .post(
      '/:owner/:repo/git-upload-pack',
      async ({ target, request, server }) => {
        requireType(request, 'git-upload-pack')
        if (!('repo' in target)) throw new Error('Cannot fetch: the repository does not exist yet')
        const body = await unhurried(context, server, request, (onEnd) => answerUpload(context, target.repo, request, protocolVersion(request), onEnd))
        return reply('application/x-git-upload-pack-result', body)
      },
      { git: 'git-upload-pack', params, detail: { ...readsBody } },
    )
    .post(
      '/:owner/:repo/git-receive-pack',
      async ({ target, request, server }) => {
        requireType(request, 'git-receive-pack')
        const { body, headers } = await unhurried(context, server, request, (onEnd) => answerReceive(context, placeOf(context, target), request, onEnd))
        return reply('application/x-git-receive-pack-result', body, headers)
      },
      { git: 'git-receive-pack', params, detail: { ...readsBody } },
    )
}

function parseService(text: string | undefined): Service {
  if (text === 'git-upload-pack' || text === 'git-receive-pack') return text
  if (text === undefined) throw new Forbidden('This server only supports the smart HTTP protocol. Use git 1.6.6 or newer.')
  throw new BadRequest(`Unknown service "${text.slice(0, 40)}". Use git-upload-pack or git-receive-pack.`)
}

function requireType(request: Request, service: Service): void {
  const type = request.headers.get('content-type')
  if (type !== `application/x-${service}-request`) throw new Problem(415, `The content type must be application/x-${service}-request.`)
}

/** What `Git-Protocol` asks for: the highest version named, 0 when none is. */
function protocolVersion(request: Request): 0 | 1 | 2 {
  const asked = (request.headers.get('git-protocol') ?? '').split(':')
  return asked.includes('version=2') ? 2 : asked.includes('version=1') ? 1 : 0
}

async function answerAdvertisement(context: Context, target: GitTarget, service: Service, request: Request, server: Connections): Promise<Response> {
  const version = protocolVersion(request)
  if (service === 'git-upload-pack' && version < 2 && 'repo' in target) await makeListedMerges(context, target.repo)
  const listing = { service, version, agent: gitAgent, http: true }
  const body = await listRefs(context, target, listing, (error) => noteEnd(context, server, request, error))
  return reply(`application/x-${service}-advertisement`, body)
}

/** A few refs are listed here, very many in a worker. */
async function listRefs(
  context: Pick<Context, 'config' | 'db' | 'git' | 'services'>,
  target: GitTarget,
  listing: Listing,
  end: (error?: unknown) => void,
): Promise<ResponseBody> {
  const listHere = (refs: RefSnapshot) => respond((sink) => advertise(listing, refs, sink), new Progress(paceOf(context.config)), { end })
  if (!('repo' in target) || !hasRefs(listing)) return listHere({ refs: [] })
  const shared = await refSnapshot(context, target.repo.row)
  const refs = fewRefs(shared)
  if (refs) return listHere(refs)
  const { chunks, head, quiet } = shared
  const [place, input] = [context.git.placeOf(target.repo.row.id), { listing, chunks, head: head?.target, quiet }]
  return respondAsMade(context, () => context.git.pool.stream('advertise', place, input), { end })
}

/** Lets a request be silent for as long as its work takes, which `git.REQUEST_SECONDS` bounds instead; its connection may not be silent after it. */
async function unhurried<T>(
  context: Pick<Context, 'answerBroke'>,
  server: Connections,
  request: Request,
  work: (onEnd: (error?: unknown) => void) => Promise<T>,
): Promise<T> {
  keepOwnDeadline(request)
  const hurry = () => server?.timeout(request, IDLE_SECONDS)
  server?.timeout(request, 0)
  try {
    return await work((error) => {
      if (!(error instanceof TooSlow)) hurry()
      noteEnd(context, server, request, error)
    })
  } catch (error) {
    hurry()
    throw error
  }
}

/** @param error what an answer has ended with, if not well */
function noteEnd(context: Pick<Context, 'answerBroke'>, server: Connections, request: Request, error: unknown): void {
  if (error instanceof TooSlow) cutOff(server, request)
  else if (error !== undefined && !isClientsDoing(error)) context.answerBroke(error, request)
}

function isClientsDoing(error: unknown): boolean {
  return error instanceof GitError && !isLoss(error)
}

function reply(type: string, body: ResponseBody, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { 'Content-Type': type, ...noCache, ...headers } })
}

function placeOf(context: Context, target: GitTarget): PushPlace {
  const viewer = target.viewer as Member
  if ('repo' in target) {
    const repo = target.repo.row
    if (!isWikiId(repo.id)) return { viewer, open: () => ({ repo }) }
    return {
      viewer,
      open: () => ({ repo, prepare: () => makeWikiStore(context, repo), undo: () => undoWikiStore(context, repo) }),
    }
  }
  const { owner, name } = target.newRepo
  return {
    viewer,
    open(options) {
      // Other first pushes may have come while this one's commands did.
      const existing = findMade(context, viewer, owner, name)
      if (existing) return { repo: existing }
      const isPrivate = wantsPrivate(options) ?? context.config.repository.DEFAULT_PUSH_CREATE_PRIVATE
      const actor = viewer.user
      const repo = createRepo(context, { owner, actor, name, private: isPrivate, awaitsContent: true })
      const greeting = `\nCreated ${isPrivate ? 'private' : 'public'} repository ${owner.name}/${repo.name}\n  ${context.rootUrl}${owner.name}/${repo.name}\n\n`
      return { repo, greeting, fill: (tx) => noteFilled(context, tx, repo.id), undo: () => undoUnfilled(context, { actor, owner, repo }) }
    },
  }
}

/** The repository that somebody else has made in the place of a new one. @throws NotFound, Forbidden as the gate does */
function findMade(context: Context, viewer: Member, owner: UserRow, name: string): RepoRow | undefined {
  const repo = accessStore.findRepo(context.db, owner.id, name)
  return repo && requirePushStill(context, context.db, viewer, repo.id).row
}

/** `-o repo.private=true|false`: heard only when the push creates the repository. */
function wantsPrivate(options: readonly string[]): boolean | undefined {
  const option = options.findLast((one) => one.startsWith('repo.private='))
  return option === undefined ? undefined : option !== 'repo.private=false'
}
