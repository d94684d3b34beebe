import { parseQuery, type QueryNode, quotedWhereNeeded } from '#work/issues/index.ts'

/** One of the top-level parts of a search, all of which have to match. */
export interface Term {
  /** The name of a qualifier that is not negated; empty for everything else. */
  name: string
  values: readonly string[]
  /** As it was typed. */
  whole: string
  /** Whether it needs parentheses beside other parts. */
  isOr: boolean
}

/** Qualifiers that can be used several times. The links of a list keep only one of each other qualifier. */
const many = new Set(['label', 'no', 'is'])

/** The search of a list, used to build links to narrower and wider lists. */
export class SearchLine {
  readonly terms: readonly Term[]

  constructor(terms: readonly Term[]) {
    this.terms = terms
  }

  static parse(text: string): SearchLine {
    return new SearchLine(parseQuery(text).parts.map((part) => termOf(text, part)))
  }

  /** What it says by this name. */
  valuesOf(name: string): string[] {
    return this.terms.flatMap((term) => (term.name === name ? term.values : []))
  }

  has(name: string, value: string): boolean {
    return this.terms.some((term) => isTerm(term, name, value))
  }

  /** With this term, in place of another of its name where only one can be. */
  with(name: string, value: string): SearchLine {
    const rest = many.has(name) ? this : this.without(name)
    return rest.has(name, value) ? rest : new SearchLine([...rest.terms, { name, values: [value], whole: `${name}:${quotedWhereNeeded(value)}`, isOr: false }])
  }

  /** @param value absent for all terms of the name */
  without(name: string, value?: string): SearchLine {
    return this.filter((term) => !(value === undefined ? term.name === name : isTerm(term, name, value)))
  }

  /** Its terms of one name alone. */
  only(name: string): SearchLine {
    return this.filter((term) => term.name === name)
  }

  /** Without one of its terms. */
  less(left: Term): SearchLine {
    return this.filter((term) => term !== left)
  }

  filter(isKept: (term: Term) => boolean): SearchLine {
    return new SearchLine(this.terms.filter(isKept))
  }

  toString(): string {
    return this.terms.map(({ whole, isOr }) => (isOr && this.terms.length > 1 ? `(${whole})` : whole)).join(' ')
  }
}

function termOf(text: string, part: QueryNode): Term {
  const whole = text.slice(part.start, part.end)
  const isOr = part.kind === 'any' && !whole.startsWith('(')
  return part.kind === 'qualifier' ? { name: part.name, values: part.values, whole, isOr } : { name: '', values: [], whole, isOr }
}

/** Returns whether the search has exactly this term: `label:a,b` is not `label:a`. */
function isTerm(term: Term, name: string, value: string): boolean {
  return term.name === name && term.values.length === 1 && term.values[0] === value
}
