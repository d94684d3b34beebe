import { allOf } from '#kernel/condition.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { conditionsOf, type IssueFilter, type IssueSort, listIssues, orders } from './list-store.ts'
import { type IssueRow, listIssuesById } from './store.ts'

// The index is read from the newest on, batch by batch, and what the filter leaves out is left out at once: a word that stands in a
// million comments costs no more than one that stands in a thousand, and a filter that leaves little is looked through further. By
// relevance reading ends a little after the page that is asked for, so that `total` is what was found so far and grows for who reads on,
// until it is all; later batches come after earlier ones, so that no page changes with it. Other orders are those of what is found first.

/** As many texts and comments are taken from the index at first, of titles, of texts and of comments each; and afterwards. */
const FIRST_BATCH = 300
const BATCH = 1000
/** As many of each are looked at, whatever words and filter leave. */
const MAX_LOOKED_AT = 20_000
/** By relevance it is known of so many further issues that they are there. */
const AHEAD = 100
/** In any other order so many of the newest are put. */
const SORTED = 2000
/** So many that have the words themselves are enough: what begins with them is not looked for. */
const PLENTY = 100

/** The issues of one page that have the words, and how many are known to be on all pages. */
export function searchIssues(db: Db, filter: IssueFilter, sort: IssueSort, page: Page): { rows: IssueRow[]; total: number } {
  if (filter.isEmpty || filter.words === undefined) return { rows: [], total: 0 }
  const enough = sort === 'relevance' ? page.offset + page.limit + AHEAD : SORTED
  const whole = new Search(db, filter, filter.words.whole, enough)
  const { found } = whole.matches >= PLENTY ? whole : new Search(db, filter, filter.words.begun, enough)
  const ids = sort === 'relevance' ? [...found] : sorted(db, [...found], sort)
  return { rows: listIssuesById(db, ids.slice(page.offset, page.offset + page.limit)), total: ids.length }
}

/** Where words stand: in a title, in a title or text, in a comment. By relevance, what has them in its title comes first. */
interface Stream {
  tier: number
  isOfComments: boolean
  query: string
  /** All that is left of it has lower rowids. */
  below: number
  isOver: boolean
}

class Search {
  /** The issues that words and filter leave, by relevance: of each batch what has the words in its title first, the newest of each first. */
  readonly found = new Set<number>()
  /** How many texts and comments hold the words, as far as was looked. */
  matches = 0
  readonly #db: Db
  readonly #filter: IssueFilter
  readonly #streams: Stream[]

  constructor(db: Db, filter: IssueFilter, words: string, enough: number) {
    this.#db = db
    this.#filter = filter
    this.#streams = ['title', '{title body}', 'body'].map((columns, tier) => {
      return { tier, isOfComments: tier === 2, query: `(${columns} : (${words}))`, below: Number.MAX_SAFE_INTEGER, isOver: false }
    })
    this.#takeBatch(FIRST_BATCH)
    if (this.#isOver(enough)) return
    const most = Math.min(enough, this.#countFiltered())
    for (let looked = FIRST_BATCH; looked < MAX_LOOKED_AT && !this.#isOver(most); looked += BATCH) this.#takeBatch(BATCH)
  }

  #isOver(enough: number): boolean {
    return this.found.size >= enough || this.#streams.every(({ isOver }) => isOver)
  }

  /** How many issues the filter leaves, words or no words. */
  #countFiltered(): number {
    return listIssues(this.#db, { ...this.#filter, words: undefined }, 'latest', { page: 1, limit: 1, offset: Number.MAX_SAFE_INTEGER }).total
  }

  #takeBatch(size: number): void {
    const tiers = new Map<number, number>()
    for (const stream of this.#streams) {
      if (stream.isOver) continue
      for (const id of this.#read(stream, size)) tiers.set(id, Math.min(stream.tier, tiers.get(id) ?? stream.tier))
    }
    const passing = this.#passing([...tiers.keys()])
    for (const id of passing.sort((a, b) => (tiers.get(a) as number) - (tiers.get(b) as number))) this.found.add(id)
  }

  /** The issues of a stream's next batch. */
  #read(stream: Stream, size: number): number[] {
    let rows = this.#next(stream, size)
    if (rows.length === size && stream.below === Number.MAX_SAFE_INTEGER && 'repoId' in this.#filter.where) {
      // Others may have most of these. The index can narrow it down, but is slower then.
      stream.query = `repo : "r${this.#filter.where.repoId}" AND ${stream.query}`
      rows = this.#next(stream, size)
    }
    this.matches += rows.length
    stream.below = rows.at(-1)?.at ?? 0
    stream.isOver = rows.length < size
    return rows.map(({ id }) => id)
  }

  #next({ isOfComments, query, below }: Stream, size: number): { at: number; id: number }[] {
    const from = (table: string) => `FROM ${table} WHERE ${table} MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`
    const sql = isOfComments
      ? `SELECT s.at, comment.issue_id AS id FROM (SELECT rowid AS at ${from('comment_search')}) AS s CROSS JOIN comment ON comment.id = s.at`
      : `SELECT rowid AS at, rowid AS id ${from('issue_search')}`
    return this.#db.all(sql, query, below, size)
  }

  /** Those of the issues that the filter leaves, the newest first. */
  #passing(ids: readonly number[]): number[] {
    if (ids.length === 0) return []
    const { sql, values } = allOf(conditionsOf(this.#filter))
    const from = 'json_each(?) AS s CROSS JOIN issue AS i ON i.id = s.value'
    return this.#db.all<{ id: number }>(`SELECT i.id FROM ${from} WHERE ${sql} ORDER BY ${orders.latest}`, JSON.stringify(ids), ...values).map(({ id }) => id)
  }
}

/** In the order that is asked for. */
function sorted(db: Db, ids: readonly number[], sort: Exclude<IssueSort, 'relevance'>): number[] {
  const sql = `SELECT i.id FROM json_each(?) AS s CROSS JOIN issue AS i ON i.id = s.value ORDER BY ${orders[sort]}`
  return db.all<{ id: number }>(sql, JSON.stringify(ids)).map(({ id }) => id)
}
