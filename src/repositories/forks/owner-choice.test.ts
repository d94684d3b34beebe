import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
let hers: TestBrowser
let his: TestBrowser
beforeAll(async () => {
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  forge.repo(bob, 'engine')
  for (let i = 0; i < 101; i++) createOrg(forge.context, ada.row, { username: `org-${String(i).padStart(3, '0')}` })
  createOrg(forge.context, bob.row, { username: 'theirs', visibility: 'private' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
})
afterAll(() => forge[Symbol.asyncDispose]())

test.each(['/repo/create', '/bob/engine/fork'])('who has more organizations than a list holds types which one %s is for', async (path) => {
  const { text } = await hers.get(path)
  expect([text.includes('<select name="owner">'), text.includes('<input name="owner" list="owners" value="ada"')]).toEqual([false, true])
  const made = await hers.post(path, { owner: 'org-100', name: 'last' })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/org-100/last'])
  await forge.asUser('ada').delete('/repos/org-100/last')
})

test.each(['/repo/create', '/bob/engine/fork'])('what was typed is kept where %s knows no such owner, nor tells a hidden one', async (path) => {
  const ask = async (owner: string) => {
    const { status, text } = await hers.post(path, { owner, name: 'kept-name' })
    return [status, text.includes(`Owner “${owner}” not found`), text.includes('value="kept-name"')]
  }
  expect(await ask('nobody')).toEqual([422, true, true])
  expect(await ask('theirs')).toEqual([422, true, true])
})

test('whoever is led there for an organization finds it chosen', async () => {
  expect((await hers.get('/repo/create?owner=org-100')).text).toContain('<input name="owner" list="owners" value="org-100"')
})

test('others choose from a list', async () => {
  expect((await his.get('/repo/create')).text).toContain('<select name="owner">')
})
