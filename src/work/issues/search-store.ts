import { allOf } from '#kernel/database/condition.ts'
import { question } from '#kernel/database/questions.ts'
import type { LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { type Ask, aside, conditionsOf, type IssueFilter, type IssueSort, listIssues, orders, type TextSearch } from './list-store.ts'
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
/** The most issues that a search of all repositories finds by their number. */
const MAX_OF_NUMBER = 100

/** The issues of one page that have the words, and how many are known to be on all pages. */
export async function searchIssues(db: LongDb, line: string, filter: IssueFilter, sort: IssueSort, page: Page): Promise<{ rows: IssueRow[]; total: number }> {
  const { text } = filter
  if (filter.isEmpty || text === undefined) return { rows: [], total: 0 }
  const { words } = text
  const enough = sort === 'relevance' ? page.offset + page.limit + AHEAD : SORTED
  const countFiltered = async () => (await listIssues(db, line, { ...filter, text: undefined }, 'latest', NOWHERE)).total
  const search = async (expression: string) => {
    const search = new Search(aside(db, line), filter, text, expression)
    await search.run(enough, countFiltered)
    return search
  }
  const whole = await search(words.whole)
  const { found } = whole.matches >= PLENTY || words.begun === words.whole ? whole : await search(words.begun)
  const ids = sort === 'relevance' ? [...found] : await sorted(aside(db, line), [...found], sort)
  return { rows: listIssuesById(db, ids.slice(page.offset, page.offset + page.limit)), total: ids.length }
}

/** A page of no rows: how many there are is told all the same. */
const NOWHERE: Page = { page: 1, limit: 1, offset: Number.MAX_SAFE_INTEGER }

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
  readonly #ask: Ask
  readonly #filter: IssueFilter
  readonly #numbers: readonly number[]
  readonly #streams: Stream[]

  /** @param expression of FTS5 */
  constructor(ask: Ask, filter: IssueFilter, { places, numbers }: TextSearch, expression: string) {
    this.#ask = ask
    this.#filter = filter
    this.#numbers = numbers
    const columns = places.filter((place) => place !== 'comments').join(' ')
    const streams = [places.includes('title') && 'title', columns !== '' && columns !== 'title' && `{${columns}}`, places.includes('comments') && 'body']
    this.#streams = streams.flatMap((column, tier) => {
      if (column === false) return []
      return { tier, isOfComments: tier === 2, query: `(${column} : (${expression}))`, below: Number.MAX_SAFE_INTEGER, isOver: false }
    })
  }

  /** @param enough so many are looked for @param countFiltered how many issues the filter leaves, words or no words */
  async run(enough: number, countFiltered: () => Promise<number>): Promise<void> {
    if (this.#numbers.length > 0) await this.#takeNumbered()
    await this.#takeBatch(FIRST_BATCH)
    if (this.#isOver(enough)) return
    const most = Math.min(enough, await countFiltered())
    for (let looked = FIRST_BATCH; looked < MAX_LOOKED_AT && !this.#isOver(most); looked += BATCH) await this.#takeBatch(BATCH)
  }

  /** Issues with one of the numbers come before those that only mention it. */
  async #takeNumbered(): Promise<void> {
    const { sql, values } = allOf(conditionsOf(this.#filter))
    // The index is by repository and number.
    const from =
      'issue AS i INDEXED BY sqlite_autoindex_issue_1 WHERE i.repo_id IN (SELECT id FROM repository) AND i.number IN (SELECT value FROM json_each(?))'
    const asked = `SELECT i.id FROM ${from} AND ${sql} ORDER BY ${orders.latest} LIMIT ?`
    for (const { id } of await this.#ask<{ id: number }>(question(asked, JSON.stringify(this.#numbers), ...values, MAX_OF_NUMBER))) this.found.add(id)
  }

  #isOver(enough: number): boolean {
    return this.found.size >= enough || this.#streams.every(({ isOver }) => isOver)
  }

  async #takeBatch(size: number): Promise<void> {
    const tiers = new Map<number, number>()
    for (const stream of this.#streams) {
      if (stream.isOver) continue
      for (const id of await this.#read(stream, size)) tiers.set(id, Math.min(stream.tier, tiers.get(id) ?? stream.tier))
    }
    const passing = await this.#passing([...tiers.keys()])
    for (const id of passing.sort((a, b) => (tiers.get(a) as number) - (tiers.get(b) as number))) this.found.add(id)
  }

  /** The issues of a stream's next batch. */
  async #read(stream: Stream, size: number): Promise<number[]> {
    let rows = await this.#next(stream, size)
    if (rows.length === size && stream.below === Number.MAX_SAFE_INTEGER && 'repoId' in this.#filter.where) {
      // Others may have most of these. The index can narrow it down, but is slower then.
      stream.query = `repo : "r${this.#filter.where.repoId}" AND ${stream.query}`
      rows = await this.#next(stream, size)
    }
    this.matches += rows.length
    stream.below = rows.at(-1)?.at ?? 0
    stream.isOver = rows.length < size
    return rows.map(({ id }) => id)
  }

  #next({ isOfComments, query, below }: Stream, size: number): { at: number; id: number }[] | Promise<{ at: number; id: number }[]> {
    const from = (table: string) => `FROM ${table} WHERE ${table} MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`
    const sql = isOfComments
      ? `SELECT s.at, comment.issue_id AS id FROM (SELECT rowid AS at ${from('comment_search')}) AS s CROSS JOIN live_comment AS comment ON comment.id = s.at`
      : `SELECT rowid AS at, rowid AS id ${from('issue_search')}`
    return this.#ask(question(sql, query, below, size))
  }

  /** Those of the issues that the filter leaves, the newest first. */
  async #passing(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return []
    const { sql, values } = allOf(conditionsOf(this.#filter))
    const from = 'json_each(?) AS s CROSS JOIN issue AS i ON i.id = s.value'
    const left = await this.#ask<{ id: number }>(question(`SELECT i.id FROM ${from} WHERE ${sql} ORDER BY ${orders.latest}`, JSON.stringify(ids), ...values))
    return left.map(({ id }) => id)
  }
}

/** In the order that is asked for. */
async function sorted(ask: Ask, ids: readonly number[], sort: Exclude<IssueSort, 'relevance'>): Promise<number[]> {
  const sql = `SELECT i.id FROM json_each(?) AS s CROSS JOIN issue AS i ON i.id = s.value ORDER BY ${orders[sort]}`
  return (await ask<{ id: number }>(question(sql, JSON.stringify(ids)))).map(({ id }) => id)
}
