import { Elysia, type TransformHandler } from 'elysia'
import type { Context } from '#context.ts'
import { Forbidden, NotFound, Unauthorized } from '#kernel/errors.ts'
import { asksForText, pathOf } from '#kernel/http.ts'
import { doesAsk, doesBodyWait, isBodyOfVisitors, receiveBody, stateBodyLimit, stateWritesNothing } from './bodies.ts'
import { type Gated, letThrough, passed } from './gated.ts'
import { keepToOrigin } from './keep-to-origin.ts'
import { atLeast, type Unit } from './levels.ts'
import { MadeLately } from './made-lately.ts'
import type { SignInOptions } from './methods/sign-in-method.ts'
import { answerUnchanged } from './page-tags.ts'
import { canSee, permissionIn } from './permissions.ts'
import { PlayedViewers } from './played-viewers.ts'
import {
  mustSignIn,
  requireLevel,
  requireNamed,
  requirePassword,
  requirePublicSelf,
  requireRole,
  requireScope,
  requireSelf,
  requireUser,
} from './requirements.ts'
import type { UserRow } from './rows.ts'
import { neededLevel } from './scopes.ts'
import { getNamed, getOrg, getPerson, getRepo, getTeam, type OrgAccess, type RepoAccess, type TeamAccess } from './targets.ts'
import {
  type OrgTerm,
  type PersonTerm,
  parseRepoTerm,
  type RepoTerm,
  repoScope,
  type ScopeTerm,
  stateOrg,
  statePerson,
  stateRepo,
  stateScope,
  stateTeam,
  type TeamTerm,
} from './terms.ts'
import { anonymous, isSiteAdmin, type Member, type Viewer } from './viewer.ts'

/**
 * Who asks: programs show a token or a password with each request; people with a browser have a cookie, which counts on pages alone;
 * files are asked for by both. Applications show credentials of their own, which are no account's: whom they are asking as, and what for,
 * the room finds out that they ask.
 */
export type Caller = 'program' | 'page' | 'either' | 'application'

/** Who waits, or sends a body, for longer than this is asked for their rights again then. */
const SLOW_MS = 100

/**
 * The one gate. A route declares its terms through exactly one of these macros, and gets what they name:
 * `anyone`, `signedIn`, `siteAdmin` (a scope category) → viewer; `passwordHolder` (a scope category) → viewer, signed in with a
 * password, even one that must be changed first, or is not enough here; `person` (a PersonTerm, for paths with
 * `{username}`) → viewer and person; `org` (for paths with `{org}`) → viewer and org; `team` (for paths with a team's `{id}`) →
 * viewer and team; `repo` (a level, for paths with `{owner}/{repo}` or `{id}`) → viewer and repo.
 * What the viewer may not see is 404, before any 403; nothing of the body is read before.
 * Beside its body a route may say `bodyLimit` (bytes), where `api.DEFAULT_MAX_BODY_SIZE` is not enough, and `writesNothing`, where it is sent as
 * what writes and only asks for something: it waits for nobody's write, and programs that show no credentials send it, too, as to those of `anyone`.
 * Arrow functions all: Elysia reads their source text, and of methods only when it is not minified.
 */
