import { afterAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const root = await forge.person('root1', { isAdmin: true })
const ada = await forge.person('ada', { password: 'correct horse' })

interface Job {
  id: number
  kind: string
  attempts: number
  last_error: string
  run_at: string | null
}

test('a failing job is listed with its error and succeeds after a retry', async () => {
  const { db } = forge.context
  // The deletion of the account fails until the trigger is dropped.
  db.exec("CREATE TRIGGER no_deletion BEFORE DELETE ON user BEGIN SELECT RAISE(ABORT, 'accounts are locked'); END")
  expect((await forge.asUser(root).delete('/admin/users/ada')).status).toBe(500)
  const { body, headers } = await forge.asUser(root).get<Job[]>('/admin/jobs')
  expect(headers.get('x-total-count')).toBe('1')
  expect(body).toMatchObject([{ kind: 'admin.deleteAccount', title: 'Delete a user account', key: String(ada.row.id), attempts: 1 }])
  expect([body[0]?.last_error, body[0]?.run_at !== null]).toEqual(['accounts are locked', true])

  const browser = new TestBrowser(forge, root)
  const shown = await browser.get('/-/admin/monitor/jobs')
  expect(shown.text).toContain('accounts are locked')

  // It fails again, and then succeeds.
  expect((await browser.post('/-/admin/monitor/jobs', { id: String(body[0]?.id) })).status).toBe(303)
  await forge.context.jobs.resume()
  expect((await forge.asUser(root).get<Job[]>('/admin/jobs')).body).toMatchObject([{ attempts: 2 }])
  db.exec('DROP TRIGGER no_deletion')
  expect((await forge.asUser(root).post(`/admin/jobs/${body[0]?.id}/retry`)).status).toBe(204)
  await forge.context.jobs.resume()
  expect([(await forge.asUser(root).get<Job[]>('/admin/jobs')).body, (await forge.get('/users/ada')).status]).toEqual([[], 404])
})

test('a retry of a job that does not exist returns 404', async () => {
  expect((await forge.asUser(root).post('/admin/jobs/999/retry')).status).toBe(404)
  expect((await forge.asUser(root).post('/admin/jobs/x/retry')).status).toBe(404)
})
