/** The longest search text, in characters. */
export const MAX_QUERY_LENGTH = 1000
/** The most words, phrases and qualifier values in one search. */
export const MAX_QUERY_TERMS = 30
/** The deepest nesting of parentheses, as on GitHub. */
export const MAX_QUERY_DEPTH = 5

/** All qualifiers that a search understands. */
export const qualifiers = [
  ...['is', 'state', 'type', 'author', 'assignee', 'mentions', 'involves', 'commenter', 'review-requested', 'reviewed-by', 'label', 'milestone', 'no', 'in'],
  ...['created', 'updated', 'closed', 'merged', 'comments', 'repo', 'user', 'org', 'sort'],
] as const
export type Qualifier = (typeof qualifiers)[number]

export function isQualifier(name: string): name is Qualifier {
  return (qualifiers as readonly string[]).includes(name)
}

/** A part of a search text. `start` and `end` are offsets into the text. */
export interface Place {
  start: number
  end: number
}

/** A word, or a phrase in quotes. */
export interface TextTerm extends Place {
  kind: 'text'
  text: string
  isPhrase: boolean
}

/** `name:value` or `name:value,value`. */
export interface QualifierTerm extends Place {
  kind: 'qualifier'
  name: Qualifier
  /** One or more, without their quotes. */
  values: readonly string[]
}

export type QueryNode = TextTerm | QualifierTerm | ({ kind: 'not'; part: QueryNode } & Place) | ({ kind: 'all' | 'any'; parts: readonly QueryNode[] } & Place)

/** Something in a search text that may not work as intended. */
export interface SyntaxProblem {
  message: string
  /** Offset into the text. */
  at: number
  /** Whether only words of a pasted text are affected, so that the rest of the search still works. */
  isHarmless: boolean
}

export interface ParsedQuery {
  /** The top-level parts, all of which have to match. */
  parts: readonly QueryNode[]
  problems: readonly SyntaxProblem[]
}

/** A term without its leading `-`: an optional name, then quoted and unquoted characters up to a space. */
const termPattern = /(?:([a-z]+(?:-[a-z]+)*):)?(?:"(?:[^"\\]|\\.)*"|[^\s"]|")+/iy
const phrasePattern = /"((?:[^"\\]|\\.)*)"/y
const valuePattern = /"((?:[^"\\]|\\.)*)"|((?:[^",]|")+)/g
/** An operator stands alone or before a parenthesis, and something follows it: otherwise it is a word. */
const operators = { AND: /AND(?=[\s(])\s*(?=[^\s)])/y, OR: /OR(?=[\s(])\s*(?=[^\s)])/y, NOT: /NOT(?=[\s(])\s*(?=[^\s)])/y }

/**
 * Parses a search in GitHub's grammar:
 *
 *     any  = all { "OR" all }
 *     all  = not { ["AND"] not }
 *     not  = ["NOT" | "-"] ( "(" any ")" | term )
 *     term = name ":" value { "," value } | phrase | word
 *
 * Every text can be parsed: an operator without operands is a word, a missing parenthesis is added.
 * `name:value` is a word when the name is not a qualifier's.
 */
export function parseQuery(text: string): ParsedQuery {
  const parser = new Parser(text.slice(0, MAX_QUERY_LENGTH))
  const root = parser.parse()
  if (text.length > MAX_QUERY_LENGTH) parser.note(MAX_QUERY_LENGTH, `A search can have at most ${MAX_QUERY_LENGTH} characters.`)
  return { parts: root === undefined ? [] : root.kind === 'all' ? root.parts : [root], problems: parser.problems }
}

