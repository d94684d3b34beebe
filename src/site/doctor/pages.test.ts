import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '#app.ts'
import { makeConfig } from '#config.ts'
import { openContext } from '#context.ts'
import { migrate } from '#kernel/database/migrate.ts'
import { Database } from '#kernel/db.ts'
import { silentLog } from '#kernel/log.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { createUser } from '#people/users/index.ts'
import { createRepo } from '#repositories/repos/index.ts'
import { slices } from '#slices.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { eventually } from '../../../test/eventually.ts'
import { testForge } from '../../../test/harness.ts'

test('the store is examined while the server goes on, once at a time, and what is wrong is said', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pf-doctor-page-'))
  try {
    const db = new Database(join(directory, 'pocketforge.db'))
    migrate(db, migrationsOf(slices))
    await using context = openContext(makeConfig(directory), db, slices, { log: silentLog })
    const app = build(context)
    const row = await createUser(context, { username: 'root1', email: 'root1@example.org', isAdmin: true })
    const repo = createRepo(context, { owner: row, actor: row, name: 'lost', private: false })
    rmSync(context.git.pathOf(repo.id), { recursive: true })
    const hers = new TestBrowser({ context, app } as never, { row, name: 'root1', token: '' })
    expect((await hers.get('/-/admin/doctor')).text).toContain('Run check')
    expect((await hers.post('/-/admin/doctor')).status).toBe(303)
    const begun = await hers.get('/-/admin/doctor')
    expect([begun.headers.get('refresh'), begun.text.includes('aria-label="Finished checks'), begun.text.includes('Run check')]).toEqual(['2', true, false])
    await hers.post('/-/admin/doctor')
    const { text } = await eventually(async () => {
      const page = await hers.get('/-/admin/doctor')
      return page.headers.has('refresh') ? undefined : page
    })
    expect(text).toContain('Problems found')
    expect(text).toContain(`root1/lost: the directory ${context.git.pathOf(repo.id)} does not exist`)
    expect(text.match(/<tr>/g)?.length).toBe(13)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}, 30_000)

test('only administrators have it examined, and no other site', async () => {
  await using forge = testForge()
  const his = new TestBrowser(forge, await forge.person('ada'))
  expect([(await his.get('/-/admin/doctor')).status, (await his.post('/-/admin/doctor')).status]).toEqual([403, 403])
  const hers = new TestBrowser(forge, await forge.person('root1', { isAdmin: true }))
  expect((await hers.post('/-/admin/doctor', {}, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
})
