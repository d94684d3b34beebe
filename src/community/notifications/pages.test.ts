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
