import {
  accessStore,
  accessTo,
  atLeast,
  findVisibleRepo,
  followRepo,
  getRepo,
  type Member,
  mayCreateRepoIn,
  type RepoAccess,
  recheckAccount,
  requireNamed,
  requireScope,
  type UserRow,
  unitOfStore,
  type Viewer,
  wikiOf,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound, Problem, Unauthorized } from '#kernel/errors.ts'
import { mayPushAny } from '#repositories/refs/index.ts'
import { mayPropose } from '#work/pulls/index.ts'

export type Service = 'git-upload-pack' | 'git-receive-pack'

/** What a git request may work on: a repository, or the place of one that the push is about to create. */
export type GitTarget = { viewer: Viewer; repo: RepoAccess } | { viewer: Viewer; newRepo: { owner: UserRow; name: string } }

/** Git Credential Manager and git-credential-oauth know by exactly this realm that they can ask by OAuth2, and by another that they cannot. */
function challengeOf({ config }: Pick<Context, 'config'>) {
  return { headers: { 'WWW-Authenticate': `Basic realm="${config.oauth2.ENABLED ? 'Gitea' : 'Gitea (Basic Auth)'}"` } }
}

/**
 * The API's gate, in git's manners: whoever is not signed in is asked to be (401) wherever signing in could help,
 * so that a private repository and a missing one look the same; signed in, both are 404.
 */
export async function enterGit(context: Context, request: Request, params: { owner: string; repo: string }, service: Service): Promise<GitTarget> {
  if (context.config.repository.DISABLE_HTTP_GIT) throw new Forbidden('Git over HTTP is disabled on this server.')
  const viewer = await signIn(context, request)
  const [, name = '', isWiki] = /^(.*?)(\.wiki)?(?:\.git)?$/i.exec(params.repo) ?? []
  const writes = service === 'git-receive-pack'
  requireScope(viewer, ['repository'], writes ? 'write' : 'read')
  const found = findRepoFor(context, viewer, { owner: params.owner, repo: name }, request)
  if (!found && !isWiki) return { viewer, newRepo: placeFor(context, viewer, params.owner, name, writes) }
  if (!found) throw hidden(context, viewer)
  const repo = isWiki ? { ...found, row: wikiOf(found.row) } : found
  if (!atLeast(repo.permission.of(unitOfStore(repo.row.id)), 'read')) throw hidden(context, viewer)
  if (writes) requirePush(context, context.db, viewer, repo)
  // The first push makes it.
  else if (isWiki && repo.row.is_empty === 1) throw hidden(context, viewer)
  return { viewer, repo }
}

async function signIn(context: Pick<Context, 'config' | 'authenticator'>, request: Request): Promise<Viewer> {
  try {
    const viewer = await context.authenticator.viewerOf(request, { withoutCodes: true })
    if (viewer.user === undefined && context.config.service.REQUIRE_SIGNIN_VIEW) throw new Unauthorized('Sign in to use this server.')
    return viewer
  } catch (error) {
    if (error instanceof Unauthorized) throw new Unauthorized(error.message, challengeOf(context))
    throw error
  }
}

/**
 * By an old name, whoever lists refs is sent to the new one, and what follows is served where it is asked for: git takes over the
 * new address only when it was not asked for a password on the way, and follows no redirect of a POST.
 */
function findRepoFor(context: Pick<Context, 'db'>, viewer: Viewer, params: { owner: string; repo: string }, request: Request): RepoAccess | undefined {
  const { owner, repo } = params
  if (request.method === 'POST') return followRepo(context.db, viewer, owner, repo)
  try {
    return findVisibleRepo(context.db, viewer, owner, repo) ?? getRepo(context.db, viewer, params, request)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}

/** Which refs somebody may move is asked of each: here it is whether there can be any. */
function requirePush(context: Pick<Context, 'config' | 'services'>, db: Db, viewer: Viewer, repo: RepoAccess): void {
  if (viewer.user === undefined) throw hidden(context, viewer)
  requireNamed(viewer, repo.row.id)
  if (!mayPropose(repo) && !mayPushAny(context, db, viewer, repo))
    throw new Forbidden('Cannot push: you do not have write access to this repository. Fork it and open a pull request instead.')
  if (repo.row.archived_at !== null) throw new Forbidden('Cannot push: this repository is archived and read-only.')
  if (repo.row.is_mirror === 1) throw new Forbidden('Cannot push: this repository is a mirror and read-only.')
}

/**
 * Asks again, in the transaction that moves the refs: a push can take an hour, and rights go meanwhile.
 * @throws Unauthorized, Forbidden or NotFound, as a push that began now would
 */
export function requirePushStill(context: Pick<Context, 'config' | 'services'>, db: Db, viewer: Member, repoId: number): RepoAccess {
  recheckAccount(db, viewer.user)
  const isGone = viewer.tokenId === undefined ? viewer.holds?.(db) === false : !accessStore.findTokenById(db, viewer.tokenId)
  if (isGone) throw new Unauthorized('The access token of this push was revoked.')
  const repo = accessTo(db, viewer, repoId)
  if (!repo || !atLeast(repo.permission.of(unitOfStore(repoId)), 'read')) throw new NotFound('Repository not found.')
  requirePush(context, db, viewer, repo)
  return repo
}

/**
 * Where a push may create the repository it names; otherwise the repository does not exist. What a push makes is private unless it
 * says otherwise, much later: not for a token that could not see it.
 */
function placeFor(context: Pick<Context, 'config' | 'db'>, viewer: Viewer, ownerName: string, name: string, writes: boolean): { owner: UserRow; name: string } {
  const owner = accessStore.findUserByName(context.db, ownerName)
  if (!writes || !viewer.user || !owner || viewer.grant?.publicOnly || viewer.grant?.repoIds) throw hidden(context, viewer)
  const { ENABLE_PUSH_CREATE_USER, ENABLE_PUSH_CREATE_ORG } = context.config.repository
  const isOn = owner.kind === 'person' ? ENABLE_PUSH_CREATE_USER : ENABLE_PUSH_CREATE_ORG
  const allowed = isOn && mayCreateRepoIn(context.db, viewer.user, owner)
  if (!allowed || accessStore.findRepo(context.db, owner.id, name)) throw hidden(context, viewer)
  return { owner, name }
}

function hidden(context: Pick<Context, 'config'>, viewer: Viewer): Problem {
  return viewer.user === undefined
    ? new Unauthorized('Authentication required: the repository is private or does not exist.', challengeOf(context))
    : new NotFound('Repository not found.')
}
