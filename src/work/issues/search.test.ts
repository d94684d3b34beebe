import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Person, type Reply, testForge } from '../../../test/harness.ts'

// A repository with more matches than a search looks at for its first page, beside another one that has still more.

const ISSUES = 2500
const LIMIT = 50

interface Made {
  number: number
  isClosed: boolean
  hasLabel: boolean
  /** Where the word `gear` stands. */
  place: 'title' | 'body' | 'comment' | 'nowhere'
}

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
const made: Made[] = []

beforeAll(async () => {
  ada = await forge.person('ada')
  const [engine, crowd] = [forge.repo(ada, 'engine'), forge.repo(ada, 'crowd')]
  forge.context.db.tx((tx) => {
    const label = tx.insert('label', { repo_id: engine.id, name: 'rare', color: 'aabbcc', created_at: 1, updated_at: 1 })
    const write = (repoId: number, number: number, isClosed: boolean, place: Made['place']) => {
      const [title, body] = [place === 'title' ? `A gear ${number}` : `A wheel ${number}`, place === 'body' ? 'the gear turns' : 'it turns']
      const dates = { created_at: 1_700_000_000 + number, updated_at: 1_700_000_000 + number }
      const state = { is_closed: Number(isClosed), closed_at: isClosed ? 1_700_000_000 : null }
      const id = tx.insert('issue', { repo_id: repoId, number, poster_id: ada.row.id, title, body, ...state, ...dates })
      tx.run('INSERT INTO issue_search (rowid, title, body, repo) VALUES (?, ?, ?, ?)', id, title, body, `r${repoId}`)
      if (place === 'comment') {
        const comment = tx.insert('comment', { issue_id: id, repo_id: repoId, type: 'comment', poster_id: ada.row.id, body: 'what a gear', ...dates })
        tx.run('INSERT INTO comment_search (rowid, body, repo) VALUES (?, ?, ?)', comment, 'what a gear', `r${repoId}`)
      }
      return id
    }
    for (let number = 1; number <= ISSUES; number++) {
      const place = (['title', 'body', 'comment', 'nowhere'] as const)[number % 4] as Made['place']
      const one = { number, isClosed: number % 50 !== 1, hasLabel: number < 40, place }
      const id = write(engine.id, number, one.isClosed, place)
      if (one.hasLabel) tx.run('INSERT INTO issue_label (issue_id, label_id) VALUES (?, ?)', id, label)
      made.push(one)
    }
    for (let number = 1; number <= ISSUES; number++) write(crowd.id, number, false, 'title')
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

/** All pages that the links lead to, as a client reads them. */
async function readOn(query: string): Promise<{ numbers: number[]; totals: number[] }> {
  const numbers: number[] = []
  const totals: number[] = []
  for (let next: string | undefined = `/repos/ada/engine/issues?${query}&limit=${LIMIT}`; next !== undefined; ) {
    const { body, headers }: Reply<{ number: number }[]> = await asAda.get(next)
    numbers.push(...body.map(({ number }) => number))
    totals.push(Number(headers.get('x-total-count')))
    next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return { numbers, totals }
}

const filters: [query: string, fits: (one: Made) => boolean][] = [
  ['q=gear&state=all', () => true],
  ['q=gear', ({ isClosed }) => !isClosed],
  ['q=gear&state=closed', ({ isClosed }) => isClosed],
  ['q=gear&state=all&labels=rare', ({ hasLabel }) => hasLabel],
  ['q=gea&state=all&labels=rare', ({ hasLabel }) => hasLabel],
]

test.each(filters)('whoever reads on through %s finds every match, each once, and the total when it is all', async (query, fits) => {
  const expected = made.filter((one) => one.place !== 'nowhere' && fits(one)).map(({ number }) => number)
  const { numbers, totals } = await readOn(query)
  expect(numbers).toHaveLength(new Set(numbers).size)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(expected)
  expect(totals.at(-1)).toBe(expected.length)
  expect(totals).toEqual(totals.toSorted((a, b) => a - b))
})

test('what has the word in its title comes first, the newest of it before the others', async () => {
  const { body } = await asAda.get<{ title: string; number: number }[]>('/repos/ada/engine/issues?q=gear&state=all&limit=20')
  expect(body.map(({ title }) => title.includes('gear'))).toEqual(Array(20).fill(true))
  expect(body.map(({ number }) => number)).toEqual(body.map(({ number }) => number).toSorted((a, b) => b - a))
})

test('in another order the matches are in that order throughout', async () => {
  const { numbers } = await readOn('q=gear&state=all&sort=oldest')
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(numbers).toHaveLength(made.filter(({ place }) => place !== 'nowhere').length)
})

const everywhere = ['state=all&q=gear', 'q=gear&state=open', 'state=open', 'state=all&sort=oldest', 'q=gear&state=all&sort=recentupdate']
test.each(everywhere)('one repository’s issues come before all others of %s, page after page', async (query) => {
  const { body: repo } = await asAda.get<{ id: number }>('/repos/ada/crowd')
  const seen: string[] = []
  let total = 0
  for (const page of [1, 20, 30, 50, 51, 60]) {
    const line = `GET /repos/issues/search?${query}&priority_repo_id=${repo.id}&limit=50&page=${page}`
    const { body, headers } = await asAda.send<{ number: number; repository: { name: string } }[]>(line)
    seen.push(...body.map(({ number, repository: { name } }) => `${name}#${number}`))
    total = Math.max(total, Number(headers.get('x-total-count')))
  }
  const names = seen.map((one) => one.split('#')[0])
  expect(new Set(seen).size).toBe(seen.length)
  expect(names).toEqual(names.toSorted())
  expect(names).toContain('crowd')
  expect(total).toBeGreaterThanOrEqual(seen.length)
})

test('deletions never have the index written anew', () => {
  const settings = ['issue_search', 'comment_search'].map((index) => forge.context.db.find(`SELECT v FROM ${index}_config WHERE k = 'deletemerge'`))
  expect(settings).toEqual([{ v: 0 }, { v: 0 }])
})
