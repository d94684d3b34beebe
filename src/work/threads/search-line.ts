/** What a search line says at one place: `name:value`, or a word to search for, which has no name. */
export interface Term {
  name: string
  value: string
  /** As it was typed. */
  whole: string
}

/** A word, or `name:value`, where a value with spaces stands in quotes, and quotes in it behind backslashes. */
const pattern = /(?:([a-z]+(?:-[a-z]+)*):)?(?:"((?:[^"\\]|\\.)*)"|(\S+))/g

/** Names that can stand several times: each narrows down further. Of the others the last counts. */
const many = new Set(['label', 'no'])
const aliases: Record<string, string> = { state: 'is' }

/** The one search line of lists, as those who build links to narrower and wider lists take it apart and put it together. */
export class SearchLine {
  readonly terms: readonly Term[]

  constructor(terms: readonly Term[]) {
    this.terms = terms
  }

  static parse(text: string): SearchLine {
    return new SearchLine([...text.matchAll(pattern)].map(([whole, name = '', quoted, plain = '']) => ({ name, value: unquoted(quoted) ?? plain, whole })))
  }

  /** What it says by this name. */
  valuesOf(name: string): string[] {
    return this.terms.filter((term) => isNamed(term, name)).map(({ value }) => value)
  }

  has(name: string, value: string): boolean {
    return this.valuesOf(name).includes(value)
  }

  /** With this term, in place of another of its name where only one can be. */
  with(name: string, value: string): SearchLine {
    const rest = many.has(name) ? this : this.without(name)
    return rest.has(name, value) ? rest : new SearchLine([...rest.terms, { name, value, whole: `${name}:${quotedWhereNeeded(value)}` }])
  }

  /** @param value absent for all terms of the name */
  without(name: string, value?: string): SearchLine {
    return new SearchLine(this.terms.filter((term) => !isNamed(term, name) || (value !== undefined && term.value !== value)))
  }

  /** Its terms of one name alone. */
  only(name: string): SearchLine {
    return new SearchLine(this.terms.filter((term) => isNamed(term, name)))
  }

  /** Without one of its terms. */
  less(left: Term): SearchLine {
    return new SearchLine(this.terms.filter((term) => term !== left))
  }

  toString(): string {
    return this.terms.map(({ whole }) => whole).join(' ')
  }
}

function isNamed({ name }: Term, asked: string): boolean {
  return (aliases[name] ?? name) === asked
}

function unquoted(quoted: string | undefined): string | undefined {
  return quoted?.replace(/\\(["\\])/g, '$1')
}

function quotedWhereNeeded(value: string): string {
  return value === '' || /[\s"]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}
