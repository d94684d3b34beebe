import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { listDangling } from '#site/doctor/store.ts'
import { oneStepBatches, type Person, testForge } from '../../../test/harness.ts'
import { noteGone } from '../../../test/next-start.ts'

const MANY = 350

const forge = testForge({}, oneStepBatches)
const asAda = forge.asUser('ada')
let ada: Person
beforeAll(async () => {
  ada = await forge.person('ada')
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Between slices the background waits until it is let go on. */
let goOn: () => void
beforeEach(() => {
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  spyOn(forge.context.db, 'rest').mockImplementation(() => held)
})
afterEach(() => goOn())

async function settle(): Promise<void> {
  goOn()
  await forge.context.jobs.resume()
}

async function make(line: string, body: unknown): Promise<{ id: number; number: number }> {
  const { status, body: made } = await asAda.send<{ id: number; number: number }>(line, { body })
  if (status !== 201 && status !== 200) throw new Error(`Cannot make what is to be deleted: ${line} answers ${status}`)
  return made
}

async function attach(api: string, commentId: number, name: string): Promise<{ uuid: string }> {
  const body = new FormData()
  body.set('attachment', new File([`contents of ${name}`], name))
  const request = { method: 'POST', headers: { authorization: `token ${ada.token}` }, body }
  const reply = await forge.app.handle(new Request(`http://localhost/api/v1${api}/issues/comments/${commentId}/assets`, request))
  expect(reply.status).toBe(201)
  return (await reply.json()) as { uuid: string }
}

let made = 0
/** An issue of very many comments and an entry about it on another. */
async function fill() {
  const repo = forge.repo(ada, `made-${++made}`)
  const api = `/repos/ada/${repo.name}`
  const other = await make(`POST ${api}/issues`, { title: 'Other' })
  await make(`POST ${api}/issues/${other.number}/comments`, { body: 'This one stays' })
  const issue = await make(`POST ${api}/issues`, { title: 'Long', body: `Like #${other.number}` })
  const comment = await make(`POST ${api}/issues/${issue.number}/comments`, { body: `Again: #${other.number}, cogwheel` })
  await make(`POST ${api}/issues/comments/${comment.id}/reactions`, { content: 'heart' })
  const file = await attach(api, comment.id, `${made}.txt`)
  const taken = await make(`POST ${api}/issues/${issue.number}/comments`, { body: 'Taken back' })
  await attach(api, taken.id, `taken-${made}.txt`)
  await asAda.delete(`${api}/issues/comments/${taken.id}`)
  forge.context.db.tx((tx) => {
    for (let n = 1; n < MANY; n++)
      tx.insert('comment', { issue_id: issue.id, repo_id: repo.id, type: 'comment', poster_id: 1, body: `Said ${n}`, created_at: n, updated_at: n })
  })
  return { repo, api, issue, other, comment, file }
}

const count = (from: string, ...values: number[]) => forge.context.db.find<{ n: number }>(`SELECT count(*) AS n FROM ${from}`, ...values)?.n
const left = (issueId: number) => count('comment WHERE issue_id = ?', issueId)
const dangling = () => forge.context.db.all('PRAGMA foreign_key_check')

/** What is kept of deleted comments, and how often files are used. */
const kept = () => ['comment WHERE deleted_at IS NOT NULL', 'blob WHERE use_count > 0', 'job'].map((from) => count(from))

test('an issue of very many comments goes alone, and only they follow a few at a time', async () => {
  const { api, issue } = await fill()
  expect((await asAda.delete(`${api}/issues/${issue.number}`)).status).toBe(204)
  expect(left(issue.id)).toBeGreaterThan(MANY / 2)
  expect(left(issue.id)).toBeLessThan(MANY)
  const tables = new Set(forge.context.db.all<{ table: string; parent: string }>('PRAGMA foreign_key_check').map(({ table, parent }) => `${table} ${parent}`))
  expect([...tables]).toEqual(['comment issue'])
  expect(listDangling(forge.context.db)).toEqual([])
  await settle()
  expect([left(issue.id), dangling(), kept()]).toEqual([0, [], [0, 0, 0]])
})

test('nobody is shown anything of an issue that is gone while its comments are still there', async () => {
  const { api, issue, other, comment, file } = await fill()
  await asAda.delete(`${api}/issues/${issue.number}`)
  const last = forge.context.db.find<{ id: number }>('SELECT id FROM comment WHERE issue_id = ? ORDER BY id DESC', issue.id)?.id
  expect(last).toBeNumber()
  const list = await forge.get<{ body: string }[]>(`${api}/issues/comments`)
  expect([list.body.map(({ body }) => body), list.headers.get('x-total-count')]).toEqual([['This one stays'], '1'])
  const since = await forge.get(`${api}/issues/comments?since=1970-01-01T00:00:00Z`)
  expect(since.headers.get('x-total-count')).toBe('1')
  const timeline = await forge.get<{ type: string }[]>(`${api}/issues/${other.number}/timeline`)
  expect(timeline.body.map(({ type }) => type)).toEqual(['comment'])
  for (const id of [comment.id, last]) {
    const line = `${api}/issues/comments/${id}`
    for (const at of [`GET ${line}`, `DELETE ${line}`, `GET ${line}/reactions`, `GET ${line}/assets`])
      expect([at, (await asAda.send(at)).status]).toEqual([at, 404])
    expect((await asAda.patch(line, { body: 'x' })).status).toBe(404)
    expect((await asAda.post(`${line}/reactions`, { content: 'heart' })).status).toBe(404)
  }
  expect((await forge.app.handle(new Request(`http://localhost/attachments/${file.uuid}`))).status).toBe(404)
  for (const q of ['cogwheel', 'Said']) expect((await forge.get(`${api}/issues?state=all&q=${q}`)).body).toEqual([] as never)
  expect((await forge.get(api)).body).toMatchObject({ open_issues_count: 1 })
})

test('what a crash interrupts right after an issue is gone goes on afterwards, with all that hung on it', async () => {
  const { issue } = await fill()
  await settle()
  const { db } = forge.context
  db.txLeavingRows((tx) => {
    tx.run('DELETE FROM issue WHERE id = ?', issue.id)
    noteGone(tx, 'issue', issue.id)
  })
  await settle()
  expect([left(issue.id), dangling(), count('attachment WHERE issue_id = ?', issue.id), count('job')]).toEqual([0, [], 0, 0])
})

test('a repository that is deleted while the comments of one of its issues still follow takes them along', async () => {
  const { api, issue } = await fill()
  await asAda.delete(`${api}/issues/${issue.number}`)
  expect((await asAda.delete(api)).status).toBe(204)
  await settle()
  expect([left(issue.id), count('job')]).toEqual([0, 0])
})
