import { afterAll, beforeAll, expect } from 'bun:test'
import { systemClock } from '#kernel/clock.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { manualClock } from '../../../test/manual-clock.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

let forge: TestForge
let ada: Person
let bob: Person
let eve: Person
let hers: TestBrowser
let his: TestBrowser
let visitor: TestBrowser

beforeAll(async () => {
  // Branches of one moment are listed by name.
  forge = testForge({}, { clock: manualClock(systemClock.seconds()) })
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  eve = await forge.person('eve')
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  for (const as of [bob, eve]) expect((await forge.asUser(as).post('/repos/ada/engine/forks', {})).status).toBe(202)
  expect((await forge.asUser(eve).patch('/repos/eve/engine', { private: true })).status).toBe(200)
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
  visitor = new TestBrowser(forge)
  await push(ada, 'topic')
  await push(bob, 'idea/one')
})
afterAll(() => forge[Symbol.asyncDispose]())

/** A branch with a commit of its own, in the person's own repository. */
async function push(as: Person, branch: string): Promise<void> {
  const body = { content: btoa(branch), message: `Add ${branch}`, branch: 'main', new_branch: branch }
  expect((await forge.asUser(as).post(`/repos/${as.row.name}/engine/contents/${branch}.txt`, body)).status).toBe(201)
}

const optionsIn = (html: string, id: string) =>
  [...(new RegExp(`<datalist id="${id}">(.*?)</datalist>`, 's').exec(html)?.[1] ?? '').matchAll(/<option value="([^"]+)"/g)].map(([, name]) => name).sort()

test('the head is chosen from the repositories of the family that the viewer may read', async () => {
  const { text } = await visitor.get('/ada/engine/compare/main...topic')
  expect(text).toContain('href="/ada/engine/compare/main...bob/engine%3Amain"')
  expect(text).not.toContain('eve/engine')
  expect(optionsIn(text, 'heads')).toEqual(['main', 'topic'])
  const across = (await visitor.get('/ada/engine/compare/main...bob/engine:idea/one')).text
  expect([optionsIn(across, 'bases'), optionsIn(across, 'heads')]).toEqual([
    ['main', 'topic'],
    ['bob/engine:idea/one', 'bob/engine:main'],
  ])
  expect(across).toMatch(/href="\/bob\/engine\/commit\/[0-9a-f]{40}"/)
  const fromTheFork = (await visitor.get('/bob/engine/compare/main...idea/one')).text
  expect(fromTheFork).toContain('href="/bob/engine/compare/main...ada/engine%3Amain"')
  expect((await visitor.get('/ada/engine/compare/main...eve/engine:main')).status).toBe(400)
})

test('a stranger is offered a fork in place of the pull request form', async () => {
  const form = 'Create pull request</button>'
  const asBob = (head: string) => his.get(`/ada/engine/compare/main...${head}`)
  const { text } = await asBob('topic')
  expect(text).toContain('Only collaborators can open a pull request from a branch of ada/engine.')
  expect([text.includes(form), (await asBob('bob:idea/one')).text.includes(form)]).toEqual([false, true])
})

test('the two ends are swapped, from one repository to another as well', async () => {
  const swapped = async (address: string) => {
    const { text } = await visitor.get(address)
    const [, href = ''] = /href="([^"]+)">Swap branches/.exec(text) ?? []
    expect((await visitor.get(href)).status).toBe(200)
    return href
  }
  expect(await swapped('/ada/engine/compare/main...topic')).toBe('/ada/engine/compare/topic...main')
  expect(await swapped('/ada/engine/compare/main..bob/engine:idea/one')).toBe('/bob/engine/compare/idea/one..ada/engine%3Amain')
  expect(await swapped('/bob/engine/compare/idea/one..ada/engine:main')).toBe('/ada/engine/compare/main..bob/engine%3Aidea/one')
})

