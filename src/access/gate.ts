import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { Forbidden, Locked, NotFound, Problem, Unauthorized } from '../kernel/errors.ts'
import { pathOf, queryOf } from '../kernel/http.ts'
import { findAccount, getAccount } from './accounts.ts'
import type { SignInOptions } from './authenticate.ts'
import { atLeast, higher, type Level, type Unit } from './levels.ts'
import { canSee, canSeeOrg, type Permission, permissionIn } from './permissions.ts'
import type { RepoRow, TeamRow, UserRow, Visibility } from './rows.ts'
import { type Category, grants, neededLevel } from './scopes.ts'
import { findMovedRepo, findOrgRole, findRepo, findRepoById, findTeamById, findUserById, findUserByName, isTeamMember } from './store.ts'
import { repoScope, stateOrg, statePerson, stateRepo, stateScope, stateTeam } from './terms.ts'
import { isSelf, isSiteAdmin, type Viewer } from './viewer.ts'

/** A repository, with what the viewer may do in it. */
export interface RepoAccess {
  row: RepoRow
  owner: UserRow
  permission: Permission
}

/** An organization, and what the viewer is to it; site administrators count as owners. */
export interface OrgAccess {
  row: UserRow
  role: 'outsider' | 'member' | 'owner'
}

/** A team, with its organization. */
export interface TeamAccess {
  row: TeamRow
  org: OrgAccess
}

/** What a route asks of the viewer about a person: to see them (or an organization in their place), to be them (or a site administrator), proven by a password. */
export type PersonTerm = 'visible' | 'visibleOrOrg' | 'self' | 'selfByPassword'
/** What a route asks of the viewer in an organization. */
export type OrgTerm = 'visible' | 'member' | 'owner'
/** What a route asks of the viewer in a team: to know of it, to be in it, or to own its organization, which does for all. */
export type TeamTerm = 'visible' | 'member' | 'owner'

/** What a route asks of the viewer in a repository: a level of any unit, of one (`'issues:write'`), or of one of two (`'issues|pulls:write'`). */
export type RepoTerm = Exclude<Level, 'none'> | `${Unit | 'issues|pulls'}:${Exclude<Level, 'none'>}`

/** A signed-in viewer. */
export type Member = Viewer & { user: UserRow }

/** Scope categories that a route touches; a token must hold all of them. */
export type ScopeTerm = Category | readonly Category[]

interface Gated {
  viewer: Viewer
  repo?: RepoAccess
  person?: UserRow
  org?: OrgAccess
  team?: TeamAccess
}

/** What the gate found for a request: written before the body is validated, read when the handler's context is made. */
const gated = new WeakMap<Request, Gated>()

/**
 * The one gate. A route declares its terms through exactly one of these macros, and gets what they name:
 * `anyone`, `signedIn`, `siteAdmin` (a scope category) → viewer; `passwordHolder` (a scope category) → viewer, signed in with a
 * password, even one that must be changed first; `person` (a PersonTerm, for paths with
 * `{username}`) → viewer and person; `org` (for paths with `{org}`) → viewer and org; `team` (for paths with a team's `{id}`) →
 * viewer and team; `repo` (a level, for paths with `{owner}/{repo}` or `{id}`) → viewer and repo.
 * What the viewer may not see is 404, before any 403; the check runs before the body is validated.
 * Arrow functions all: Elysia reads their source text, and of methods only when it is not minified.
 */
