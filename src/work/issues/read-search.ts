import { accessStore, canSeeAccount, findVisibleRepo, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { findNamedMilestone } from '#work/milestones/index.ts'
import { type Criterion, type Flag, lacks, type RangeColumn, type Role, type TextPlace } from './criteria-store.ts'
import { listLabelsNamed, listLabelsNamedLike } from './label-store.ts'
import { type IssueSort, orders, type TextSearch } from './list-store.ts'
import { isQualifier, parseQuery, type QualifierTerm, type QueryNode, qualifiers } from './query-syntax.ts'
import { parseDateRange, parseNumberRange } from './range-values.ts'
import { isTextNode, matching, type TextNode } from './search-words.ts'

/** The most groups of words beside other criteria in an OR or a NOT: each reads the full-text index by itself. */
const MAX_TEXT_CRITERIA = 5
/** The most accounts in one search: the issues of each are looked up by themselves. */
const MAX_ACCOUNTS = 10

/** The most numbers of issues in one group of words: each is looked up in every repository. Further numbers are words. */
const MAX_NUMBERS = 5

/** A parsed search text with its names resolved. */
export interface IssueSearch {
  /** All of them have to match. */
  criteria: readonly Criterion[]
  /** The full-text query. Absent when words stand beside other criteria in an OR or a NOT: they are criteria then. */
  text?: TextSearch | undefined
  sort?: IssueSort | undefined
  /** Whether the search asks for a state itself. */
  hasState: boolean
  /** Nothing can match. */
  isEmpty: boolean
  notes: readonly SearchNote[]
}

/** A message about a part of a search that may not work as intended. */
export interface SearchNote {
  message: string
  /** Whether the part is wrong and ignored. False for names that do not exist and for words that look like a qualifier. */
  isError: boolean
}

/** The scope of a search: one repository or all. */
interface Scope {
  db: Db
  viewer: Viewer
  repo: RepoAccess | undefined
}

const noSearch: IssueSearch = { criteria: [], hasState: false, isEmpty: false, notes: [] }

/** Reads a search in GitHub's grammar (`query-syntax.ts`). Wrong parts are left out and noted. */
export function readSearch(db: Db, viewer: Viewer, repo: RepoAccess | undefined, q: string | undefined): IssueSearch {
  return q?.trim() ? new SearchReader({ db, viewer, repo }).read(q) : noSearch
}

/** Reads a search of the API. @throws Unprocessable for a wrong part */
export function readStrictSearch(db: Db, viewer: Viewer, repo: RepoAccess | undefined, q: string | undefined): IssueSearch {
  const search = readSearch(db, viewer, repo, q)
  const error = search.notes.find(({ isError }) => isError)
  if (error) throw new Unprocessable(`[q]: ${error.message}`)
  return search
}

const flags: readonly Flag[] = ['merged', 'unmerged', 'draft', 'locked', 'unlocked', 'public', 'private']
const types: Record<string, boolean> = { issue: false, issues: false, pr: true, pull: true, pulls: true }
const roles: Record<string, Role> = {
  author: 'author',
  assignee: 'assignee',
  mentions: 'mentioned',
  commenter: 'commenter',
  'review-requested': 'requested reviewer',
  'reviewed-by': 'reviewer',
}
const ranges: Record<string, RangeColumn> = {
  created: 'created_at',
  updated: 'updated_at',
  closed: 'closed_at',
  merged: 'merged_at',
  comments: 'comment_count',
}
const places: readonly TextPlace[] = ['title', 'body', 'comments']
const sorts: Record<string, IssueSort> = {
  ...(Object.fromEntries(Object.keys(orders).map((name) => [name, name])) as Record<keyof typeof orders, IssueSort>),
  relevance: 'relevance',
  'best-match': 'relevance',
  created: 'latest',
  'created-desc': 'latest',
  'created-asc': 'oldest',
  updated: 'recentupdate',
  'updated-desc': 'recentupdate',
  'updated-asc': 'leastupdate',
  comments: 'mostcomment',
  'comments-desc': 'mostcomment',
  'comments-asc': 'leastcomment',
}

/** Returns the order for a value of `sort:`, in GitHub's or Gitea's spelling. */
export function sortNamed(name: string): IssueSort | undefined {
  return Object.hasOwn(sorts, name) ? sorts[name] : undefined
}

class SearchReader {
  readonly #scope: Scope
  readonly #notes: SearchNote[] = []
  readonly #places = new Set<TextPlace>()
  #sort: IssueSort | undefined
  #hasState = false
  #textCriteria = 0
  #accounts = 0

  constructor(scope: Scope) {
    this.#scope = scope
  }

  read(q: string): IssueSearch {
    const { parts, problems } = parseQuery(q)
    for (const { message, isHarmless } of problems) this.#note(message, !isHarmless)
    this.#readPlaces(parts)
    const words = textOf('all', parts.filter(isTextNode))
    const criteria = this.#criteriaIn(
      'all',
      parts.filter((part) => !isTextNode(part)),
    )
    const text = words && this.#textSearch(words)
    const rest = { sort: this.#sort, hasState: this.#hasState, isEmpty: words !== undefined && text === undefined, notes: this.#notes }
    // Otherwise the full-text index would be read again for each criterion that uses it.
    if (this.#textCriteria === 0 || text === undefined) return { criteria, text, ...rest }
    return { criteria: [...criteria, this.#textCriterion(text)].filter((one) => one !== undefined), ...rest }
  }

  #note(message: string, isError: boolean): void {
    if (!this.#notes.some((note) => note.message === message)) this.#notes.push({ message, isError })
  }

  /** Reads `in:`, which applies to all words of the search. */
  #readPlaces(parts: readonly QueryNode[]): void {
    for (const part of parts) {
      if (part.kind === 'all' || part.kind === 'any') this.#readPlaces(part.parts)
      if (part.kind === 'not') this.#readPlaces([part.part])
      if (part.kind !== 'qualifier' || part.name !== 'in') continue
      for (const value of part.values) {
        const place = places.find((one) => one === value)
        if (place === undefined) this.#refuseValue('in', value, places.join(', '))
        else this.#places.add(place)
      }
    }
  }

  #criteriaIn(kind: 'all' | 'any', parts: readonly QueryNode[]): Criterion[] {
    const texts = parts.filter(isTextNode)
    const excluded = kind === 'all' ? parts.flatMap((part) => (part.kind === 'not' && isTextNode(part.part) ? [part.part] : [])) : []
    const others = parts.filter((part) => !isTextNode(part) && !(part.kind === 'not' && excluded.some((text) => text === part.part)))
    const text = this.#criterionOfText(textOf(kind, texts))
    const none = this.#criterionOfText(textOf('any', excluded))
    const criteria = others.map((part) => this.#criterion(part))
    return [...criteria, text, none && ({ kind: 'not', part: none } as const)].filter((one) => one !== undefined)
  }

  #criterion(node: QueryNode): Criterion | undefined {
    if (isTextNode(node)) return this.#criterionOfText(node)
    if (node.kind === 'qualifier') return this.#qualifier(node)
    if (node.kind === 'not') {
      if (node.part.kind === 'qualifier' && (node.part.name === 'sort' || node.part.name === 'in'))
        this.#note(`\`${node.part.name}:\` cannot be negated.`, true)
      const part = this.#criterion(node.part)
      return part && { kind: 'not', part }
    }
    const parts = this.#criteriaIn(node.kind, node.parts)
    return parts.length === 0 ? undefined : { kind: node.kind, parts }
  }

  #criterionOfText(node: TextNode | undefined): Criterion | undefined {
    const text = node && this.#textSearch(node)
    return text && this.#textCriterion(text)
  }

  #textCriterion({ words, places: sought, numbers }: TextSearch): Criterion | undefined {
    if (this.#textCriteria++ === MAX_TEXT_CRITERIA) this.#note(`OR, NOT and parentheses can separate at most ${MAX_TEXT_CRITERIA} groups of words.`, true)
    if (this.#textCriteria > MAX_TEXT_CRITERIA) return undefined
    return { kind: 'text', expression: words.whole, places: sought, repoId: this.#scope.repo?.row.id, numbers }
  }

  #textSearch(node: TextNode): TextSearch | undefined {
    for (const term of termsIn(node)) this.#noteUnknown(term)
    const words = matching(node)
    return words && { words, places: this.#places.size === 0 ? places : [...this.#places], numbers: numbersIn(node).slice(0, MAX_NUMBERS) }
  }

  /** Notes a word that looks like a qualifier but is not one. URLs and names such as `std::vector` are not noted. */
  #noteUnknown(text: string): void {
    const [, name = '', value] = /^([a-z]+(?:-[a-z]+)*):(?![:/\\])(.*)$/is.exec(text) ?? []
    if (name.length < 2) return
    if (isQualifier(name.toLowerCase())) this.#note(`\`${name}:\` needs a value, without a space before it. It is searched for as text.`, false)
    else if (value !== '')
      this.#note(`Unknown qualifier \`${name}:\`. It is searched for as text. Qualifiers are ${qualifiers.map((one) => `\`${one}:\``).join(', ')}.`, false)
  }

  #qualifier(term: QualifierTerm): Criterion | undefined {
    const { name, values } = term
    switch (name) {
      case 'in':
        return undefined
      case 'sort':
        this.#readSort(values)
        return undefined
      case 'is':
      case 'state':
      case 'type':
        return this.#each(values, (value) => this.#property(name, value))
      case 'no':
        return this.#each(values, (value) => {
          const lack = lacks.find((one) => one === value)
          return lack ? { kind: 'no', lack } : this.#refuseValue(name, value, lacks.join(', '))
        })
      case 'label':
      case 'milestone':
        return this.#each([...groupWildcard(values)], (some) => (some === '*' ? has(name) : this.#named(name, some)))
      case 'created':
      case 'updated':
      case 'closed':
      case 'merged':
      case 'comments':
        return this.#each(values, (value) => this.#range(name, value))
      case 'repo':
        return { kind: 'repository', ids: values.flatMap((value) => this.#repoNamed(value)) }
      case 'user':
      case 'org':
        return { kind: 'owner', ids: values.flatMap((value) => this.#accountNamed(value)) }
      case 'involves': {
        const ids = values.flatMap((value) => this.#accountNamed(value))
        return { kind: 'any', parts: (['author', 'assignee', 'mentioned', 'commenter'] as const).map((kind) => ({ kind, ids })) }
      }
      default:
        return this.#each([...groupWildcard(values)], (some) =>
          some === '*' && name === 'assignee' ? has(name) : { kind: roles[name] as Role, ids: [some].flat().flatMap((value) => this.#accountNamed(value)) },
        )
    }
  }

  /** Joins the values of a qualifier by OR. */
  #each<T>(values: readonly T[], read: (value: T) => Criterion | undefined): Criterion | undefined {
    const parts = values.map(read).filter((one) => one !== undefined)
    return parts.length <= 1 ? parts[0] : { kind: 'any', parts }
  }

  #refuseValue(name: string, value: string, accepted: string): undefined {
    this.#note(`Unknown value \`${value}\` for \`${name}:\`. Use ${accepted}.`, true)
  }

  #readSort(values: readonly string[]): void {
    for (const value of values) {
      const sort = sortNamed(value)
      if (sort !== undefined) this.#sort = sort
      else this.#refuseValue('sort', value, Object.keys(sorts).join(', '))
    }
  }

  #property(name: 'is' | 'state' | 'type', typed: string): Criterion | undefined {
    const value = typed.toLowerCase()
    if (name !== 'state' && Object.hasOwn(types, value)) return { kind: 'type', isPull: types[value] as boolean }
    if (name !== 'type' && ['open', 'closed', 'all', 'merged', 'unmerged'].includes(value)) this.#hasState = true
    if (name !== 'type' && (value === 'open' || value === 'closed')) return { kind: 'state', isClosed: value === 'closed' }
    if (name !== 'type' && value === 'all') return undefined
    const flag = flags.find((one) => one === value)
    if (flag && (name === 'is' || (name === 'state' && flag === 'merged'))) return { kind: 'is', flag }
    const accepted = { is: ['open', 'closed', 'issue', 'pr', ...flags], state: ['open', 'closed', 'all', 'merged'], type: ['issue', 'pr'] }
    return this.#refuseValue(name, typed, accepted[name].join(', '))
  }

  #named(name: 'label' | 'milestone', names: readonly string[]): Criterion {
    const { db, repo } = this.#scope
    if (repo === undefined) {
      return name === 'label'
        ? { kind: 'label name', names, ignoresCase: true }
        : { kind: 'milestone title', titles: names.map((title) => title.toLowerCase()) }
    }
    const find = (one: string) => (name === 'label' ? labelIdsOf(db, repo, one) : [findNamedMilestone(db, repo.row.id, one)?.id ?? []].flat())
    const ids = names.flatMap((one) => {
      const found = find(one)
      if (found.length === 0) this.#note(`No ${name} \`${one}\` in this repository.`, false)
      return found
    })
    return { kind: name, ids }
  }

  #range(name: keyof typeof ranges, value: string): Criterion | undefined {
    if (name === 'closed' || name === 'merged') this.#hasState = true
    const range = name === 'comments' ? parseNumberRange(value) : parseDateRange(value)
    if (range !== undefined) return { kind: 'range', column: ranges[name] as RangeColumn, ...range }
    return this.#refuseValue(name, value, name === 'comments' ? '5, >5, >=5, <5, <=5 or 2..5' : '2026-01-31, >2026-01-31, >=, <, <= or 2026-01-01..2026-01-31')
  }

  #accountNamed(typed: string): number[] {
    const { db, viewer } = this.#scope
    if (++this.#accounts > MAX_ACCOUNTS) {
      this.#note(`A search can name at most ${MAX_ACCOUNTS} users and organizations.`, true)
      return []
    }
    if (typed === '@me') {
      if (viewer.user === undefined) this.#note('Sign in to use `@me`.', false)
      return viewer.user ? [viewer.user.id] : []
    }
    const account = accessStore.findUserByName(db, typed.replace(/^@/, ''))
    if (account && canSeeAccount(db, viewer, account)) return [account.id]
    this.#note(`No user or organization \`${typed}\`.`, false)
    return []
  }

  #repoNamed(typed: string): number[] {
    const { db, viewer } = this.#scope
    const [owner = '', name = ''] = typed.split('/')
    const repo = findVisibleRepo(db, viewer, owner, name)
    if (repo === undefined) this.#note(`No repository \`${typed}\`.`, false)
    return repo ? [repo.row.id] : []
  }
}