test('a pull request is offered between branches alone, and once', async () => {
  const form = 'Create pull request'
  expect((await his.get('/ada/engine/compare/main...bob/engine:idea/one')).text).toContain(form)
  expect((await visitor.get('/ada/engine/compare/main...topic')).text).not.toContain(form)
  await forge.asUser(ada).post('/repos/ada/engine/tags', { tag_name: 'v1', target: 'topic' })
  expect((await hers.get('/ada/engine/compare/main...v1')).text).not.toContain(form)
  const ancestor = await hers.get('/ada/engine/compare/topic~1...topic')
  expect([ancestor.status, ancestor.text.includes('value="topic~1"'), ancestor.text.includes(form)]).toEqual([200, true, false])
  expect((await hers.get('/ada/engine/compare?base=topic%5E&head=topic')).headers.get('location')).toBe('/ada/engine/compare/topic%5E...topic')
  await push(ada, 'asked')
  const made = await hers.post('/ada/engine/compare/main...asked', { title: 'Take it', body: '' })
  const again = await hers.get('/ada/engine/compare/main...asked')
  expect(again.text).toContain(`<a href="${made.headers.get('location')}">#`)
  expect(again.text).not.toContain(form)
  const typed = await hers.post('/ada/engine/compare/main...asked', { title: 'Once more', body: 'typed words' })
  expect([typed.status, typed.text.includes('typed words')]).toEqual([409, true])
})

test('a pull request is opened with files, which its text shows, and once of two clicks; a refused file loses no word', async () => {
  await push(ada, 'illustrated')
  const at = '/ada/engine/compare/main...illustrated'
  expect((await hers.get(at)).text).toMatch(/<form [^>]*enctype="multipart\/form-data"[^>]*>.*<input type="file" name="attachment"/s)
  const refused = await hers.post(at, { title: 'Look', body: 'typed words' }, [new File(['MZ'], 'setup.exe')])
  expect([refused.status, refused.text.includes('typed words')]).toEqual([422, true])
  const untitled = await hers.post(at, { title: ' ', body: 'typed words' }, [new File(['pixels'], 'shot.png')])
  expect([untitled.status, untitled.text.includes('Attach these files again: shot.png')]).toEqual([422, true])
  const files = [new File(['pixels'], 'shot.png'), new File(['said'], 'run.log')]
  const answers = await Promise.all([1, 2].map(() => hers.post(at, { title: 'Look', body: 'Before ![it](attachment:shot.png) after' }, files)))
  const [address, other] = answers.map(({ headers }) => headers.get('location') ?? '')
  expect([address, answers[0]?.status]).toEqual([other, 303])
  const { text } = await his.get(address as string)
  const [, picture = ''] = /<img[^>]* src="http:\/\/localhost(\/[^"]*\/attachments\/[^"]+)"/.exec(text) ?? []
  expect((await his.get(picture)).text).toBe('pixels')
  expect(text).toMatch(/<a[^>]* href="[^"]*\/attachments\/[^"]+"[^>]*>run\.log<\/a>/)
  const number = address?.split('/').at(-1)
  expect((await forge.asUser(bob).get<{ assets: unknown[] }>(`/repos/ada/engine/issues/${number}`)).body.assets).toHaveLength(2)
})

test('what somebody has just pushed is offered to them on the home, until it is asked for', async () => {
  const offers = async (who: TestBrowser, repo = 'ada/engine') =>
    [...(await who.get(`/${repo}`)).text.matchAll(/href="([^"]+)">Compare and create pull request/g)].map(([, href]) => href)
  await push(ada, 'fresh')
  const compare = '/ada/engine/compare/main...fresh'
  expect(await offers(hers)).toContain(compare)
  expect(await offers(his)).toEqual(['/ada/engine/compare/main...bob/engine%3Aidea/one'])
  expect(await offers(visitor)).toEqual([])
  expect((await hers.get(compare)).status).toBe(200)
  await forge.asUser(ada).post('/repos/ada/engine/branches', { new_branch_name: 'nothing-new', old_branch_name: 'main' })
  expect((await offers(hers)).join()).not.toContain('nothing-new')
  await hers.post(compare, { title: 'Take it', body: '' })
  expect(await offers(hers)).not.toContain(compare)
  forge.context.db.tx((tx) => tx.run('UPDATE reflog SET created_at = created_at - 8000'))
  expect([await offers(hers), await offers(his)]).toEqual([[], []])
})