export function gate(context: Context) {
  return new Elysia({ name: 'gate' }).macro({
    anyone: (scope: ScopeTerm) => ({
      detail: stateScope('anyone', 'Open to everyone.', scope),
      transform: async ({ request, set, params }) => {
        gated.set(request, { viewer: await enter(context, { request, set, params }, scope) })
      },
      resolve: ({ request }) => ({ viewer: passed(request).viewer }),
    }),
    signedIn: (scope: ScopeTerm) => ({
      detail: stateScope('signedIn', 'Needs a signed-in user.', scope),
      transform: async ({ request, set, params }) => {
        gated.set(request, { viewer: requireUser(await enter(context, { request, set, params }, scope)) })
      },
      resolve: ({ request }) => ({ viewer: passed(request).viewer as Member }),
    }),
    passwordHolder: (scope: ScopeTerm) => ({
      detail: stateScope('passwordHolder', 'Needs a user who signs in with their password; tokens do not do.', scope),
      transform: async ({ request, set, params }) => {
        const viewer = requireUser(await enter(context, { request, set, params }, scope, { toChangePassword: true }))
        requirePassword(viewer)
        gated.set(request, { viewer })
      },
      resolve: ({ request }) => ({ viewer: passed(request).viewer as Member }),
    }),
    siteAdmin: (scope: ScopeTerm) => ({
      detail: stateScope('siteAdmin', 'Needs a site administrator.', scope),
      transform: async ({ request, set, params }) => {
        const viewer = requireUser(await enter(context, { request, set, params }, scope))
        if (!isSiteAdmin(viewer)) throw new Forbidden('Must be a site administrator.')
        if (viewer.grant?.publicOnly) throw new Forbidden('A token for public things only cannot administer the site.')
        gated.set(request, { viewer })
      },
      resolve: ({ request }) => ({ viewer: passed(request).viewer as Member }),
    }),
    person: (need: PersonTerm) => ({
      detail: statePerson(need),
      transform: async ({ request, set, params }) => {
        const viewer = await enter(context, { request, set, params }, 'user')
        const name = (params as Record<string, string>).username
        const person = need === 'visibleOrOrg' ? getNamed(context, viewer, name, request) : getPerson(context, viewer, name, request)
        if (need === 'self' || need === 'selfByPassword') requireSelf(viewer, person)
        if (need === 'selfByPassword') requirePassword(viewer)
        gated.set(request, { viewer, person })
      },
      resolve: ({ request }) => {
        const { viewer, person } = passed(request)
        return { viewer, person: person as UserRow }
      },
    }),
    org: (need: OrgTerm) => ({
      detail: stateOrg(need),
      transform: async ({ request, set, params }) => {
        const viewer = await enter(context, { request, set, params }, 'organization')
        const org = getOrg(context, viewer, (params as Record<string, string>).org, request)
        if (need !== 'visible') requireRole(viewer, org, need)
        gated.set(request, { viewer, org })
      },
      resolve: ({ request }) => {
        const { viewer, org } = passed(request)
        return { viewer, org: org as OrgAccess }
      },
    }),
    team: (need: TeamTerm) => ({
      detail: stateTeam(need),
      transform: async ({ request, set, params }) => {
        const viewer = requireUser(await enter(context, { request, set, params }, 'organization'))
        const team = getTeam(context, viewer, (params as Record<string, string>).id, need === 'visible')
        if (need === 'owner') requireRole(viewer, team.org, 'owner')
        gated.set(request, { viewer, team })
      },
      resolve: ({ request }) => {
        const { viewer, team } = passed(request)
        return { viewer: viewer as Member, team: team as TeamAccess }
      },
    }),
    repo: (term: RepoTerm) => ({
      detail: stateRepo(term),
      transform: async ({ request, set, params }) => {
        const { units, level } = parseTerm(term)
        const viewer = await enter(context, { request, set, params }, repoScope(term))
        const repo = getRepo(context, viewer, params as Record<string, string>, request)
        requireLevel(viewer, repo, units, level)
        gated.set(request, { viewer, repo })
      },
      resolve: ({ request }) => {
        const { viewer, repo } = passed(request)
        return { viewer, repo: repo as RepoAccess }
      },
    }),
  })
}

/** Names of the macros above, and of git's own gate in `transport/`: a route that declares none of them has no terms, which a test refuses. */
export const gateTerms = ['anyone', 'signedIn', 'passwordHolder', 'siteAdmin', 'person', 'org', 'team', 'repo', 'git'] as const

/** What the gate looks at of a request that has found its route. */
interface Entry {
  request: Request
  set: { headers: Record<string, string | number> }
  /** From the path; null where it cannot be decoded. */
  params: Record<string, string | null>
}

/** Signs the request in and checks its token's scope. */
async function enter(context: Context, { request, set, params }: Entry, scope: ScopeTerm, options?: SignInOptions): Promise<Viewer> {
  const viewer = await context.authenticator.viewerOf(request, options)
  for (const name in params) if (params[name] === null) throw new NotFound()
  if (viewer.queryToken) set.headers.Warning = '299 - "token and access_token API authentication is deprecated and will be removed"'
  if (viewer.user === undefined && context.config.service.REQUIRE_SIGNIN_VIEW) throw new Forbidden('Only signed in user is allowed to call APIs.')
  requireScope(viewer, typeof scope === 'string' ? [scope] : scope, neededLevel(request.method))
  return viewer
}