export function gate(context: Context, caller: Caller = 'program') {
  const admit = admitter(context, caller)
  const enter = enterer(context, caller)
  return new Elysia({ name: `gate for ${caller}` }).macro({
    bodyLimit: (bytes: number) => ({ detail: stateBodyLimit(bytes) }),
    writesNothing: (isSo: boolean) => ({ detail: stateWritesNothing(isSo) }),
    anyone: (scope: ScopeTerm) => ({
      detail: stateScope('anyone', 'Available to everyone.', scope),
      transform: admit(async ({ request, set, params }) => {
        const viewer = await enter({ request, set, params }, scope)
        if (caller === 'page' || caller === 'either') await answerUnchanged(context, { request, set }, viewer, 'read')
        return { viewer }
      }),
      resolve: ({ request }) => ({ viewer: passed(request).viewer }),
    }),
    /**
     * For the pages on which people sign in: open where all else asks for that, and to accounts that have to be made ready first.
     * 'unchanged' ones show nothing but what `answerUnchanged` allows: of cookies none but the session's.
     */
    signingIn: (page: true | 'unchanged') => ({
      detail: stateScope('signingIn', 'Available to everyone, for signing in and out.', []),
      transform: admit(async ({ request, set, params }) => {
        const viewer = await enter({ request, set, params }, [], { toBecomeReady: true, toSignIn: true })
        if (page === 'unchanged') await answerUnchanged(context, { request, set }, viewer, 'read')
        return { viewer }
      }),
      resolve: ({ request }) => ({ viewer: passed(request).viewer }),
    }),
    signedIn: (scope: ScopeTerm) => ({
      detail: stateScope('signedIn', 'Available to signed-in users.', scope),
      transform: admit(async ({ request, set, params }) => {
        const viewer = requireUser(await enter({ request, set, params }, scope))
        // A token may ask about itself, and end itself, whatever it is for: such routes name no scope.
        if (scope.length > 0) requirePublicSelf(viewer)
        return { viewer }
      }),
      resolve: ({ request }) => ({ viewer: passed(request).viewer as Member }),
    }),
    passwordHolder: (scope: ScopeTerm) => ({
      detail: stateScope('passwordHolder', 'Requires password sign-in; tokens are not accepted.', scope),
      transform: admit(async ({ request, set, params }) => {
        const viewer = requireUser(await enter({ request, set, params }, scope, { toBecomeReady: true }))
        requirePassword(viewer)
        return { viewer }
      }),
      resolve: ({ request }) => ({ viewer: passed(request).viewer as Member }),
    }),
    siteAdmin: (scope: ScopeTerm) => ({
      detail: stateScope('siteAdmin', 'Available to site administrators.', scope),
      transform: admit(async ({ request, set, params }) => {
        const viewer = requireUser(await enter({ request, set, params }, scope))
        if (!isSiteAdmin(viewer)) throw new Forbidden('Must be a site administrator.')
        if (viewer.grant?.publicOnly) throw new Forbidden('Tokens limited to public repositories and organizations cannot be used for site administration.')
        return { viewer }
      }),
      resolve: ({ request }) => ({ viewer: passed(request).viewer as Member }),
    }),
    person: (need: PersonTerm) => ({
      detail: statePerson(need),
      transform: admit(async ({ request, set, params }) => {
        const viewer = await enter({ request, set, params }, 'user')
        const name = (params as { username: string }).username
        const person = need === 'visibleOrOrg' ? getNamed(context.db, viewer, name, request) : getPerson(context.db, viewer, name, request)
        if (need === 'self' || need === 'selfByPassword') requireSelf(viewer, person)
        if (need === 'selfByPassword') requirePassword(viewer)
        return { viewer, person }
      }),
      resolve: ({ request }) => {
        const { viewer, person } = passed(request)
        return { viewer, person: person as UserRow }
      },
    }),
    org: (need: OrgTerm) => ({
      detail: stateOrg(need),
      transform: admit(async ({ request, set, params }) => {
        const viewer = await enter({ request, set, params }, 'organization')
        const org = getOrg(context.db, viewer, (params as { org: string }).org, request)
        if (need !== 'visible') requireRole(viewer, org, need)
        return { viewer, org }
      }),
      resolve: ({ request }) => {
        const { viewer, org } = passed(request)
        return { viewer, org: org as OrgAccess }
      },
    }),
    team: (need: TeamTerm) => ({
      detail: stateTeam(need),
      transform: admit(async ({ request, set, params }) => {
        const viewer = requireUser(await enter({ request, set, params }, 'organization'))
        const team = getTeam(context.db, viewer, (params as { id: string }).id, need === 'visible')
        if (need === 'owner') requireRole(viewer, team.org, 'owner')
        return { viewer, team }
      }),
      resolve: ({ request }) => {
        const { viewer, team } = passed(request)
        return { viewer: viewer as Member, team: team as TeamAccess }
      },
    }),
    repo: (term: RepoTerm) => ({
      detail: stateRepo(term),
      transform: admit(async ({ request, set, params }) => {
        const { units, level } = parseRepoTerm(term)
        const viewer = await enter({ request, set, params }, repoScope(term))
        const repo = getRepo(context.db, viewer, params as Record<string, string>, request)
        if (neededLevel(request.method) === 'write') requireNamed(viewer, repo.row.id)
        requireLevel(viewer, repo, units, level)
        if (caller === 'either') keepToOrigin({ viewer, set }, () => level === 'read' && isPublic(context, repo, units))
        if (caller === 'page' || caller === 'either') await answerUnchanged(context, { request, set }, viewer, level)
        return { viewer, repo }
      }),
      resolve: ({ request }) => {
        const { viewer, repo } = passed(request)
        return { viewer, repo: repo as RepoAccess }
      },
    }),
  })
}

