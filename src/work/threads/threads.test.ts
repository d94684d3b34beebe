import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { issueWithComments } from '../../../test/worlds.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const PIXEL = new Uint8Array(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'))

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let bob: Person
let hers: TestBrowser
let his: TestBrowser
const stranger = () => new TestBrowser(forge)

beforeAll(async () => {
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  forge.repo(ada, 'engine')
  forge.repo(ada, 'secret', { private: true })
  await asAda.post('/repos/ada/engine/labels', { name: 'bug', color: '#ff0000' })
  await asAda.post('/repos/ada/engine/milestones', { title: 'v1' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
})
afterAll(() => forge[Symbol.asyncDispose]())

async function openIssue(by: TestBrowser, fields: Record<string, string>, files: File[] = []): Promise<string> {
  const { status, headers, text } = await by.post('/ada/engine/issues/new', fields, files)
  expect([status, status === 303 ? '' : text]).toEqual([303, ''])
  return headers.get('location') as string
}

describe('an issue in a browser', () => {
  test('is no larger than any browser shows, however long what was written on it', async () => {
    forge.repo(ada, 'wordy')
    await issueWithComments(asAda, { repo: 'ada/wordy', title: 'Long', body: 'short', comments: ['long', 'long', 'fits *still*'] })
    forge.context.db.tx((tx) => tx.run("UPDATE comment SET body = ? WHERE body = 'long'", '&'.repeat(1_100_000)))
    const asked = spyOn(forge.context.db, 'askTogether')
    const { text } = await stranger().get('/ada/wordy/issues/1')
    // Those are answered in JSON, in one go.
    expect(asked.mock.results.every(({ value }) => JSON.stringify(value).length < 100_000)).toBe(true)
    asked.mockRestore()
    const edited = (await hers.get('/ada/wordy/issues/1')).text
    expect([text.length, edited.length].map((length) => length > 5_500_000 && length < 6_000_000)).toEqual([true, true])
    expect(text.split('is too long to display').length).toBe(2)
    expect(text.includes('fits <em>still</em>')).toBe(true)
  })

  test('has long comments changed on a page of their own, by who may', async () => {
    const path = await openIssue(his, { title: 'A log', body: 'Here:' })
    const body = `${'&'.repeat(20_000)} the end`
    const { id } = (await forge.asUser(bob).post<{ id: number }>(`/repos/ada/engine/issues/${path.split('/').at(-1)}/comments`, { body })).body
    const form = `${path}/comments/${id}/edit`
    for (const browser of [his, hers]) {
      const page = (await browser.get(path)).text
      expect([page.includes(`href="${form}"`), page.includes('the end</textarea>')]).toEqual([true, false])
      expect((await browser.get(form)).text).toContain('the end</textarea>')
    }
    const carl = await forge.person('carl-reads')
    const statuses = await Promise.all([new TestBrowser(forge, carl).get(form), his.get(`${path}/comments/999999/edit`)])
    expect(statuses.map(({ status }) => status)).toEqual([403, 404])
    expect((await stranger().get(form)).text).not.toContain('the end')
    const [, version = ''] = /name="content_version" value="(\d+)"/.exec((await his.get(form)).text) ?? []
    expect((await his.post(`${path}/comments/${id}`, { body: 'short now', content_version: version })).status).toBe(303)
    expect((await his.get(path)).text).toContain('short now</textarea>')
  })

  test('is opened with a picture, which its text shows and visitors can load', async () => {
    const path = await openIssue(his, { title: 'It breaks', body: 'See:' }, [new File([PIXEL], 'shot.png', { type: 'image/png' })])
    const { status, text } = await stranger().get(path)
    expect(status).toBe(200)
    const [, src = ''] = /<img[^>]+src="([^"]*attachments[^"]*)"/.exec(text) ?? []
    const picture = await stranger().get(new URL(src.replaceAll('&amp;', '&'), 'http://localhost').pathname)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await hers.get('/ada/engine/issues')).text).toContain('It breaks')
  })

  test('refers to others that are there, also by an old name of their repository', async () => {
    forge.repo(ada, 'motor')
    await asAda.post('/repos/ada/motor/issues', { title: 'One' })
    await asAda.patch('/repos/ada/motor', { name: 'drive' })
    const path = await openIssue(his, { title: 'Beside', body: 'See #1, #987654, !987654, ada/motor#1, ada/Drive#1 and ada/drive#2, ada/secret#1.' })
    const { text } = await his.get(path)
    const links = [...text.matchAll(/<a href="([^"]*)" class="ref-issue"[^>]*>([^<]*)/g)].map(([, href = '', words]) => [
      new URL(href, 'http://localhost').pathname,
      words,
    ])
    const expected = ['engine/issues/1 #1', 'motor/issues/1 ada/motor#1', 'Drive/issues/1 ada/Drive#1'].map((one) => `/ada/${one}`.split(' '))
    expect(links).toEqual(expected)
    expect((await stranger().get('/ada/motor/issues/1')).headers.get('location')).toBe('/ada/drive/issues/1')
    await openIssue(his, { title: 'A later one', body: '' })
    await asAda.post('/repos/ada/drive/issues', { title: 'Two' })
    expect((await his.get(path)).text).toContain('>ada/drive#2</a>')
  })

  test('is found under the address of a pull request of its number', async () => {
    const path = await openIssue(his, { title: 'Asked for as a pull request', body: '' })
    const number = path.split('/').at(-1)
    const answers = await Promise.all(['', '/files', '.diff'].map((more) => hers.get(`/ada/engine/pulls/${number}${more}`)))
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, path],
      [303, path],
      [404, null],
    ])
    expect((await forge.get(`/repos/ada/engine/pulls/${number}`)).status).toBe(404)
  })

  test('goes on with comments, and is closed and opened again with one', async () => {
    const path = await openIssue(his, { title: 'Talk', body: '' })
    const posted = await hers.post(`${path}/comments`, { body: 'I **see**\r\nit', action: 'close' }, [])
    expect(posted.headers.get('location')).toMatch(/#issuecomment-\d+$/)
    const { text } = await his.get(path)
    expect(text).toContain('<strong>see</strong>')
    expect(text).toMatch(/<span class="state done">.*?<\/svg>Closed<\/span>/)
    const number = path.split('/').at(-1)
    expect((await forge.get<{ body: string }[]>(`/repos/ada/engine/issues/${number}/comments`)).body[0]?.body).toBe('I **see**\nit')
    await his.post(`${path}/comments`, { body: '', action: 'reopen' }, [])
    expect((await his.get(path)).text).toMatch(/<span class="state good">.*?<\/svg>Open<\/span>/)
  })

  test('shows what is written before it is posted, and posts nothing', async () => {
    const path = await openIssue(his, { title: 'Look first', body: '' })
    const { text } = await his.post(`${path}/comments`, { body: '*soon*', action: 'preview' }, [])
    expect(text).toContain('<em>soon</em>')
    expect(text).toContain('*soon*</textarea>')
    expect((await his.get(path)).text).not.toContain('soon')
    const withFile = await his.post(`${path}/comments`, { body: '*soon*', action: 'preview' }, [new File(['x'], 'shot.png')])
    expect(withFile.text).toContain('Attach these files again: shot.png')
  })

  test('keeps what was typed when it is not taken', async () => {
    const nothing = await his.post('/ada/engine/issues/new', { title: ' ', body: `long ${ATTACK} work` }, [])
    expect(nothing.status).toBe(422)
    expect(nothing.text).toContain('long &quot;&gt;&lt;script&gt;')
    const path = await openIssue(hers, { title: 'Locked', body: '' })
    await hers.post(`${path}/administer`, { action: 'lock' })
    const refused = await his.post(`${path}/comments`, { body: 'my words', action: 'comment' }, [])
    expect([refused.status, refused.text.includes('This conversation is locked')]).toEqual([403, true])
  })

  test('gets labels, milestone, assignee and date from one form, and loses them with it', async () => {
    const path = await openIssue(his, { title: 'Plan', body: '' })
    const [, label = ''] = /name="labels" value="(\d+)"/.exec((await hers.get(path)).text) ?? []
    const [, milestone = ''] = /<option value="(\d+)">v1/.exec((await hers.get(path)).text) ?? []
    await hers.post(`${path}/plan`, { labels: [label], milestone, assignees: ['ada'], due: '2030-01-31' })
    type Planned = { labels: unknown[]; milestone: { title: string } | null; assignees: unknown[] | null; due_date: string | null }
    const read = async () => (await forge.get<Planned>(`/repos/ada/engine/issues/${path.split('/').at(-1)}`)).body
    const { labels, milestone: given, assignees, due_date } = await read()
    expect([labels.length, given?.title, assignees?.length, due_date?.slice(0, 10)]).toEqual([1, 'v1', 1, '2030-01-31'])
    expect((await his.get(path)).text).toMatch(/>ada<\/a> self-assigned this/)
    await hers.post(`${path}/plan`, { milestone: '0', due: '' })
    const after = await read()
    expect([after.labels.length, after.milestone, after.assignees, after.due_date]).toEqual([0, null, null, null])
    expect((await his.get(path)).text).toMatch(/>ada<\/a> removed their assignment/)
    await asAda.patch(`/repos${path}`, { assignees: ['ada'] })
    expect((await his.post(`${path}/plan`, { milestone })).status).toBe(403)
  })

  test('loses nothing that it was planned as to a form that has no room for all there is, which leads to the rest', async () => {
    const full = forge.repo(ada, 'full')
    const row = { repo_id: full.id, created_at: 1, updated_at: 1 }
    const last = forge.context.db.tx((tx) => {
      for (let n = 0; n < 250; n++) tx.insert('milestone', { ...row, title: `m${100 + n}` })
      for (let n = 0; n < 250; n++) tx.insert('label', { ...row, name: `l${100 + n}`, color: 'aabbcc' })
      return { label: tx.insert('label', { ...row, name: 'z', color: 'aabbcc' }), milestone: tx.insert('milestone', { ...row, title: 'z' }) }
    })
    const { number } = (await asAda.post<{ number: number }>('/repos/ada/full/issues', { title: 'x', labels: [last.label] })).body
    await asAda.patch(`/repos/ada/full/issues/${number}`, { milestone: last.milestone })
    const { text } = await hers.get(`/ada/full/issues/${number}`)
    const [, form = ''] = /(<form class="fields" method="post" action="[^"]+\/plan">.*?<\/form>)/s.exec(text) ?? []
    expect(form).toContain(`name="labels" value="${last.label}" checked`)
    expect(form).toContain(`<option value="${last.milestone}" selected>`)
    expect(form).toContain(`href="/ada/full/issues/bulk?issues=${number}"`)
    const found = (await hers.get(`/ada/full/issues/bulk?issues=${number}&find=z`)).text
    expect(found).toContain(`name="labels" value="${last.label}"`)
    expect(found).toContain(`<option value="${last.milestone}">z</option>`)
  })

  test('is planned in its first form with what there is no room for, which is found there while all that was typed stays', async () => {
    const long = forge.repo(ada, 'long')
    const row = { repo_id: long.id, created_at: 1, updated_at: 1 }
    const last = forge.context.db.tx((tx) => {
      for (let n = 0; n < 250; n++) tx.insert('label', { ...row, name: `l${100 + n}`, color: 'aabbcc' })
      return { label: tx.insert('label', { ...row, name: 'zebra', color: 'aabbcc' }), milestone: tx.insert('milestone', { ...row, title: 'zenith' }) }
    })
    const first = /name="labels" value="(\d+)"/.exec((await hers.get('/ada/long/issues/new')).text)?.[1] ?? ''
    const typed = { title: 'Far <down>', body: 'kept', labels: first }
    const asked = await hers.post('/ada/long/issues/new', { ...typed, found: '', find: 'ze' }, [])
    expect(asked.status).toBe(422)
    for (const part of [
      `value="${last.label}"`,
      `value="${first}" checked`,
      `<option value="${last.milestone}"`,
      'name="found" value="ze"',
      'Far &lt;down&gt;',
      'kept',
    ])
      expect(asked.text).toContain(part)
    expect(asked.text).not.toContain('l150')
    const chosen = { ...typed, labels: String(last.label), milestone: String(last.milestone), found: 'ze', find: 'ze' }
    const made = await hers.post('/ada/long/issues/new', chosen, [])
    expect(made.status).toBe(303)
    const issue = await asAda.get<{ labels: { name: string }[]; milestone: { title: string } }>('/repos/ada/long/issues/1')
    expect([issue.body.labels.map(({ name }) => name), issue.body.milestone.title]).toEqual([['zebra'], 'zenith'])
  })

  test('takes and gives back reactions', async () => {
    const path = await openIssue(his, { title: 'React', body: 'hm' })
    await his.post(`${path}/reactions`, { react: 'heart' })
    await hers.post(`${path}/reactions`, { react: 'heart' })
    expect((await hers.get(path)).text).toMatch(/name="unreact" value="heart"[^>]*>❤️ 2</)
    await hers.post(`${path}/reactions`, { unreact: 'heart' })
    expect((await hers.get(path)).text).toMatch(/name="react" value="heart"[^>]*>❤️ 1</)
  })

  test('is edited by who wrote it, not over what somebody else changed meanwhile', async () => {
    const path = await openIssue(his, { title: 'First', body: 'one' })
    const [, version = ''] = /name="content_version" value="(\d+)"/.exec((await his.get(path)).text) ?? []
    await his.post(`${path}/content`, { title: 'Second', body: 'two', content_version: version })
    expect((await hers.get(path)).text).toContain('Second')
    const told = await hers.post(`${path}/content`, { title: 'Third', body: 'three', content_version: version })
    expect([told.status, told.text]).toEqual([409, expect.stringMatching(/value="Third".*\nthree<.*Current title: “Second”.*\ntwo</s)])
    const titleAlone = await hers.post(`${path}/content`, { title: 'Third', content_version: version })
    expect([titleAlone.status, titleAlone.text]).toEqual([409, expect.stringMatching(/name="body"[^>]*>\ntwo</)])
    const carl = new TestBrowser(forge, await forge.person('carl'))
    expect((await carl.post(`${path}/content`, { title: 'Mine' })).status).toBe(403)
  })

  test('has comments whose form, opened before somebody else changed one, says so and loses neither text', async () => {
    const path = await openIssue(his, { title: 'Two at once', body: 'one' })
    await his.post(`${path}/comments`, { body: '- [ ] said', action: 'comment' }, [])
    const [{ id } = { id: 0 }] = (await asAda.get<{ id: number }[]>(`/repos${path}/comments`)).body
    const at = `${path}/comments/${id}`
    const now = async () => (await asAda.get<{ body: string }>(`/repos/ada/engine/issues/comments/${id}`)).body.body
    const versionIn = (text: string) => new RegExp(`action="${at}".*?name="content_version" value="(\\d+)"`, 's').exec(text)?.[1] ?? ''
    const [mine, theirs] = [versionIn((await his.get(path)).text), versionIn((await hers.get(path)).text)]
    expect([mine, theirs]).toEqual(['0', '0'])
    expect((await hers.post(at, { body: 'her words <b>', content_version: theirs }, [])).status).toBe(303)
    const told = await his.post(at, { body: 'my words </textarea>', content_version: mine }, [new File(['1'], 'log.txt')])
    expect([told.status, await now()]).toEqual([409, 'her words <b>'])
    for (const part of ['changed after you opened the form', 'my words &lt;/textarea&gt;', 'her words &lt;b&gt;', 'Attach your files again'])
      expect(told.text).toContain(part)
    expect((await his.post(at, { body: 'her words <b>', content_version: mine }, [])).status).toBe(303)
    expect((await his.post(at, { body: 'both words', content_version: versionIn(told.text) }, [])).status).toBe(303)
    expect([await now(), (await his.post(at, { body: 'x', content_version: 'one' }, [])).status]).toEqual(['both words', 422])
    await asAda.patch(`/repos/ada/engine/issues/comments/${id}`, { body: '- [ ] by a program' })
    const [, task = ''] = /action="[^"]*".*?name="task" value="([^"]+)"/s.exec((await hers.get(path)).text) ?? []
    const before = versionIn((await his.get(path)).text)
    expect([(await hers.post(`${at}/tick`, { task })).status, await now()]).toEqual([303, '- [x] by a program'])
    expect((await his.post(at, { body: '- [ ] over it', content_version: before }, [])).status).toBe(409)
  })

  test('has its files where its text names them, and the others at its end, in comments and when it is edited', async () => {
    const path = await openIssue(his, { title: 'Seen', body: 'one' })
    const files = () => [new File(['1'], 'a b.png'), new File(['2'], 'log.txt')]
    const text = 'before\r\n\r\n![it](attachment:a%20b.png)\r\n\r\nafter ![](attachment:absent.png)'
    const placed =
      /^before\n\n!\[it\]\(\/attachments\/[0-9a-f-]{36}\)\n\nafter !\[\]\(attachment:absent\.png\)\n\n\[log\.txt\]\(\/attachments\/[0-9a-f-]{36}\)$/
    const written = async (rest = '') => (await asAda.get<{ id: number; body: string; assets: unknown[] }>(`/repos${path}${rest}`)).body
    await his.post(`${path}/content`, { body: text }, files())
    expect([(await written()).body.replace(placed, 'as it should be'), (await written()).assets.length]).toEqual(['as it should be', 2])
    await his.post(`${path}/comments`, { body: 'first', action: 'comment' }, [])
    const [{ id } = { id: 0 }] = (await asAda.get<{ id: number }[]>(`/repos${path}/comments`)).body
    expect((await his.post(`${path}/comments/${id}`, { body: text }, files())).headers.get('location')).toBe(`${path}#issuecomment-${id}`)
    const comment = (await asAda.get<{ body: string; assets: unknown[] }>(`/repos/ada/engine/issues/comments/${id}`)).body
    expect([comment.body.replace(placed, 'as it should be'), comment.assets.length]).toEqual(['as it should be', 2])
    const carl = new TestBrowser(forge, await forge.person('carla'))
    expect((await carl.post(`${path}/comments/${id}`, { body: 'mine' }, files())).status).toBe(403)
  })

  test('has tasks that are ticked by who may edit it, and nobody undoes what another ticked or wrote meanwhile', async () => {
    const body = 'To do:\n\n- [ ] one\n- [x] two\n  1. [ ] three\n\n> - [ ] four\n\n```\n- [ ] no task\n```\n\n<input type="checkbox" data-task="2">'
    const path = await openIssue(his, { title: 'Tasks', body })
    const now = async () => (await asAda.get<{ body: string }>(`/repos${path}`)).body.body
    const boxes = async (browser: TestBrowser) => {
      const { text } = await browser.get(path)
      return new Map(
        [...text.matchAll(/name="task" value="([^"]+)" role="checkbox" aria-checked="\w+" aria-label="([^"]+)"/g)].map(([, value = '', name = '']) => [
          name,
          value,
        ]),
      )
    }
    const [mine, theirs] = [await boxes(his), await boxes(hers)]
    expect([...mine.keys()]).toEqual(['one', 'two', 'three', 'four'])
    expect((await boxes(new TestBrowser(forge, await forge.person('dora')))).size).toBe(0)
    const tickBox = async (browser: TestBrowser, task: string) => (await browser.post(`${path}/tick`, { task })).status
    expect([await tickBox(his, mine.get('one') ?? ''), await tickBox(hers, theirs.get('four') ?? ''), await tickBox(hers, theirs.get('two') ?? '')]).toEqual([
      303, 303, 303,
    ])
    const ticked = body.replace('[ ] one', '[x] one').replace('[x] two', '[ ] two').replace('[ ] four', '[x] four')
    expect(await now()).toBe(ticked)
    await asAda.patch(`/repos${path}`, { body: `More.\n\n${ticked}` })
    expect(await tickBox(his, mine.get('three') ?? '')).toBe(303)
    expect(await now()).toBe(`More.\n\n${ticked.replace('[ ] three', '[x] three')}`)
    await asAda.patch(`/repos${path}`, { body: '- [ ] another' })
    expect([await tickBox(his, mine.get('one') ?? ''), await tickBox(his, 'nonsense'), await now()]).toEqual([409, 422, '- [ ] another'])
    expect(await tickBox(new TestBrowser(forge, await forge.person('emil')), [...(await boxes(his)).values()][0] ?? '')).toBe(403)
    await his.post(`${path}/comments`, { body: '- [ ] said', action: 'comment' }, [])
    const [{ id } = { id: 0 }] = (await asAda.get<{ id: number }[]>(`/repos${path}/comments`)).body
    expect((await hers.post(`${path}/comments/${id}/tick`, { task: (await boxes(hers)).get('said') ?? '' })).headers.get('location')).toBe(
      `${path}#issuecomment-${id}`,
    )
    expect((await asAda.get<{ body: string }>(`/repos/ada/engine/issues/comments/${id}`)).body.body).toBe('- [x] said')
  })

  test('runs nothing that people wrote, wherever it is shown', async () => {
    const path = await openIssue(his, { title: ATTACK, body: ATTACK })
    await hers.post(`${path}/comments`, { body: ATTACK, action: 'comment' }, [new File(['x'], `<b>${'"'}.txt`)])
    await hers.post(`${path}/content`, { title: `${ATTACK} again` })
    for (const page of [path, '/ada/engine/issues', `/ada/engine/issues?q=${encodeURIComponent(ATTACK)}`, '/ada/engine/issues/new']) {
      expect((await hers.get(page)).text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror|\sstyle="/i)
    }
  })

  test('cannot be touched from another site, nor seen by who may not read it', async () => {
    await asAda.post('/repos/ada/secret/issues', { title: 'hidden' })
    expect((await his.get('/ada/secret/issues/1')).status).toBe(404)
    expect((await his.get('/ada/secret/issues')).status).toBe(404)
    expect((await hers.get('/ada/secret/issues/1')).status).toBe(200)
    const foreign = { Origin: 'https://evil.example' }
    const forms = ['comments', 'plan', 'content', 'administer', 'reactions', 'subscription', 'comments/1', 'comments/1/delete', 'comments/1/reactions']
    for (const form of forms) expect([form, (await hers.post(`/ada/secret/issues/1/${form}`, { body: 'x' }, undefined, foreign)).status]).toEqual([form, 403])
    expect((await stranger().post('/ada/engine/issues/new', { title: 'x' }, [])).status).toBe(303)
  })
})

describe('a list in a browser', () => {
  test('finds by the words of its search line', async () => {
    await openIssue(hers, { title: 'Needle one', body: '' })
    const path = await openIssue(his, { title: 'Needle two', body: '' })
    await his.post(`${path}/comments`, { body: '', action: 'close' }, [])
    const titles = async (q: string) =>
      [...(await hers.get(`/ada/engine/issues?q=${encodeURIComponent(q)}`)).text.matchAll(/>(Needle \w+)<\/a>/g)].map(([, t]) => t)
    expect(await titles('needle')).toEqual(['Needle one'])
    expect(await titles('needle is:closed')).toEqual(['Needle two'])
    expect((await titles('needle is:all')).toSorted()).toEqual(['Needle one', 'Needle two'])
    expect(await titles('needle is:all author:@me')).toEqual(['Needle one'])
    expect(await titles('needle author:nobody-here')).toEqual([])
  })
})