/** Whether the viewer's token holds `level` of every category; without a token nothing is missing. */
export function holdsScope({ grant }: Viewer, needed: readonly Category[], level: 'read' | 'write'): boolean {
  return !grant || grants(grant, needed, level)
}

/** @throws Forbidden when the viewer's token does not hold `level` of every category */
export function requireScope(viewer: Viewer, needed: readonly Category[], level: 'read' | 'write'): void {
  const { grant } = viewer
  if (!grant || holdsScope(viewer, needed, level)) return
  const required = needed.map((category) => `${level}:${category}`).join(',')
  const held = grant.all ? 'all' : Object.entries(grant.levels).map(([category, held]) => `${held}:${category}`)
  throw new Forbidden(`token does not have at least one of required scope(s), required=[${required}], token scope=${held}`)
}

/** @throws Unauthorized for visitors */
export function requireUser(viewer: Viewer): Member {
  if (!viewer.user) throw new Unauthorized('token is required')
  return viewer as Member
}

/** @throws Unauthorized for visitors, Forbidden for others than the person and site administrators */
function requireSelf(viewer: Viewer, person: UserRow): void {
  if (!isSelf(requireUser(viewer), person) && !isSiteAdmin(viewer)) throw new Forbidden('Only the user or a site administrator may do this.')
}

/** @throws Unauthorized unless the viewer proved who they are with a password: what makes tokens is worth more than any token's scopes */
function requirePassword(viewer: Viewer): void {
  if (viewer.via !== 'password') throw new Unauthorized('auth required')
}

/**
 * Finds `{owner}/{repo}` (or `{id}`) as the viewer sees it. Absent and hidden look the same.
 * @throws NotFound; a 301 to the new place when the repository or its owner was renamed and the viewer may see it
 */
export function getRepo(context: Context, viewer: Viewer, params: Record<string, string>, request: Request): RepoAccess {
  const repo = params.owner === undefined ? repoById(context, viewer, params.id) : repoByName(context, viewer, params.owner, params.repo, request)
  if (!repo) throw new NotFound()
  return repo
}

/** A repository by its names, or undefined when it is absent or hidden from the viewer; follows no redirect. */
export function findVisibleRepo(context: Context, viewer: Viewer, ownerName: string, name: string): RepoAccess | undefined {
  const owner = findUserByName(context.db, ownerName)
  const row = owner && findRepo(context.db, owner.id, name)
  return row && owner ? visible(context, viewer, row, owner) : undefined
}

/**
 * @param units in one of which the level is needed; in any unit at all when there are none
 * @throws NotFound when they cannot be read; Unauthorized or Forbidden when the level is short; Locked on writes to an archived repository
 */
export function requireLevel(viewer: Viewer, repo: RepoAccess, units: readonly Unit[], level: Level): void {
  const have = units.length === 0 ? repo.permission.level : units.map((unit) => repo.permission.of(unit)).reduce(higher)
  if (!atLeast(have, 'read')) throw new NotFound()
  if (!atLeast(have, level)) {
    requireUser(viewer)
    throw new Forbidden(`User should have ${level} access to this repository.`)
  }
  if (units.length > 0 && level === 'write' && repo.row.archived_at !== null) throw new Locked('This repository is archived; it can only be read.')
}

function repoByName(context: Context, viewer: Viewer, ownerName: string, name: string, request: Request): RepoAccess | undefined {
  const owner = findAccount(context.db, ownerName)
  if (!owner) return undefined
  const row = findRepo(context.db, owner.id, name) ?? findMovedRepo(context.db, owner.id, name)
  if (!row) return undefined
  const holder = row.owner_id === owner.id ? owner : findUserById(context.db, row.owner_id)
  const repo = holder && visible(context, viewer, row, holder)
  if (repo && (row.lower_name !== name.toLowerCase() || repo.owner.lower_name !== ownerName.toLowerCase())) {
    throw movedTo(request, [ownerName, name], [repo.owner.name, row.name])
  }
  return repo
}

function repoById(context: Context, viewer: Viewer, id: string): RepoAccess | undefined {
  const row = /^\d{1,15}$/.test(id) ? findRepoById(context.db, Number(id)) : undefined
  const owner = row && findUserById(context.db, row.owner_id)
  return row && owner ? visible(context, viewer, row, owner) : undefined
}

function visible(context: Context, viewer: Viewer, row: RepoRow, owner: UserRow): RepoAccess | undefined {
  const permission = permissionIn(context.db, viewer, row, owner)
  return canSee(permission) ? { row, owner, permission } : undefined
}

