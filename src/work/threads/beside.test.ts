import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let bob: Person
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  forge.repo(ada, 'engine')
  forge.repo(ada, 'secret', { private: true })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
  for (const title of ['First', 'Second', 'Third']) await asAda.post('/repos/ada/engine/issues', { title })
  await asAda.post('/repos/ada/secret/issues', { title: 'Hidden plan' })
})
afterAll(() => forge[Symbol.asyncDispose]())

const page = async (who: TestBrowser, number = 1) => (await who.get(`/ada/engine/issues/${number}`)).text
const depend = (who: TestBrowser, other: string, action: string) => who.post('/ada/engine/issues/1/dependencies', { other, action })
const time = (who: TestBrowser, fields: Record<string, string>) => who.post('/ada/engine/issues/1/times', fields)
const panelOf = (text: string) => text.slice(text.indexOf('<aside class="plan"'))

test('an issue waits for another, and the other is told to block it', async () => {
  expect((await depend(hers, '#2', 'wait')).status).toBe(303)
  expect(panelOf(await page(his))).toMatch(/Blocked by<\/h2>.*issues\/2">.*#2 Second/)
  expect(panelOf(await page(his, 2))).toMatch(/Blocks<\/h2>.*issues\/1">.*#1 First/)
  const refused = await hers.post('/ada/engine/issues/1/comments', { body: '', action: 'close' }, [])
  expect([refused.status, (await forge.get<{ state: string }>('/repos/ada/engine/issues/1')).body.state]).toEqual([412, 'open'])
})

test('the other way round, by an address, and no longer', async () => {
  expect((await depend(hers, 'http://localhost/ada/engine/issues/3', 'block')).status).toBe(303)
  expect(panelOf(await page(his, 3))).toMatch(/Blocked by<\/h2>.*#1 First/)
  expect((await depend(hers, 'ada/engine#3', 'not-block')).status).toBe(303)
  expect(panelOf(await page(his, 3))).not.toContain('#1 First')
})

test.each([
  ['itself in a circle', '#2', 'block', 422, 'circular'],
  ['the same once more', '2', 'wait', 409, 'already'],
  ['what is not there', '#77', 'wait', 422, 'Issue or pull request “#77” not found.'],
  ['what is no issue', 'soon', 'wait', 422, '“soon”'],
])('%s is refused with the reason, on the page', async (_, other, action, status, says) => {
  const answer = await depend(hers, other, action)
  expect([answer.status, answer.text.includes(says), answer.text.includes('First')]).toEqual([status, true, true])
})

test('what a reader may not see is not shown to them, and who may not write changes nothing', async () => {
  expect((await depend(hers, 'ada/secret#1', 'wait')).status).toBe(303)
  expect(panelOf(await page(hers))).toContain('ada/secret#1 Hidden plan')
  expect(panelOf(await page(his))).not.toContain('Hidden plan')
  expect((await depend(his, '#3', 'wait')).status).toBe(403)
  expect(panelOf(await page(his))).not.toContain('name="other"')
})

test('time is added, counted by a watch, and taken back', async () => {
  expect((await time(hers, { action: 'add', hours: '1', minutes: '5' })).status).toBe(303)
  expect(panelOf(await page(his))).toMatch(/Time spent<\/h2><p>1 hour 5 minutes<\/p>/)
  expect((await time(hers, { action: 'start' })).status).toBe(303)
  expect(panelOf(await page(hers))).toContain('Stop timer')
  expect((await time(hers, { action: 'start' })).status).toBe(409)
  expect((await time(hers, { action: 'stop' })).status).toBe(303)
  expect(await page(hers)).toContain('worked on this for')
  expect((await time(hers, { action: 'reset' })).status).toBe(303)
  expect(panelOf(await page(his))).not.toContain('1 hour')
  expect((await time(hers, { action: 'add' })).text).toContain('Enter at least 1 minute.')
})

test('who may not track time is offered nothing, and refused; where it is not tracked, nothing shows', async () => {
  expect(panelOf(await page(his))).not.toContain('Start timer')
  expect((await time(his, { action: 'start' })).status).toBe(403)
  await asAda.patch('/repos/ada/engine', {
    internal_tracker: { enable_time_tracker: false, enable_issue_dependencies: false, allow_only_contributors_to_track_time: true },
  })
  const text = panelOf(await page(hers))
  expect([text.includes('Time spent'), text.includes('Blocked by')]).toEqual([false, false])
})

test('an issue is planned with its first words by who may, and by nobody else', async () => {
  const label = await asAda.post<{ id: number }>('/repos/ada/engine/labels', { name: 'bug', color: '#ff0000' })
  const milestone = await asAda.post<{ id: number }>('/repos/ada/engine/milestones', { title: 'v1' })
  const plan = { labels: String(label.body.id), milestone: String(milestone.body.id), assignees: 'ada' }
  const open = async (who: TestBrowser, fields: Record<string, string>) => {
    const { headers } = await who.post('/ada/engine/issues/new', { title: 'Planned', body: '', ...fields }, [])
    const number = headers.get('location')?.split('/').at(-1)
    const { body } = await forge.get<{ labels: object[]; milestone: object | null; assignees: object[] | null }>(`/repos/ada/engine/issues/${number}`)
    return [body.labels.length, body.milestone !== null, body.assignees?.length ?? 0]
  }
  expect(await open(hers, plan)).toEqual([1, true, 1])
  expect(await open(his, plan)).toEqual([0, false, 0])
  expect((await hers.get('/ada/engine/issues/new')).text).toContain('name="assignees"')
  expect((await his.get('/ada/engine/issues/new')).text).not.toContain('name="assignees"')
  const refused = await hers.post('/ada/engine/issues/new', { ...plan, title: ' ', body: 'my words' }, [])
  expect([refused.status, refused.text.includes('my words'), refused.text.includes(`name="labels" value="${plan.labels}" checked`)]).toEqual([422, true, true])
})

test('what a form says between its questions is shown as it reads', async () => {
  await asAda.post('/user/repos', { name: 'asking', auto_init: true })
  const form =
    'name: Form\nabout: A form\nbody:\n  - type: markdown\n    attributes:\n      value: "Thanks **for** this"\n  - type: input\n    attributes:\n      label: Version\n'
  await asAda.post('/repos/ada/asking/contents/.gitea/ISSUE_TEMPLATE/form.yaml', { content: btoa(form) })
  const { text } = await his.get('/ada/asking/issues/new?template=.gitea%2FISSUE_TEMPLATE%2Fform.yaml')
  expect(text).toContain('Thanks <strong>for</strong> this')
})

test('what a template chooses is ticked for who may plan the issue, and stays out once it is taken out', async () => {
  await asAda.post('/user/repos', { name: 'chosen', auto_init: true })
  const { id } = (await asAda.post<{ id: number }>('/repos/ada/chosen/labels', { name: 'bug', color: '#ff0000' })).body
  const template = '.gitea/ISSUE_TEMPLATE/bug.md'
  const text = '---\nname: Bug\nabout: A bug\nlabels: bug\nassignees: ada, nobody\n---\nWhat?\n'
  await asAda.post(`/repos/ada/chosen/contents/${template}`, { content: btoa(text) })
  const page = (await hers.get(`/ada/chosen/issues/new?template=${encodeURIComponent(template)}`)).text
  expect(page).toMatch(new RegExp(`<details open(?:="")?><summary>Labels, milestone, assignees</summary>.*name="labels" value="${id}" checked`, 's'))
  expect(page).toContain('name="assignees" value="ada" checked')
  const labelsOf = async (number: number) => (await forge.get<{ labels: { name: string }[] }>(`/repos/ada/chosen/issues/${number}`)).body.labels.length
  expect((await hers.post('/ada/chosen/issues/new', { template, title: 'With', labels: String(id) }, [])).status).toBe(303)
  expect((await hers.post('/ada/chosen/issues/new', { template, title: 'Without' }, [])).status).toBe(303)
  expect([await labelsOf(1), await labelsOf(2)]).toEqual([1, 0])
})

test('a form that lacks an answer it needs is shown again, with all that was answered', async () => {
  await asAda.post('/user/repos', { name: 'needing', auto_init: true })
  const form = `name: Form
about: A form
body:
  - {type: input, id: version, attributes: {label: Version}, validations: {required: true}}
  - {type: textarea, id: what, attributes: {label: What}, validations: {required: true}}
  - {type: dropdown, id: system, attributes: {label: System, options: [Linux, Other]}, validations: {required: true}}
  - {type: checkboxes, id: terms, attributes: {label: Terms, options: [{label: Agreed, required: true}, {label: Also}]}}
`
  await asAda.post('/repos/ada/needing/contents/.gitea/ISSUE_TEMPLATE/form.yaml', { content: btoa(form) })
  const template = '.gitea/ISSUE_TEMPLATE/form.yaml'
  const answers = { template, title: 'It broke', 'form-field-version': ' ', 'form-field-what': 'my words', 'form-field-system': '', 'form-field-terms': '1' }
  const refused = await his.post('/ada/needing/issues/new', answers, [])
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Required fields are empty: Version, System, Agreed')])
  expect(refused.text).toContain('my words</textarea>')
  expect(refused.text).toMatch(/<select id="form-field-system"[^>]* required[^>]*><option value=""[^>]*>Choose one</)
  const whole = { ...answers, 'form-field-version': '1.0', 'form-field-system': '1', 'form-field-terms': '0' }
  expect((await his.post('/ada/needing/issues/new', whole, [])).status).toBe(303)
  const { body } = (await forge.get<{ body: string }>('/repos/ada/needing/issues/1')).body
  expect(body).toBe('### Version\n\n1.0\n\n### What\n\nmy words\n\n### System\n\nOther\n\n### Terms\n\n- [x] Agreed\n- [ ] Also')
})

test('in an archived repository a conversation says why nobody goes on with it', async () => {
  await asAda.post('/user/repos', { name: 'over', auto_init: true })
  await asAda.post('/repos/ada/over/issues', { title: 'Last words' })
  await asAda.patch('/repos/ada/over', { archived: true })
  for (const browser of [hers, new TestBrowser(forge)]) {
    const { text } = await browser.get('/ada/over/issues/1')
    expect([text.includes('This repository is archived'), text.includes('to comment')]).toEqual([true, false])
  }
})