/** Returns the labels with exactly this name, or else those that differ only in case. */
function labelIdsOf(db: Db, { row, owner }: RepoAccess, name: string): number[] {
  const labels = listLabelsNamed(db, row.id, owner.id, [name])
  return (labels.length > 0 ? labels : listLabelsNamedLike(db, row.id, owner.id, name)).map(({ id }) => id)
}

function has(lack: 'label' | 'milestone' | 'assignee'): Criterion {
  return { kind: 'not', part: { kind: 'no', lack } }
}

/** Separates `*` (any value) from the other values. */
function* groupWildcard(values: readonly string[]): Generator<'*' | readonly string[]> {
  if (values.includes('*')) yield '*'
  const others = values.filter((value) => value !== '*')
  if (others.length > 0) yield others
}

function textOf(kind: 'all' | 'any', parts: readonly TextNode[]): TextNode | undefined {
  const [first] = parts
  return parts.length <= 1 ? first : { kind, parts }
}

/** Returns the issue numbers that a text names: a number alone, or one that stands in an OR. */
function numbersIn(node: TextNode): number[] {
  if (node.kind !== 'text') return node.kind === 'any' ? node.parts.flatMap(numbersIn) : []
  const [, number] = (!node.isPhrase && /^#?([1-9]\d{0,8})$/.exec(node.text)) || []
  return number === undefined ? [] : [Number(number)]
}

function termsIn(node: TextNode): string[] {
  return node.kind === 'text' ? (node.isPhrase ? [] : [node.text]) : node.parts.flatMap(termsIn)
}
