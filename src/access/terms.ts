import type { DocumentDecoration } from 'elysia'
import type { OrgTerm, RepoTerm, ScopeTerm, TeamTerm } from './gate.ts'

/** The member of a route's `detail` in which the gate's macros leave what they ask, by the macro's name. */
const KEY = 'x-terms'

/** What a gate macro asks of whoever calls the route, in a sentence for the API document. */
export interface Terms {
  /** The macro's name. */
  kind: string
  text: string
}

/** For a macro's `detail`. */
export function stateTerms(kind: string, text: string): DocumentDecoration & Record<typeof KEY, Record<string, string>> {
  return { [KEY]: { [kind]: text } }
}

/** What the gate asks on a route, from its `detail`: one item for each gate macro that it declares. */
export function termsOf(detail: unknown): Terms[] {
  const terms = (detail as Partial<Record<typeof KEY, Record<string, string>>> | undefined)?.[KEY] ?? {}
  return Object.entries(terms).map(([kind, text]) => ({ kind, text }))
}

/** `A token needs the scopes user and repository.` */
export function inScope(sentence: string, scope: ScopeTerm): string {
  const scopes = typeof scope === 'string' ? [scope] : scope
  return `${sentence} A token needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' and ')}.`
}

/** `Needs write access to the repository's issues.` */
export function inRepo(term: RepoTerm): string {
  const [first, second] = term.split(':')
  const sentence = second === undefined ? `Needs ${first} access to the repository.` : `Needs ${second} access to the repository's ${first}.`
  return inScope(sentence, first === 'issues' ? 'issue' : 'repository')
}

const orgTerms = {
  visible: 'Open to everyone who may see the organization.',
  member: 'Needs a member of the organization.',
  owner: 'Needs an owner of the organization.',
} satisfies Record<OrgTerm, string>

export function inOrg(term: OrgTerm): string {
  return inScope(orgTerms[term], 'organization')
}

export function inTeam(term: TeamTerm): string {
  return inScope(
    term === 'member' ? 'Needs a member of the team, or an owner of its organization.' : "Needs an owner of the team's organization.",
    'organization',
  )
}
