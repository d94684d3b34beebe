import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import type { Database } from '#kernel/db.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { takeEvents } from './follow-events.ts'

const MANY = 600

let forge: TestForge
let db: Database
let ada: Person
/** They watch `repoId`. */
let crowd: number[]
let repoId: number
beforeEach(async () => {
  forge = testForge()
  db = forge.context.db
  ada = await forge.person('ada')
  const bob = await forge.person('bob')
  repoId = forge.repo(ada, 'engine').id
  crowd = db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM user WHERE id = ?', bob.row.id) ?? {}
    return Array.from({ length: MANY }, (_, n) => tx.insert('user', { ...row, name: `p${n}`, lower_name: `p${n}`, email: `p${n}@example.org` }))
  })
  db.tx((tx) => {
    for (const user_id of crowd) tx.insert('watch', { user_id, repo_id: repoId, created_at: 1 })
  })
})
afterEach(() => forge[Symbol.asyncDispose]())

/** How many rows of notifications each transaction of the background adds. */
async function tellAll(): Promise<number[]> {
  const count = () => db.find<{ n: number }>('SELECT count(*) AS n FROM notification')?.n ?? 0
  const steps: number[] = []
  const provisional = db.provisional.bind(db)
  const spy = spyOn(db, 'provisional').mockImplementation(((work) => {
    const before = count()
    const result = provisional(work)
    steps.push(count() - before)
    return result
  }) as typeof db.provisional)
  await takeEvents(forge.context)
  spy.mockRestore()
  return steps
}

test('very many watchers are told a few at a time, each once, for the most pressing of their reasons', async () => {
  const { body } = await forge.asUser(ada).post<{ id: number }>('/repos/ada/engine/issues', { title: 'For all', body: 'Also @p7 and @p599' })
  const [off, asked] = [crowd[300], crowd[400]]
  db.tx((tx) => {
    for (const [user_id, is_on] of [[off, 0] as const, [asked, 1] as const])
      tx.insert('issue_subscription', { issue_id: body.id, user_id: user_id as number, is_on, created_at: 1 })
  })
  const steps = await tellAll()
  expect([Math.max(...steps) <= 250, steps.reduce((sum, step) => sum + step, 0)]).toEqual([true, MANY - 1])
  const reasons = db.all<{ reason: string; n: number }>('SELECT reason, count(*) AS n FROM notification WHERE issue_id = ? GROUP BY 1 ORDER BY 1', body.id)
  expect(reasons).toEqual([
    { reason: 'mentioned', n: 2 },
    { reason: 'subscribed', n: 1 },
    { reason: 'watching', n: MANY - 4 },
  ])
})

test('who goes on after a crash tells those who have not been told, and then of the next', async () => {
  for (const title of ['First', 'Second']) await forge.asUser(ada).post('/repos/ada/engine/issues', { title })
  const provisional = db.provisional.bind(db)
  const spy = spyOn(db, 'provisional')
  spy.mockImplementationOnce(provisional as typeof db.provisional)
  spy.mockImplementationOnce(() => {
    throw new Error('crash')
  })
  expect(await takeEvents(forge.context).catch(String)).toBe('Error: crash')
  spy.mockRestore()
  const told = (title: string) => db.find<{ n: number }>('SELECT count(*) AS n FROM notification JOIN issue ON issue.id = issue_id WHERE title = ?', title)?.n
  expect([(told('First') ?? 0) > 0, (told('First') ?? 0) < MANY, told('Second')]).toEqual([true, true, 0])
  db.tx((tx) => tx.run("UPDATE notification SET status = 'read'"))
  const steps = await tellAll()
  expect([told('First'), told('Second'), Math.max(...steps) <= 250]).toEqual([MANY, MANY, true])
  const again = "SELECT count(*) AS n FROM notification WHERE status = 'read' AND issue_id = (SELECT id FROM issue WHERE title = 'First')"
  expect(db.find<{ n: number }>(again)?.n).toBeGreaterThan(0)
})
