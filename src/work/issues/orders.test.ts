import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'

// Few issues are sorted, many are read in the order of an index: both ways give the same pages.

const MANY = 1300

interface Issue {
  number: number
  title: string
  created_at: string
  updated_at: string
  due_date: string | null
  comments: number
}

const forge = testForge()
let ada: Person
beforeAll(async () => {
  ada = await forge.person('ada')
  const bob = await forge.person('bob')
  const repo = forge.repo(ada, 'engine')
  forge.context.db.tx((tx) => {
    for (let n = 1; n <= MANY * 2; n++) {
      const isClosed = n % 2
      const at = 1_700_000_000 + ((n * 7919) % 5000)
      const row = { repo_id: repo.id, number: n, poster_id: n % 40 === 0 ? bob.row.id : ada.row.id, title: `Number ${n}` }
      const state = { is_closed: isClosed, closed_at: isClosed ? at : null, is_pull: Number(n % 10 === 0) }
      const dates = { created_at: at, updated_at: at + ((n * 31) % 900), due_at: n % 3 === 0 ? at + ((n * 17) % 700) : null }
      tx.insert('issue', { ...row, ...state, ...dates, comment_count: (n * 13) % 50 })
    }
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const latest = (issue: Issue) => Date.parse(issue.created_at)
const updated = (issue: Issue) => Date.parse(issue.updated_at)
const due = (issue: Issue) => (issue.due_date === null ? undefined : Date.parse(issue.due_date))
const keys: [sort: string, key: (issue: Issue) => number][] = [
  ['latest', (issue) => -latest(issue)],
  ['oldest', latest],
  ['recentupdate', (issue) => -updated(issue)],
  ['leastupdate', updated],
  ['mostcomment', (issue) => -issue.comments],
  ['leastcomment', (issue) => issue.comments],
  ['nearduedate', (issue) => due(issue) ?? Number.MAX_SAFE_INTEGER],
  ['farduedate', (issue) => -(due(issue) ?? 0)],
]

async function pageOf(query: string) {
  const { body, headers, status } = await forge.asUser(ada).get<Issue[]>(query)
  expect([query, status]).toEqual([query, 200])
  return { keys: body, total: Number(headers.get('x-total-count')) }
}

for (const place of ['/repos/ada/engine/issues', '/repos/issues/search']) {
  test.each(keys)(`${place} sorted by %s is in order, page after page, with the right total`, async (sort, key) => {
    for (const [filter, total] of [
      ['state=all', MANY * 2],
      ['state=open', MANY],
      ['state=closed', MANY],
      ['state=all&type=issues', MANY * 2 - MANY / 5],
      ['state=open&type=issues', MANY - MANY / 5],
      ['state=open&type=pulls', MANY / 5],
      ['state=all&created_by=bob', MANY / 20],
    ] as const) {
      const [first, second] = [await pageOf(`${place}?${filter}&sort=${sort}&limit=50`), await pageOf(`${place}?${filter}&sort=${sort}&limit=50&page=2`)]
      const found = [...first.keys, ...second.keys]
      expect([filter, first.total, new Set(found.map(({ number }) => number)).size]).toEqual([filter, total, Math.min(100, total)])
      expect(found.map(key)).toEqual(found.map(key).toSorted((a, b) => a - b))
    }
  })
}
