import type { DocumentDecoration } from 'elysia'
import type { Level, Unit } from './levels.ts'
import type { Category } from './scopes.ts'

/** What a route asks of the viewer about a person: to see them (or an organization in their place), to be them (or a site administrator), proven by a password. */
export type PersonTerm = 'visible' | 'visibleOrOrg' | 'self' | 'selfByPassword'
/** What a route asks of the viewer in an organization. */
export type OrgTerm = 'visible' | 'member' | 'owner'
/** What a route asks of the viewer in a team: to know of it, to be in it, or to own its organization, which does for all. */
export type TeamTerm = 'visible' | 'member' | 'owner'

/** What a route asks of the viewer in a repository: a level of any unit, of one (`'issues:write'`), or of one of two (`'issues|pulls:write'`). */
export type RepoTerm = Exclude<Level, 'none'> | `${Unit | 'issues|pulls'}:${Exclude<Level, 'none'>}`

/** Scope categories that a route touches; a token must hold all of them. */
export type ScopeTerm = Category | readonly Category[]

/** The member of a route's `detail` in which the gate's macros leave what they ask, by the macro's name. */
const KEY = 'x-terms'

/** What a gate macro asks of whoever calls the route. */
export interface Terms {
  /** The macro's name. */
  kind: string
  /** What the route gave the macro (`'write'`, `'self'`); '' where its name says all. */
  asks: string
  /** The categories that a token must hold, all of them. */
  scopes: readonly Category[]
  /** The same in sentences, for the API document. */
  text: string
}

/** For a macro's `detail`. */
export function stateTerms(terms: Terms): DocumentDecoration & Record<typeof KEY, Record<string, Terms>> {
  return { [KEY]: { [terms.kind]: terms } }
}

/** What the gate asks on a route, from its `detail`: one item for each gate macro that it declares. */
export function termsOf(detail: unknown): Terms[] {
  return Object.values((detail as Partial<Record<typeof KEY, Record<string, Terms>>> | undefined)?.[KEY] ?? {})
}

/** For macros that are given a scope and nothing else: `… A token needs the scopes user and repository.` */
export function stateScope(kind: string, sentence: string, scope: ScopeTerm) {
  return state(kind, '', sentence, scope)
}

const personTerms = {
  visible: 'Available to everyone who can see the user.',
  visibleOrOrg: 'Available to everyone who can see the user or organization.',
  self: 'Available to the user and to site administrators.',
  selfByPassword: 'Available to the user and to site administrators. Requires password sign-in; tokens are not accepted.',
} satisfies Record<PersonTerm, string>

export function statePerson(term: PersonTerm) {
  return state('person', term, personTerms[term], 'user')
}

/** `Requires write access to the repository's issues.` */
export function stateRepo(term: RepoTerm) {
  const [first, second] = term.split(':') as [string, string?]
  const sentence =
    second === undefined ? `Requires ${first} access to the repository.` : `Requires ${second} access to the repository's ${first.replace('|', ' or ')}.`
  return state('repo', term, sentence, repoScope(term))
}

/** The category that a token needs for what a route asks of a repository. */
export function repoScope(term: RepoTerm): Category {
  return /^issues[:|]/.test(term) ? 'issue' : 'repository'
}

/** The units that a term asks about, any when there are none, and the level it asks for. */
export function parseRepoTerm(term: RepoTerm): { units: readonly Unit[]; level: Level } {
  const [first, second] = term.split(':') as [string, string?]
  return second === undefined ? { units: [], level: first as Level } : { units: first.split('|') as Unit[], level: second as Level }
}

const orgTerms = {
  visible: 'Available to everyone who can see the organization.',
  member: 'Available to members of the organization.',
  owner: 'Available to owners of the organization.',
} satisfies Record<OrgTerm, string>

export function stateOrg(term: OrgTerm) {
  return state('org', term, orgTerms[term], 'organization')
}

const teamTerms = {
  visible:
    'Available to everyone who can see the team: team members and organization owners; for limited teams, all organization members; for public teams, all users.',
  member: 'Available to members of the team and owners of its organization.',
  owner: "Available to owners of the team's organization.",
} satisfies Record<TeamTerm, string>

export function stateTeam(term: TeamTerm) {
  return state('team', term, teamTerms[term], 'organization')
}

function state(kind: string, asks: string, sentence: string, scope: ScopeTerm) {
  const scopes = typeof scope === 'string' ? [scope] : scope
  const needed = scopes.length === 0 ? 'Any token is accepted.' : `Tokens need the ${scopes.join(' and ')} scope${scopes.length > 1 ? 's' : ''}.`
  return stateTerms({ kind, asks, scopes, text: `${sentence} ${needed}` })
}
