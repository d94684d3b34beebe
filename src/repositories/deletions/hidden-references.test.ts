import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
beforeAll(async () => {
  ada = await forge.person('ada')
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

let made = 0
/** A repository with five open issues that have a label and a milestone. */
async function fill() {
  const repo = forge.repo(ada, `made-${++made}`)
  const api = `/repos/ada/${repo.name}`
  const [name, title] = [`l${made}`, `v${made}`]
  const label = (await asAda.post<{ id: number }>(`${api}/labels`, { name, color: '#aabbcc' })).body.id
  const milestone = (await asAda.post<{ id: number }>(`${api}/milestones`, { title })).body.id
  for (let number = 1; number <= 5; number++) await asAda.post(`${api}/issues`, { title: `Gear ${number}`, labels: [label], milestone })
  return { repo, api, page: `/ada/${repo.name}`, name, title, label, milestone }
}
type Filled = Awaited<ReturnType<typeof fill>>

const kinds = ['label', 'milestone'] as const
const removeBoth = async ({ api, label, milestone }: Filled) => {
  expect((await asAda.delete(`${api}/labels/${label}`)).status).toBe(204)
  expect((await asAda.delete(`${api}/milestones/${milestone}`)).status).toBe(204)
}
const keyOn = async (path: string) => /name="id" value="([\d.]+)"/.exec((await hers.get(path)).text)?.[1]
const restoreBoth = async ({ page }: Filled) => {
  for (const kind of kinds) {
    const id = (await keyOn(`${page}/${kind}s`)) ?? ''
    expect((await hers.post(`${page}/${kind}s/restore`, { id })).status).toBe(303)
  }
}

test('issues show neither a deleted label nor a deleted milestone, and no list finds them by it', async () => {
  const filled = await fill()
  const { api, page, name, title, label } = filled
  await removeBoth(filled)
  const issue = (await forge.get<{ labels: unknown[]; milestone: unknown }>(`${api}/issues/1`)).body
  expect([issue.labels, issue.milestone]).toEqual([[], null])
  expect((await forge.get(`${api}/issues/1/labels`)).body).toEqual([] as never)
  const timeline = (await forge.get<{ type: string; milestone: unknown; label: unknown }[]>(`${api}/issues/1/timeline`)).body
  expect(timeline.map((event) => [event.type, event.milestone ?? event.label])).toEqual([['milestone', null]])
  expect((await forge.get(`${api}/issues/1/timeline`)).headers.get('x-total-count')).toBe('1')
  const thread = (await hers.get(`${page}/issues/1`)).text
  expect([thread.includes(`>${name}<`), thread.includes(`>${title}<`)]).toEqual([false, false])
  for (const query of [`labels=${name}&milestones=${title}`, `labels=${label}`]) {
    const { body } = await forge.get<{ labels: unknown[] }[]>(`${api}/issues?state=all&limit=50&${query}`)
    expect(body.filter(({ labels }) => labels.length > 0)).toEqual([])
  }
  for (const query of [`labels=${name}`, `milestones=${title}`])
    expect([query, (await forge.get<unknown[]>(`/repos/issues/search?state=all&${query}`)).body]).toEqual([query, []])
  for (const q of [`label:${name}`, `milestone:${title}`])
    expect([q, (await hers.get(`/issues?q=${encodeURIComponent(`is:all ${q}`)}`)).text.includes('Gear 1<')]).toEqual([q, false])
  for (const none of ['no:label', 'no:milestone']) expect((await hers.get(`${page}/issues?q=${encodeURIComponent(`is:all ${none}`)}`)).text).toContain('Gear 1')
})

test('pull requests are not found by a deleted label or milestone', async () => {
  const filled = await fill()
  forge.context.db.tx((tx) => tx.run('UPDATE issue SET is_pull = 1 WHERE repo_id = ?', filled.repo.id))
  await removeBoth(filled)
  for (const query of [`labels=${filled.label}`, `milestone=${filled.milestone}`]) {
    const { headers } = await forge.get(`${filled.api}/pulls?state=all&limit=1&${query}`)
    expect([query, headers.get('x-total-count')]).toEqual([query, '0'])
  }
})

test('a deleted label or milestone cannot be read, changed, given to an issue or deleted again', async () => {
  const filled = await fill()
  const { api, label, milestone } = filled
  await removeBoth(filled)
  const answers = [
    await asAda.get(`${api}/labels/${label}`),
    await asAda.patch(`${api}/labels/${label}`, { name: 'again' }),
    await asAda.get(`${api}/milestones/${milestone}`),
    await asAda.patch(`${api}/milestones/${milestone}`, { title: 'again' }),
    await asAda.delete(`${api}/milestones/${milestone}`),
    await asAda.patch(`${api}/issues/1`, { milestone }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
  expect((await asAda.post(`${api}/issues/1/labels`, { labels: [label] })).body).toEqual([] as never)
  for (const list of ['labels', 'milestones']) {
    const { body, headers } = await forge.get<unknown[]>(`${api}/${list}?state=all`)
    expect([body, headers.get('x-total-count')]).toEqual([[], '0'])
  }
})

test('issues of a deleted label and milestone can be changed in every way, and the restored ones count what is left', async () => {
  const filled = await fill()
  const { api, label, milestone } = filled
  const other = (await asAda.post<{ id: number }>(`${api}/milestones`, { title: 'other' })).body.id
  await removeBoth(filled)
  const change = async (number: number, body: unknown) => (await asAda.patch(`${api}/issues/${number}`, body)).status
  expect([await change(1, { milestone: other }), await change(2, { state: 'closed' })]).toEqual([201, 201])
  expect((await asAda.delete(`${api}/issues/3/labels`)).status).toBe(204)
  expect((await asAda.delete(`${api}/issues/4`)).status).toBe(204)
  const target = forge.repo(ada, `target-${filled.repo.id}`)
  expect((await asAda.post(`${api}/issues/5/move`, { owner: 'ada', repo: target.name })).status).toBe(201)
  await restoreBoth(filled)
  expect((await forge.get(`${api}/milestones/${milestone}`)).body).toMatchObject({ open_issues: 1, closed_issues: 1 })
  expect(forge.context.db.find('SELECT issue_count FROM label WHERE id = ?', label)).toEqual({ issue_count: 3 })
  expect((await forge.get(`/repos/ada/${target.name}/issues/1`)).body).toMatchObject({ labels: [], milestone: null })
  expect((await forge.get(`${api}/issues/1`)).body).toMatchObject({ labels: [{ id: label }], milestone: { id: other } })
  expect((await forge.get(`${api}/issues/3`)).body).toMatchObject({ labels: [{ id: label }], milestone: { id: milestone } })
})

test('a repository that leaves an organization does not get a label back that was deleted there', async () => {
  await asAda.post('/orgs', { username: 'acme' })
  await asAda.post('/orgs/acme/repos', { name: 'leaving' })
  const { body: label } = await asAda.post<{ id: number }>('/orgs/acme/labels', { name: 'shared', color: '#aabbcc' })
  await asAda.post('/repos/acme/leaving/issues', { title: 'Gear', labels: [label.id] })
  expect((await asAda.delete(`/orgs/acme/labels/${label.id}`)).status).toBe(204)
  expect((await asAda.post('/repos/acme/leaving/transfer', { new_owner: 'ada' })).status).toBe(202)
  await forge.context.jobs.resume()
  const id = (await keyOn('/org/acme/settings/labels')) ?? ''
  expect((await hers.post('/org/acme/settings/labels/restore', { id })).status).toBe(303)
  expect((await asAda.post('/repos/ada/leaving/transfer', { new_owner: 'acme' })).status).toBe(202)
  expect((await forge.get('/repos/acme/leaving/issues/1')).body).toMatchObject({ labels: [] })
  expect(forge.context.db.find('SELECT issue_count FROM label WHERE id = ?', label.id)).toEqual({ issue_count: 0 })
})