/** Names of the macros above, and of git's own gate in `doors/git-http`: a route that declares none of them has no terms, which a test refuses. */
export const gateTerms = ['anyone', 'signingIn', 'signedIn', 'passwordHolder', 'siteAdmin', 'person', 'org', 'team', 'repo', 'git'] as const

/** What the gate looks at of a request that has found its route. */
interface Entry {
  request: Request
  set: { headers: Record<string, string | number> }
  /** From the path; null where it cannot be decoded. */
  params: Record<string, string | null>
}

/**
 * Makes a hook of what lets a request in: what it found is kept for the handler, and only then is the body read.
 * Elysia takes from the source of the inner function which parts of the context it uses.
 */
function admitter({ config, db }: Pick<Context, 'config' | 'db'>, caller: Caller) {
  return (enterBy: (entry: Entry) => Promise<Gated>): TransformHandler =>
    async (context) => {
      const { request, set, params } = context
      const { version } = db
      const found = await enterBy({ request, set, params })
      found.version = version
      letThrough(request, found)
      const isAwaited = doesBodyWait(request)
      if (isAwaited && caller === 'program' && neededLevel(request.method) === 'write' && !isBodyOfVisitors(request)) requireUser(found.viewer)
      const began = performance.now()
      const entered = db.version
      if (!doesAsk(request)) await db.untilFree()
      if (isAwaited) context.body = await receiveBody(config, request, found.viewer)
      // Rights go, and repositories change hands, while a body comes and while another program writes.
      if (db.version !== entered || performance.now() - began > SLOW_MS) letThrough(request, await enterBy({ request, set, params }))
    }
}

/** Returns whether visitors can read one of the units of a repository. */
function isPublic({ config, db }: Pick<Context, 'config' | 'db'>, { row, owner }: RepoAccess, units: readonly Unit[]): boolean {
  if (mustSignIn(config, anonymous)) return false
  const permission = permissionIn(db, anonymous, row, owner)
  return units.length === 0 ? canSee(permission) : units.some((unit) => atLeast(permission.of(unit), 'read'))
}

/** Makes what signs a request in and checks its token's scope. */
function enterer({ authenticator, config, services }: Pick<Context, 'config' | 'authenticator' | 'services'>, caller: Caller) {
  const viewerOf = (request: Request, scope: ScopeTerm, options?: SignInOptions) => {
    // A page as text is for a terminal, where there are no cookies; what names no scope stays closed to tokens.
    const isAtTerminal = scope.length > 0 && request.method === 'GET' && request.headers.has('authorization') && asksForText(request)
    if (caller === 'page' && !isAtTerminal) return authenticator.pageViewerOf(request, options)
    return caller === 'either' ? authenticator.eitherViewerOf(request) : authenticator.viewerOf(request, options)
  }
  return async ({ request, set, params }: Entry, scope: ScopeTerm, options?: SignInOptions): Promise<Viewer> => {
    if (caller === 'application') return anonymous
    const played = caller === 'page' || caller === 'either' ? services.get(PlayedViewers).of(request) : undefined
    const viewer = played ?? (await viewerOf(request, scope, options))
    for (const name in params) if (params[name] === null) throw new NotFound()
    if (viewer.queryToken) set.headers.Warning = '299 - "token and access_token API authentication is deprecated and will be removed"'
    if (mustSignIn(config, viewer) && !options?.toSignIn) {
      throw caller === 'program' ? new Forbidden('Only signed in user is allowed to call APIs.') : new Unauthorized('Sign in to see this page.')
    }
    requireScope(viewer, typeof scope === 'string' ? [scope] : scope, neededLevel(request.method))
    if (caller === 'page' && request.method === 'POST') services.get(MadeLately).sending(viewer, pathOf(request.url))
    return viewer
  }
}
