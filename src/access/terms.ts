import type { DocumentDecoration } from 'elysia'
import type { RepoTerm, ScopeTerm } from './gate.ts'

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
