import { expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'

test('what somebody is told of is there by repository; looking does not mark it, the buttons do', async () => {
  await using forge = testForge()
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  forge.repo(ada, 'engine')
  await forge.call('POST /repos/ada/engine/issues', { as: bob, body: { title: '<b>Broken</b>', body: '@ada look' } })
  const hers = new TestBrowser(forge, ada)
  for (let looked = 0; looked < 2; looked++) expect((await hers.get('/notifications')).text).toContain('&lt;b&gt;Broken')
  const [, id = ''] = /action="\/notifications\/(\d+)"/.exec((await hers.get('/notifications')).text) ?? []
  expect((await new TestBrowser(forge, bob).post(`/notifications/${id}`, { status: 'read' })).status).toBe(403)
  await hers.post(`/notifications/${id}`, { status: 'read' })
  expect((await hers.get('/notifications')).text).toContain('There is nothing new.')
  await hers.post(`/notifications/${id}`, { status: 'unread' })
  await hers.post('/notifications')
  expect((await hers.get('/notifications')).text).not.toContain('Broken')
  expect((await hers.get('/notifications?all=true')).text).toContain('Broken')
})

test('the head of every page says how much is new, of what the viewer may still read', async () => {
  await using forge = testForge()
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  for (const name of ['engine', 'secret']) {
    forge.repo(ada, name)
    await forge.call(`PUT /repos/ada/${name}/collaborators/bob`, { as: ada, body: { permission: 'read' } })
    await forge.call(`POST /repos/ada/${name}/issues`, { as: ada, body: { title: 'Broken', body: '@bob look' } })
  }
  const his = new TestBrowser(forge, bob)
  await his.get('/notifications')
  const told = async (browser: TestBrowser) => /aria-label="Notifications([^"]*)"/.exec((await browser.get('/explore/repos')).text)?.[1]
  expect([await told(his), await told(new TestBrowser(forge, ada))]).toEqual([': 2 new', ''])
  await forge.call('PATCH /repos/ada/secret', { as: ada, body: { private: true } })
  await forge.call('DELETE /repos/ada/secret/collaborators/bob', { as: ada })
  expect(await told(his)).toBe(': 1 new')
  await his.post('/notifications')
  expect(await told(his)).toBe('')
})
