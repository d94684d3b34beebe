import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { oneStepBatches, type Person, testForge } from '../../../test/harness.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { purgeExpired } from './purge-expired.ts'

const DAY = 86_400

const clock = manualClock()
const forge = testForge({ repository: { DELETED_KEPT_DAYS: 7 } }, { clock, ...oneStepBatches })
const { db, jobs } = forge.context
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
beforeAll(async () => {
  ada = await forge.person('ada')
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

let made = 0
/** A repository with so many issues that have a label and a milestone. */
function fill(issues: number) {
  const repo = forge.repo(ada, `made-${++made}`)
  const at = { created_at: 1, updated_at: 1 }
  const [label, milestone] = db.tx((tx) => {
    const label_id = tx.insert('label', { repo_id: repo.id, name: 'bug', color: 'aabbcc', ...at })
    const milestone_id = tx.insert('milestone', { repo_id: repo.id, title: 'v1', ...at })
    for (let number = 1; number <= issues; number++) {
      const issue_id = tx.insert('issue', { repo_id: repo.id, number, title: `Gear ${number}`, poster_id: ada.row.id, milestone_id, ...at })
      tx.insert('issue_label', { issue_id, label_id })
      tx.insert('comment', { issue_id, repo_id: repo.id, type: 'label', poster_id: ada.row.id, label_id, body: '1', ...at })
    }
    tx.update('repository', repo.id, { last_issue_number: issues })
    return [label_id, milestone_id] as const
  })
  return { api: `/repos/ada/${repo.name}`, page: `/ada/${repo.name}`, label, milestone }
}

const count = (from: string, id: number) => db.find<{ n: number }>(`SELECT count(*) AS n FROM ${from} = ?`, id)?.n
const referring = ({ label, milestone }: ReturnType<typeof fill>) => [
  count('issue_label WHERE label_id', label),
  count('comment WHERE label_id', label),
  count('issue WHERE milestone_id', milestone),
]
const isKept = ({ label, milestone }: ReturnType<typeof fill>) => [count('label WHERE id', label), count('milestone WHERE id', milestone)]
const keyOn = async (path: string) => /name="id" value="([\d.]+)"/.exec((await hers.get(path)).text)?.[1]

async function purge(): Promise<void> {
  await purgeExpired(forge.context)
  await jobs.resume()
}

async function removeBoth({ api, label, milestone }: ReturnType<typeof fill>): Promise<void> {
  expect((await asAda.delete(`${api}/labels/${label}`)).status).toBe(204)
  expect((await asAda.delete(`${api}/milestones/${milestone}`)).status).toBe(204)
}

test('a label and a milestone are purged when their days are over, and no longer offered', async () => {
  const filled = fill(3)
  await removeBoth(filled)
  clock.advance(7 * DAY - 1)
  await purge()
  expect([isKept(filled), referring(filled)]).toEqual([
    [1, 1],
    [3, 3, 3],
  ])
  const keys = [await keyOn(`${filled.page}/labels`), await keyOn(`${filled.page}/milestones`)]
  clock.advance(1)
  expect((await hers.post(`${filled.page}/labels/restore`, { id: keys[0] ?? '' })).status).toBe(404)
  expect((await hers.post(`${filled.page}/milestones/restore`, { id: keys[1] ?? '' })).status).toBe(404)
  await purge()
  expect([isKept(filled), referring(filled), db.all('PRAGMA foreign_key_check')]).toEqual([[0, 0], [0, 0, 0], []])
  expect([await keyOn(`${filled.page}/labels`), await keyOn(`${filled.page}/milestones`)]).toEqual([undefined, undefined])
})

test('a form from before a label was restored and deleted again does not restore it', async () => {
  const { page, label } = fill(1)
  await hers.post(`${page}/labels/${label}/delete`)
  const id = (await keyOn(`${page}/labels`)) ?? ''
  expect((await hers.post(`${page}/labels/restore`, { id })).status).toBe(303)
  clock.advance(1)
  await hers.post(`${page}/labels/${label}/delete`)
  expect((await hers.post(`${page}/labels/restore`, { id })).status).toBe(404)
  expect((await hers.post(`${page}/labels/restore`, { id: (await keyOn(`${page}/labels`)) ?? '' })).status).toBe(303)
})

test('a label of very many issues is deleted and restored at once, and leaves them a few at a time when it is purged', async () => {
  const filled = fill(350)
  await removeBoth(filled)
  expect(referring(filled)).toEqual([350, 350, 350])
  clock.advance(8 * DAY)
  const left: number[] = []
  const rest = spyOn(db, 'rest').mockImplementation(async () => void left.push((referring(filled)[0] ?? 0) + (referring(filled)[1] ?? 0)))
  await purge()
  rest.mockRestore()
  const largest = Math.max(...left.map((now, at) => (left[at - 1] ?? 700) - now))
  expect([isKept(filled), referring(filled), largest <= 100]).toEqual([[0, 0], [0, 0, 0], true])
})

test('many expired rows are purged in several transactions', async () => {
  const { page, api } = fill(1)
  db.tx((tx) => {
    for (let n = 0; n < 120; n++)
      tx.run(
        "INSERT INTO label (repo_id, name, color, created_at, updated_at, deleted_at) SELECT id, 'x', 'aabbcc', 1, 1, 1 FROM repository WHERE name = ?",
        page.slice(5),
      )
  })
  const transactions = spyOn(db, 'txLeavingRows')
  await purge()
  expect(transactions.mock.calls.length).toBe(3)
  transactions.mockRestore()
  expect([count('label WHERE deleted_at', 1), (await forge.get<unknown[]>(`${api}/labels`)).body.length]).toEqual([0, 1])
})

test('with no days set a deleted label and milestone are purged at once', async () => {
  const { config } = forge.context
  const filled = fill(3)
  Object.assign(config.repository, { DELETED_KEPT_DAYS: 0 })
  try {
    await removeBoth(filled)
    await jobs.resume()
  } finally {
    Object.assign(config.repository, { DELETED_KEPT_DAYS: 7 })
  }
  expect([isKept(filled), referring(filled), db.all('PRAGMA foreign_key_check')]).toEqual([[0, 0], [0, 0, 0], []])
})
