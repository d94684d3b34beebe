import { expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'

test('what somebody is told of is there by repository; looking does not mark it, the buttons do', async () => {
  await using forge = testForge()
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  forge.repo(ada, 'engine')
  await forge.asUser(bob).post('/repos/ada/engine/issues', { title: '<b>Broken</b>', body: '@ada look' })
  const hers = new TestBrowser(forge, ada)
  for (let looked = 0; looked < 2; looked++) expect((await hers.get('/notifications')).text).toContain('&lt;b&gt;Broken')
  const [, id = ''] = /action="\/notifications\/(\d+)"/.exec((await hers.get('/notifications')).text) ?? []
  expect((await new TestBrowser(forge, bob).post(`/notifications/${id}`, { status: 'read' })).status).toBe(403)
  await hers.post(`/notifications/${id}`, { status: 'read' })
  expect((await hers.get('/notifications')).text).toContain('All caught up')
  await hers.post(`/notifications/${id}`, { status: 'unread' })
  await hers.post('/notifications')
  expect((await hers.get('/notifications')).text).not.toContain('Broken')
  expect((await hers.get('/notifications?all=true')).text).toContain('Broken')
})

test('the head of every page says how much is new, of what the viewer may still read', async () => {
  await using forge = testForge()
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  const asAda = forge.asUser(ada)
  for (const name of ['engine', 'secret']) {
    forge.repo(ada, name)
    await asAda.put(`/repos/ada/${name}/collaborators/bob`, { permission: 'read' })
    await asAda.post(`/repos/ada/${name}/issues`, { title: 'Broken', body: '@bob look' })
  }
  const his = new TestBrowser(forge, bob)
  await his.get('/notifications')
  const told = async (browser: TestBrowser) => /aria-label="Notifications([^"]*)"/.exec((await browser.get('/explore/repos')).text)?.[1]
  expect([await told(his), await told(new TestBrowser(forge, ada))]).toEqual([': 2 unread', ''])
  await asAda.patch('/repos/ada/secret', { private: true })
  await asAda.delete('/repos/ada/secret/collaborators/bob')
  expect(await told(his)).toBe(': 1 unread')
  await his.post('/notifications')
  expect(await told(his)).toBe('')
})

test('each thread says why somebody is told, the most pressing of the reasons, and what they switched off does not count', async () => {
  await using forge = testForge()
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  forge.repo(ada, 'engine')
  await forge.asUser(ada).put('/repos/ada/engine/collaborators/bob', { permission: 'write' })
  await forge.asUser(bob).put('/repos/ada/engine/subscription')
  const his = new TestBrowser(forge, bob)
  const open = async (title: string, more: object = {}) => forge.asUser(ada).post('/repos/ada/engine/issues', { title, ...more })
  const why = async (title: string) => new RegExp(`>${title}</a>.*?</time>(?: · ([^<]*))?`).exec((await his.get('/notifications')).text)?.slice(1)
  await open('Seen')
  await open('Meant', { body: '@bob look', assignees: ['bob'] })
  await open('Named', { body: '@bob look' })
  expect([await why('Seen'), await why('Meant'), await why('Named')]).toEqual([['watching'], ['assigned'], ['mentioned']])
  const told = ['mentioned', 'author']
  expect((await his.post('/user/settings/notifications', { told })).status).toBe(303)
  const choices = await his.get('/user/settings/notifications')
  expect([choices.status, choices.text.match(/ checked/g)?.length]).toEqual([200, 2])
  await open('Unwatched')
  await open('Only named', { body: '@bob look', assignees: ['bob'] })
  expect([await why('Unwatched'), await why('Only named')]).toEqual([undefined, ['mentioned']])
  await his.post('/user/settings/notifications')
  await open('Nothing', { body: '@bob look' })
  expect(await why('Nothing')).toBeUndefined()
  expect((await his.post('/user/settings/notifications', { told: ['odd', '__proto__'] })).status).toBe(303)
})