class Parser {
  readonly problems: SyntaxProblem[] = []
  readonly #text: string
  #at = 0
  #depth = 0
  #terms = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): QueryNode | undefined {
    return this.#any()
  }

  note(at: number, message: string, isHarmless = false): void {
    // One problem of each kind is enough.
    if (!this.problems.some((problem) => problem.message === message)) this.problems.push({ message, at, isHarmless })
  }

  #any(): QueryNode | undefined {
    const parts = [this.#all()]
    while (this.#takeOperator('OR')) parts.push(this.#all())
    return joined('any', parts)
  }

  #all(): QueryNode | undefined {
    const parts: (QueryNode | undefined)[] = []
    for (;;) {
      if (parts.length > 0) this.#takeOperator('AND')
      if (this.#isAtEnd() || (parts.length > 0 && this.#peekOperator('OR'))) return joined('all', parts)
      parts.push(this.#not())
    }
  }

  #not(): QueryNode | undefined {
    const start = this.#at
    let isNegated = false
    while (this.#takeOperator('NOT') || this.#takeMinus()) isNegated = !isNegated
    const part = this.#text[this.#at] === '(' ? this.#group() : this.#term()
    return part && isNegated ? { kind: 'not', part, start, end: part.end } : part && { ...part, start }
  }

  #group(): QueryNode | undefined {
    const start = this.#at++
    if (this.#depth === MAX_QUERY_DEPTH) {
      this.note(start, `Parentheses can be nested at most ${MAX_QUERY_DEPTH} levels deep.`)
      return this.#isAtEnd() ? undefined : this.#not()
    }
    this.#depth++
    const inner = this.#any()
    this.#depth--
    this.#skipSpace()
    if (this.#text[this.#at] === ')') this.#at++
    else this.note(start, 'A parenthesis is not closed.', true)
    return inner && { ...inner, start, end: this.#at }
  }

  #term(): QueryNode | undefined {
    const start = this.#at
    termPattern.lastIndex = start
    const [whole = '', typed = ''] = termPattern.exec(this.#text) ?? []
    const name = typed.toLowerCase()
    const end = start + whole.length - this.#closing(whole)
    this.#at = end
    const term = this.#text.slice(start, end)
    const values = isQualifier(name) ? valuesIn(term.slice(name.length + 1)) : []
    this.#terms += Math.max(1, values.length)
    if (this.#terms > MAX_QUERY_TERMS) {
      this.note(start, `A search can have at most ${MAX_QUERY_TERMS} terms.`, values.length === 0)
      return undefined
    }
    if (isQualifier(name) && values.length > 0) return { kind: 'qualifier', name, values, start, end }
    return { kind: 'text', ...phraseOrWord(term), start, end }
  }

  /** Counts the closing parentheses at the end of a term that the term itself does not open. */
  #closing(whole: string): number {
    if (this.#depth === 0 || whole.endsWith('"')) return 0
    const last = /\)*$/.exec(whole)?.[0].length ?? 0
    const own = whole.split('(').length - 1
    return Math.max(0, Math.min(this.#depth, last - own, whole.length - 1))
  }

  #isAtEnd(): boolean {
    this.#skipSpace()
    return this.#at >= this.#text.length || (this.#depth > 0 && this.#text[this.#at] === ')')
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #peekOperator(word: keyof typeof operators): number | undefined {
    this.#skipSpace()
    const operator = operators[word]
    operator.lastIndex = this.#at
    return operator.test(this.#text) ? operator.lastIndex : undefined
  }

  #takeOperator(word: keyof typeof operators): boolean {
    const next = this.#peekOperator(word)
    if (next !== undefined) this.#at = next
    return next !== undefined
  }

  /** `-` negates what begins with a letter, a quote or a parenthesis: not `-1` and `--force`. */
  #takeMinus(): boolean {
    if (!/^-[\p{L}"(]/u.test(this.#text.slice(this.#at, this.#at + 3))) return false
    this.#at++
    return true
  }
}

function joined(kind: 'all' | 'any', all: readonly (QueryNode | undefined)[]): QueryNode | undefined {
  const parts = all.filter((part) => part !== undefined)
  const [first, last] = [parts[0], parts.at(-1)]
  return first === last || first === undefined || last === undefined ? first : { kind, parts, start: first.start, end: last.end }
}

function phraseOrWord(term: string): Pick<TextTerm, 'text' | 'isPhrase'> {
  phrasePattern.lastIndex = 0
  const phrase = phrasePattern.exec(term)
  return phrase?.[0] === term ? { text: unescaped(phrase[1] ?? ''), isPhrase: true } : { text: term, isPhrase: false }
}

function valuesIn(list: string): string[] {
  return [...list.matchAll(valuePattern)].flatMap(([, quoted, plain]) => (quoted === undefined ? (plain?.trim() ?? '') : unescaped(quoted)) || [])
}

function unescaped(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, '$1')
}

/** Quotes a value for a search text if it needs quotes. */
export function quotedWhereNeeded(value: string): string {
  return value === '' || /[\s"(),]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}