function getPerson(context: Context, viewer: Viewer, name: string, request: Request): UserRow {
  const found = getNamed(context, viewer, name, request)
  if (found.kind !== 'person') throw new NotFound(`user redirect does not exist [name: ${name}]`)
  return found
}

/** A person or an organization. @throws NotFound; a 301 when it was renamed and the viewer may see it */
function getNamed(context: Context, viewer: Viewer, name: string, request: Request): UserRow {
  const found = getAccount(context.db, viewer, name)
  if (found.lower_name !== name.toLowerCase()) throw movedTo(request, ['users', name], ['users', found.name])
  return found
}

/** @throws NotFound; a 301 when the organization was renamed and the viewer may see it */
function getOrg(context: Context, viewer: Viewer, name: string, request: Request): OrgAccess {
  const row = findAccount(context.db, name)
  if (row?.kind !== 'organization' || !canSeeOrg(context.db, viewer, row)) throw new NotFound()
  if (row.lower_name !== name.toLowerCase()) {
    const root = /\/api\/v1\/org\//.test(request.url) ? 'org' : 'orgs'
    throw movedTo(request, [root, name], [root, row.name])
  }
  return { row, role: roleIn(context, viewer, row) }
}

function roleIn(context: Context, viewer: Viewer, org: UserRow): OrgAccess['role'] {
  if (viewer.user === undefined) return 'outsider'
  return isSiteAdmin(viewer) ? 'owner' : (findOrgRole(context.db, org.id, viewer.user.id) ?? 'outsider')
}

/** @throws Unauthorized for visitors, else Forbidden, when the viewer is less than `need` to the organization */
function requireRole(viewer: Viewer, { role }: OrgAccess, need: 'member' | 'owner'): void {
  if (role === 'owner' || role === need) return
  requireUser(viewer)
  throw new Forbidden(`Must be an organization ${need}`)
}

/** @throws NotFound for who is not in the organization; Forbidden for its members that are not in the team, unless it suffices that they may know of it */
function getTeam(context: Context, viewer: Member, id: string, isVisibleEnough: boolean): TeamAccess {
  const row = /^\d{1,15}$/.test(id) ? findTeamById(context.db, Number(id)) : undefined
  const org = row && findUserById(context.db, row.org_id)
  if (!row || !org || !canSeeOrg(context.db, viewer, org)) throw new NotFound()
  const role = roleIn(context, viewer, org)
  const isIn = role === 'owner' || (role === 'member' && isTeamMember(context.db, row.id, viewer.user.id))
  const isKnown = isVisibleEnough && teamsKnownTo(role).includes(row.visibility)
  if (isIn || isKnown) return { row, org: { row: org, role } }
  throw role === 'member' ? new Forbidden('Must be a team member') : new NotFound()
}

/** Which teams somebody knows of without being in them, from what they are to the organization; owners know all. */
export function teamsKnownTo(role: OrgAccess['role']): readonly Visibility[] {
  return role === 'outsider' ? ['public'] : ['public', 'limited']
}

/** 301 to the same address, with the two path segments `before` replaced by `after`; git's own paths end the second with `.git`. */
function movedTo(request: Request, before: [string, string], after: [string, string]): Problem {
  const segments = pathOf(request.url).split('/')
  const at = segments.findIndex((_, i) => before.every((name, k) => nameIn(segments[i + k]) === name.toLowerCase()))
  if (at < 0) return new NotFound()
  const ending = /\.git$/i.exec(segments[at + 1])?.[0] ?? ''
  const location = segments.with(at, encodeURIComponent(after[0])).with(at + 1, encodeURIComponent(after[1]) + ending)
  return new Problem(301, 'Moved Permanently', { headers: { Location: location.join('/') + queryOf(request.url) } })
}

/** The name a path segment stands for. */
function nameIn(segment = ''): string | undefined {
  try {
    return decodeURIComponent(segment)
      .toLowerCase()
      .replace(/\.git$/, '')
  } catch {
    return undefined
  }
}

function parseTerm(term: RepoTerm): { units: readonly Unit[]; level: Level } {
  const [first, second] = term.split(':')
  return second === undefined ? { units: [], level: first as Level } : { units: first.split('|') as Unit[], level: second as Level }
}

function passed(request: Request): Gated {
  const found = gated.get(request)
  if (!found) throw new Error('Cannot handle a request that did not pass the gate')
  return found
}
