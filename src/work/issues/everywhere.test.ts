import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'

// What the search in all repositories finds by label, milestone and assignee, held against what was made.

interface Made {
  title: string
  isSecret: boolean
  isClosed: boolean
  labels: string[]
  milestone: string | undefined
  isBobs: boolean
}

const forge = testForge()
const people: Record<string, Person> = {}
const made: Made[] = []

beforeAll(async () => {
  for (const name of ['ada', 'bob']) people[name] = await forge.person(name)
  const ada = people.ada as Person
  const repos = [forge.repo(ada, 'engine'), forge.repo(ada, 'other'), forge.repo(ada, 'secret', { private: true })]
  const dates = { created_at: 1, updated_at: 1 }
  forge.context.db.tx((tx) => {
    for (const [r, { id: repo_id }] of repos.entries()) {
      const labels = ['bug', 'idea'].map((name) => tx.insert('label', { repo_id, name, color: 'aabbcc', ...dates }))
      const milestones = ['V1', 'v2'].map((title) => tx.insert('milestone', { repo_id, title, ...dates }))
      for (let n = 0; n < 24; n++) {
        const isClosed = n % 3 === 0
        const title = `${r}-${n}`
        const at = 1_700_000_000 + n * 10 + r
        const state = { is_closed: Number(isClosed), closed_at: isClosed ? at : null, milestone_id: milestones[n % 5] ?? null }
        const id = tx.insert('issue', { repo_id, number: n + 1, poster_id: ada.row.id, title, created_at: at, updated_at: at, ...state })
        const carried = labels.filter((_, i) => (n >> i) % 2 === 1)
        for (const label_id of carried) tx.run('INSERT INTO issue_label (issue_id, label_id) VALUES (?, ?)', id, label_id)
        if (n % 4 === 1) tx.run('INSERT INTO issue_assignee (issue_id, user_id) VALUES (?, ?)', id, (people.bob as Person).row.id)
        const names = carried.map((label) => ['bug', 'idea'][labels.indexOf(label)] as string)
        made.push({ title, isSecret: r === 2, isClosed, labels: names, milestone: ['v1', 'v2'][n % 5], isBobs: n % 4 === 1 })
      }
    }
  })
  made.sort((one, other) => order(other) - order(one))
})
afterAll(() => forge[Symbol.asyncDispose]())

function order({ title }: Made): number {
  const [r, n] = title.split('-').map(Number) as [number, number]
  return n * 10 + r
}

/** All pages, as a client reads them. */
async function search(as: string, query: string): Promise<{ titles: string[]; totals: Set<number> }> {
  const [titles, totals]: [string[], Set<number>] = [[], new Set()]
  for (let page = 1; ; page++) {
    const { body, headers } = await forge.asUser(people[as]).get<{ title: string }[]>(`/repos/issues/search?${query}&limit=7&page=${page}`)
    if (body.length === 0) return { titles, totals }
    titles.push(...body.map(({ title }) => title))
    totals.add(Number(headers.get('x-total-count')))
  }
}

test.each<[query: string, fits: (one: Made) => boolean]>([
  ['labels=bug', ({ labels }) => labels.includes('bug')],
  ['labels=bug,idea', ({ labels }) => labels.length > 0],
  ['labels=bug,absent', ({ labels }) => labels.includes('bug')],
  ['milestones=v1', ({ milestone }) => milestone === 'v1'],
  ['milestones=v1,V2', ({ milestone }) => milestone !== undefined],
  ['labels=bug&milestones=v1', ({ labels, milestone }) => labels.includes('bug') && milestone === 'v1'],
])('?%s finds what anybody may read, each once, page by page, in every state and order', async (query, fits) => {
  for (const [as, sees] of [
    ['ada', () => true],
    ['bob', ({ isSecret }: Made) => !isSecret],
  ] as const) {
    for (const state of ['open', 'closed', 'all']) {
      const expected = made.filter((one) => fits(one) && sees(one) && (state === 'all' || one.isClosed === (state === 'closed'))).map(({ title }) => title)
      expect(expected).not.toBeEmpty()
      for (const sort of ['latest', 'recentupdate', 'oldest']) {
        const { titles, totals } = await search(as, `${query}&state=${state}&sort=${sort}`)
        expect([as, state, sort, ...titles]).toEqual([as, state, sort, ...(sort === 'oldest' ? expected.toReversed() : expected)])
        expect([...totals]).toEqual([expected.length])
      }
    }
  }
})

test("?assigned=true finds what is the viewer's to do and is where they may read it", async () => {
  const expected = made.filter(({ isBobs, isSecret, isClosed }) => isBobs && !isSecret && !isClosed).map(({ title }) => title)
  expect((await search('bob', 'assigned=true')).titles).toEqual(expected)
  expect((await search('ada', 'assigned=true')).titles).toEqual([])
})