test('who begins a pull request is shown the branches there are, their own first', async () => {
  const offered = async (who: TestBrowser, repo: string) =>
    [...(await who.get(`/${repo}/compare`)).text.matchAll(/<svg [^>]*>(?:<use [^>]*>)?<\/svg> <a href="([^"]+)">/g)].map(([, href]) => href)
  await forge.asUser(ada).post('/user/repos', { name: 'begun', auto_init: true })
  expect((await hers.get('/ada/begun/compare')).text).toContain('No branches to compare with main yet.')
  for (const branch of ['one', 'two'])
    await forge.asUser(ada).post(`/repos/ada/begun/contents/${branch}.txt`, { content: '', branch: 'main', new_branch: branch })
  await forge.asUser(bob).post('/repos/ada/begun/forks', {})
  await forge.asUser(bob).post('/repos/bob/begun/contents/x.txt', { content: '', branch: 'main', new_branch: 'his/own' })
  expect(await offered(his, 'ada/begun')).toEqual([
    '/ada/begun/compare/main...bob/begun%3Ahis/own',
    '/ada/begun/compare/main...one',
    '/ada/begun/compare/main...two',
  ])
  expect((await offered(hers, 'ada/begun')).sort()).toEqual(['/ada/begun/compare/main...one', '/ada/begun/compare/main...two'])
  for (const address of await offered(his, 'ada/begun')) expect((await his.get(String(address))).status).toBe(200)
})

test('what is changed in a fork is asked to be merged in what it was forked from', async () => {
  const upstream = '/ada/begun/compare/main...bob/begun%3Ahis/own'
  expect((await his.get('/bob/begun')).text).toContain(`href="${upstream}">Compare and create pull request`)
  expect((await his.get('/bob/begun/compare/main...his/own')).text).toContain(`href="${upstream}">ada/begun</a>`)
  const made = await his.post('/bob/begun/_new/main/', { path: 'new.txt', content: 'x', new_branch: 'by-form' })
  expect(made.headers.get('location')).toBe('/ada/begun/compare/main...bob/begun%3Aby-form')
  const onOther = await his.post('/bob/begun/_new/his/own/', { path: 'other.txt', content: 'x', new_branch: 'of-other' })
  expect(onOther.headers.get('location')).toBe('/bob/begun/compare/his/own...of-other')
})

test('a pull request begins with what its one commit says or its branch is called, and with what the repository asks for', async () => {
  const field = async (between: string) => {
    const { text } = await hers.get(`/ada/begun/compare/main...${between}`)
    return [/name="title" value="([^"]*)"/.exec(text)?.[1], /<textarea name="body"[^>]*>\n([^<]*)/.exec(text)?.[1]]
  }
  const commit = (path: string, message: string, more: object) =>
    forge.asUser(ada).post(`/repos/ada/begun/contents/${path}`, { content: btoa('## Why\n'), message, branch: 'main', ...more })
  await commit('c.txt', 'Add c\n\nIt is needed.', { new_branch: 'fix/two_small-things' })
  expect(await field('fix/two_small-things')).toEqual(['Add c', 'It is needed.'])
  await commit('.gitea/pull_request_template.md', 'Ask for reasons', {})
  expect(await field('fix/two_small-things')).toEqual(['Add c', 'It is needed.\n\n## Why'])
  await commit('d.txt', 'Add d', { branch: 'fix/two_small-things' })
  expect(await field('fix/two_small-things')).toEqual(['Fix/two small things', '## Why'])
})

test('a pull request says which fork it is from, to who may see that', async () => {
  await push(eve, 'hers')
  const made = await forge.asUser(eve).post<{ number: number }>('/repos/ada/engine/pulls', { title: 'Mine', head: 'eve:hers', base: 'main' })
  const head = async (who: TestBrowser) => {
    const { text } = await who.get(`/ada/engine/pulls/${made.body.number}`)
    return /<div class="buttons ends"><p>(.*?)<code>hers<\/code>/.exec(text)?.[1]
  }
  expect(await head(new TestBrowser(forge, eve))).toBe('Merge <a href="/eve/engine">eve/engine</a> ')
  expect(await head(his)).toBe('Merge ')
  expect((await his.get(`/ada/engine/pulls/${made.body.number}`)).text).toMatch(/href="\/ada\/engine\/pulls\/\d+\/files#review">.*Review changes/)
  expect((await new TestBrowser(forge, eve).get(`/ada/engine/pulls/${made.body.number}`)).text).not.toContain('Review changes')
})

test('a pull request is opened as a draft where that is ticked, and the tick stays where it was refused', async () => {
  await push(ada, 'unready')
  const refused = await hers.post('/ada/engine/compare/main...unready', { title: ' ', body: 'words', draft: 'true' })
  expect([refused.status, refused.text.includes('name="draft" value="true" checked')]).toEqual([422, true])
  const made = await hers.post('/ada/engine/compare/main...unready', { title: 'Soon', body: '', draft: 'true' })
  const { text } = await hers.get(String(made.headers.get('location')))
  expect([text.includes('WIP: Soon'), text.includes('value="ready"')]).toEqual([true, true])
})
