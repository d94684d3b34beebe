import { type Person, type TestForge, testForge } from '../harness.ts'
import { median, timed } from './measure.ts'
import { seconds } from './report.ts'
import type { ServerFindings } from './server-cases.ts'
import { atMost } from './verdicts.ts'

/** How many issues one repository has, each with ten comments. */
const small = 100
const large = 100_000
const COMMENTS_EACH = 10
const LABELS = 20
const RUNS = 15
const MAX_FACTOR = 3
/** A full page of 50 so many times a second, on one core: the other one takes the requests in and out. */
const MAX_PAGE_SECONDS = 1 / 3000

/** What people do with issues: a line, what it sends, and how many to send at each run. */
const cases: Record<string, { line: string; body?: (run: number) => object }> = {
  'a page of 50': { line: 'GET /repos/ada/engine/issues?limit=50' },
  'a page of 50, closed ones too': { line: 'GET /repos/ada/engine/issues?state=all&limit=50' },
  'by label': { line: 'GET /repos/ada/engine/issues?labels=label-3&limit=10' },
  'by label and milestone': { line: 'GET /repos/ada/engine/issues?labels=label-3&milestones=v1&limit=10' },
  'by author': { line: 'GET /repos/ada/engine/issues?created_by=bob&limit=10' },
  'by assignee': { line: 'GET /repos/ada/engine/issues?assigned_by=bob&limit=10' },
  'updated last': { line: 'GET /repos/ada/engine/issues?sort=recentupdate&limit=10' },
  'search: a rare word': { line: 'GET /repos/ada/engine/issues?q=needle42&limit=10' },
  'search: a frequent word': { line: 'GET /repos/ada/engine/issues?q=gear&limit=10' },
  'search everywhere': { line: 'GET /repos/issues/search?q=needle42&limit=10' },
  'list everywhere': { line: 'GET /repos/issues/search?limit=10' },
  'comments of the repository': { line: 'GET /repos/ada/engine/issues/comments?limit=10' },
  'one issue': { line: 'GET /repos/ada/engine/issues/50' },
  'its comments': { line: 'GET /repos/ada/engine/issues/50/comments' },
  'its timeline': { line: 'GET /repos/ada/engine/issues/50/timeline' },
  create: { line: 'POST /repos/ada/engine/issues', body: (run) => ({ title: `Made ${run}`, body: 'A gear is loose, see #1', labels: [1] }) },
  comment: { line: 'POST /repos/ada/engine/issues/50/comments', body: (run) => ({ body: `Number ${run} of many` }) },
  edit: { line: 'PATCH /repos/ada/engine/issues/51', body: (run) => ({ title: `Edited ${run}`, milestone: run % 2 }) },
  close: { line: 'PATCH /repos/ada/engine/issues/52', body: (run) => ({ state: run % 2 === 0 ? 'closed' : 'open' }) },
}

/** Issues in a small store and in a large one. */
export async function measureIssues(): Promise<ServerFindings> {
  const [few, many] = [await timeCases(small), await timeCases(large)]
  const rows = Object.keys(cases).map((name) => ({ name, slow: many.get(name) as number, factor: (many.get(name) as number) / (few.get(name) as number) }))
  const worst = rows.reduce((a, b) => (b.factor > a.factor ? b : a))
  return {
    verdicts: [
      atMost('issues, page of 50', many.get('a page of 50') as number, MAX_PAGE_SECONDS, seconds),
      atMost(`issues, ${large} against ${small}: ${worst.name}`, worst.factor, MAX_FACTOR, (factor) => `${factor.toFixed(1)} ×`),
    ],
    notes: rows.map(({ name, slow, factor }) => [`issues: ${name}`, `${seconds(slow)}, ${factor.toFixed(1)} × the small store's`]),
  }
}

async function timeCases(count: number): Promise<Map<string, number>> {
  await using forge = testForge()
  const ada = await fill(forge, count)
  const found = new Map<string, number>()
  for (const [name, { line, body }] of Object.entries(cases)) {
    const times: number[] = []
    for (let run = 0; run <= RUNS; run++) {
      const options = { as: ada, body: body?.(run) }
      let status = 0
      const time = await timed(async () => void ({ status } = await forge.call(line, options)))
      if (status >= 300) throw new Error(`Cannot measure ${name}: ${line} answers ${status}`)
      // The first one builds the room and prepares the statements.
      if (run > 0) times.push(time)
    }
    found.set(name, median(times))
  }
  return found
}

/** Half of the issues are closed; each label is on a twentieth of them, and every thousandth has a word of its own. */
async function fill(forge: TestForge, count: number): Promise<Person> {
  const ada = await forge.person('ada')
  const bob = await forge.person('bob')
  const { db } = forge.context
  const repo = forge.repo(ada, 'engine')
  const now = Math.floor(Date.now() / 1000)
  db.tx((tx) => {
    for (let n = 0; n < LABELS; n++) tx.insert('label', { repo_id: repo.id, name: `label-${n}`, color: 'aabbcc', created_at: now, updated_at: now })
    tx.insert('milestone', { repo_id: repo.id, title: 'v1', created_at: now, updated_at: now })
  })
  for (let first = 1; first <= count; first += 1000) {
    db.tx((tx) => {
      for (let n = first; n < Math.min(first + 1000, count + 1); n++) {
        const at = now - count + n
        const isClosed = n % 2
        const title = `Issue ${n} about a ${n % 3 === 0 ? 'gear' : 'wheel'}`
        const body = `It turns ${n} times${n % 1000 === 42 ? ' around needle42' : ''} and then stops.`
        const id = tx.insert('issue', {
          repo_id: repo.id,
          number: n,
          poster_id: n % 5 === 0 ? bob.row.id : ada.row.id,
          title,
          body,
          is_closed: isClosed,
          closed_at: isClosed ? at : null,
          milestone_id: n % 10 === 0 ? 1 : null,
          created_at: at,
          updated_at: at,
        })
        tx.run('INSERT INTO issue_search (rowid, title, body, repo) VALUES (?, ?, ?, ?)', id, title, body, `r${repo.id}`)
        tx.run('INSERT INTO issue_label (issue_id, label_id) VALUES (?, ?)', id, 1 + (n % LABELS))
        if (n % 7 === 0) tx.run('INSERT INTO issue_assignee (issue_id, user_id) VALUES (?, ?)', id, bob.row.id)
        for (let k = 0; k < COMMENTS_EACH; k++) {
          const text = `Comment ${k} on ${n}: the ${k % 4 === 0 ? 'gear' : 'axle'} is loose`
          const comment = tx.insert('comment', {
            issue_id: id,
            repo_id: repo.id,
            type: 'comment',
            poster_id: ada.row.id,
            body: text,
            created_at: at,
            updated_at: at,
          })
          tx.run('INSERT INTO comment_search (rowid, body, repo) VALUES (?, ?, ?)', comment, text, `r${repo.id}`)
        }
      }
      tx.run('UPDATE repository SET last_issue_number = ? WHERE id = ?', count, repo.id)
    })
  }
  return ada
}