test('what came after the page was made stays new when all of it is marked, and a list comes back as it was narrowed down', async () => {
  let now = Date.parse('2026-06-01T12:00:00Z')
  await using forge = testForge({}, { clock: { seconds: () => Math.floor(now / 1000), millis: () => now } })
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  for (const name of ['engine', 'other']) forge.repo(ada, name)
  const open = (repo: string, title: string) => forge.asUser(bob).post(`/repos/ada/${repo}/issues`, { title, body: '@ada' })
  const hers = new TestBrowser(forge, ada)
  const titles = async (query = '') => [...(await hers.get(`/notifications${query}`)).text.matchAll(/>(Case \d)<\/a>/g)].map(([, title]) => title).toSorted()
  await open('engine', 'Case 1')
  await open('other', 'Case 2')
  const page = (await hers.get('/notifications')).text
  expect([await titles('?repo=ada/engine'), await titles('?repo=ada/nothing'), await titles('?subject-type=pull')]).toEqual([['Case 1'], [], []])
  now += 5000
  await open('engine', 'Case 3')
  const [, all = ''] = /action="(\/notifications\?[^"]*repo=ada%2Fengine)"/.exec(page) ?? []
  await hers.post(all.replaceAll('&amp;', '&'))
  expect((await hers.get('/notifications')).text).toContain('1 notification marked as read')
  expect([await titles(), await titles('?status-types=read')]).toEqual([['Case 2', 'Case 3'], ['Case 1']])
  const [, id = ''] = /action="\/notifications\/(\d+)"/.exec((await hers.get('/notifications?repo=ada%2Fengine')).text) ?? []
  const back = async (path: string) => (await hers.post(`/notifications/${id}`, { status: 'pinned', back: path })).headers.get('location')
  expect(await back('/notifications?repo=ada%2Fengine')).toBe('/notifications?repo=ada%2Fengine')
  for (const path of ['//evil.example', 'https://evil.example/notifications', '/user/logout'])
    expect([path, await back(path)]).toEqual([path, '/notifications'])
  expect(await titles('?status-types=pinned')).toEqual(['Case 3'])
})

test('subscriptions and watched repositories are listed, as far as one may still read them, and end there', async () => {
  await using forge = testForge()
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  for (const name of ['engine', 'secret']) {
    forge.repo(ada, name)
    await forge.asUser(ada).post(`/repos/ada/${name}/issues`, { title: `Case of ${name}` })
    await forge.asUser(bob).put(`/repos/ada/${name}/issues/1/subscriptions/bob`)
    await forge.asUser(bob).put(`/repos/ada/${name}/subscription`)
  }
  const his = new TestBrowser(forge, bob)
  const [, id = ''] = /name="issue" value="(\d+)"/.exec((await his.get('/notifications/subscriptions')).text) ?? []
  await forge.asUser(ada).patch('/repos/ada/secret', { private: true })
  const [subscriptions, watched] = [(await his.get('/notifications/subscriptions')).text, (await his.get('/notifications/watching')).text]
  expect([subscriptions.includes('Case of engine'), subscriptions.includes('secret')]).toEqual([true, false])
  expect([watched.includes('ada/engine'), watched.includes('secret')]).toEqual([true, false])
  // The newest came first, which is that of the repository that is hidden now.
  expect((await his.post('/notifications/subscriptions', { issue: id, action: 'subscribe' })).status).toBe(404)
  const [, other = ''] = /name="issue" value="(\d+)"/.exec(subscriptions) ?? []
  await his.post('/notifications/subscriptions', { issue: other, action: 'unsubscribe' })
  expect((await his.get('/notifications/subscriptions')).text).toMatch(/Unsubscribed from #1.*>Unsubscribed</s)
  await his.post('/notifications/watching', { repo: 'ada/engine' })
  expect((await his.get('/notifications/watching')).text).toContain('No watched repositories')
  expect((await his.post('/notifications/watching', { repo: 'ada/secret' })).status).toBe(404)
})
