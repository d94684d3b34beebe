import { afterAll, beforeAll, describe, expect, spyOn } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { SearchLine } from './search-line.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '"><script>alert(1)</script>'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser
const labels: Record<string, number> = {}
let milestone = 0

beforeAll(async () => {
  ada = await forge.person('ada')
  const bob = await forge.person('bob')
  forge.repo(ada, 'engine')
  for (const name of ['bug', 'good first issue', `odd ${ATTACK}`, 'kind/small', 'kind/large', 'this, that']) {
    const { body } = await asAda.post<{ id: number }>('/repos/ada/engine/labels', { name, color: '#aa0000', exclusive: name.startsWith('kind/') })
    labels[name] = body.id
  }
  milestone = (await asAda.post<{ id: number }>('/repos/ada/engine/milestones', { title: 'v1' })).body.id
  for (let i = 1; i <= 5; i++) await forge.asUser(i === 5 ? bob : ada).post('/repos/ada/engine/issues', { title: `Case ${i}` })
  await asAda.post('/repos/ada/engine/issues/1/labels', { labels: [labels.bug] })
  await asAda.post('/repos/ada/engine/issues/3/labels', { labels: [labels['this, that']] })
  await asAda.patch('/repos/ada/engine/issues/2', { assignees: ['ada'], milestone })
  await asAda.patch('/repos/ada/engine/issues/3', { state: 'closed' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
})
afterAll(() => forge[Symbol.asyncDispose]())

const LIST = '/ada/engine/issues'
const titlesIn = (text: string) => [...text.matchAll(/>(Case \d)<\/a>/g)].map(([, title]) => title).toSorted()
const titles = async (query: string) => titlesIn((await his.get(`${LIST}?${query}`)).text)
const linksIn = (text: string) =>
  new Map([...text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(?:<svg.*?<\/svg>)?([^<]+)</g)].map(([, to = '', name = '']) => [name, to.replaceAll('&amp;', '&')]))
type Planned = { state: string; labels: { name: string }[]; milestone: { title: string } | null; assignees: { login: string }[] | null }
const read = async (number: number) => {
  const { state, labels, milestone, assignees } = (await forge.get<Planned>(`/repos/ada/engine/issues/${number}`)).body
  return [state, labels.map(({ name }) => name).toSorted(), milestone?.title, (assignees ?? []).map(({ login }) => login)]
}

describe('a list of issues', () => {
  test.each([
    ['q=no:label', ['Case 2', 'Case 4', 'Case 5']],
    ['q=no:assignee+no:milestone', ['Case 1', 'Case 4', 'Case 5']],
    ['q=label:no-such-label', []],
    ['q=milestone:no-such', []],
    ['state=all&q=label:%22this,+that%22', ['Case 3']],
    ['q=review-requested:nobody-here', []],
    // What Gitea's pages have in their addresses.
    ['labels=0', ['Case 2', 'Case 4', 'Case 5']],
    ['milestone=-1&state=all', ['Case 1', 'Case 3', 'Case 4', 'Case 5']],
    ['assignee=-1', ['Case 1', 'Case 4', 'Case 5']],
    ['poster=bob', ['Case 5']],
    ['type=created_by', ['Case 5']],
    ['created_by=bob', ['Case 5']],
    ['state=closed', ['Case 3']],
    ['state=closed&q=is:open+author:bob', ['Case 5']],
  ])('shows for %s exactly what is asked for', async (query, expected) => expect(await titles(query)).toEqual(expected))

  test('takes labels, milestones and people by their ids, too, and shows them by name in its line', async () => {
    const { text } = await his.get(`${LIST}?labels=${labels.bug}`)
    expect([titlesIn(text), /name="q" value="([^"]*)"/.exec(text)?.[1]]).toEqual([['Case 1'], 'label:bug'])
    expect(await titles(`milestone=${milestone}`)).toEqual(['Case 2'])
    expect(await titles(`assignee=${ada.row.id}`)).toEqual(['Case 2'])
  })

  test.each([
    ['is:closed', ['Case 3'], []],
    ['label:bug,"this, that" is:all', ['Case 1', 'Case 3'], []],
    ['author:bob OR label:bug', ['Case 1', 'Case 5'], []],
    ['-label:bug NOT 5 case', ['Case 2', 'Case 4'], []],
    ['closed:>2000-01-01', ['Case 3'], []],
    ['2', ['Case 2'], []],
    ['is:issue', ['Case 1', 'Case 2', 'Case 4', 'Case 5'], []],
    ['foo:bar', [], ['Unknown qualifier <code>foo:</code>. It is searched for as text. Qualifiers are <code>is:</code>']],
    ['label:bug sort:stars', ['Case 1'], ['Unknown value <code>stars</code> for <code>sort:</code>. Use latest, ']],
    ['label:bug created:soon', ['Case 1'], ['Unknown value <code>soon</code> for <code>created:</code>. Use 2026-01-31, ', 'This part is ignored.']],
    ['is:weird label:bug', ['Case 1'], ['Unknown value <code>weird</code> for <code>is:</code>']],
    ['label:nope', [], ['No label <code>nope</code> in this repository.']],
    ['author:nobody-here', [], ['No user or organization <code>nobody-here</code>.']],
    ['-label:&lt;b&gt; label:bug', ['Case 1'], ['No label <code>&amp;lt;b&amp;gt;</code>']],
  ])('finds by %s and names what it does not understand', async (q, expected, notes) => {
    const { text } = await his.get(`${LIST}?state=open&q=${encodeURIComponent(q)}`)
    expect(titlesIn(text)).toEqual(expected)
    expect(text.includes('id="search-notes"')).toBe(notes.length > 0)
    for (const note of notes) expect(text).toContain(note)
  })

  test('leads to the pull requests when it is asked for them', async () => {
    const lead = async (address: string) => (await his.get(address)).headers.get('location')
    expect(await lead(`${LIST}?state=open&q=is:pr+is:closed+label:bug`)).toBe('/ada/engine/pulls?state=closed&q=label%3Abug')
    expect(await lead('/ada/engine/pulls?q=type:issue')).toBe('/ada/engine/issues?state=open')
    expect(await titles('q=is:pr+OR+label:bug')).toEqual(['Case 1'])
    expect(await titles('q=-is:pr+label:bug')).toEqual(['Case 1'])
  })

  test('says how to search', async () => expect((await his.get(LIST)).text).toContain('<summary>Search syntax</summary>'))

  test('tells nobody who is behind an id that they may not see', async () => {
    const { row } = await forge.person('whoever', { visibility: 'private' })
    expect((await his.get(`${LIST}?poster=${row.id}`)).text).not.toContain('whoever')
  })

  test('counts what it is narrowed down to, open and closed', async () => {
    const counts = async (q: string) => /(\d+) open.*?(\d+) closed/s.exec((await his.get(`${LIST}?q=${q}`)).text.replace(/.*aria-label="State"/s, ''))?.slice(1)
    expect(await counts('')).toEqual(['4', '1'])
    expect(await counts('author:ada')).toEqual(['3', '1'])
    expect(await counts('is:closed+author:ada')).toEqual(['3', '1'])
    expect(await counts('author:bob')).toEqual(['1', '0'])
  })

  test('that has nothing says what was asked for and how to ask for more', async () => {
    const { text } = await his.get(
      `${LIST}?state=open&q=${encodeURIComponent(`case label:"${'odd "><script>alert(1)</script>'.replaceAll('"', '\\"')}" author:ada`)}`,
    )
    expect(text).toContain('No open issues match your search')
    expect(text).not.toContain('<script>alert')
    const links = linksIn(text)
    expect(titlesIn((await his.get(links.get('Remove author:ada') ?? '')).text)).toEqual([])
    expect(titlesIn((await his.get(links.get('Clear filters') ?? '')).text).length).toBe(4)
    const closed = linksIn((await his.get(`${LIST}?q=author:ada+Case+3`)).text).get('1 closed')
    expect(titlesIn((await his.get(closed ?? '')).text)).toEqual(['Case 3'])
    expect((await his.get(`${LIST}?page=9`)).text).toContain('No more results')
  })
})

describe('a menu of a list', () => {
  const menu = async (by: string, query = '', fragment = '&fragment=menu') => (await his.get(`${LIST}/by/${by}?${query}${fragment}`)).text
  test('puts a choice into the line beside what stands there, and takes it out again', async () => {
    const first = linksIn((await menu('label', 'q=author:ada&state=all')).replace(/<span class="label">.*?> (.*?)<\/span>/g, '$1'))
    const line = (address = '') => new URL(address, 'http://localhost').searchParams.get('q')
    expect(line(first.get('good first issue'))).toBe('author:ada label:"good first issue"')
    const again = linksIn((await menu('label', `q=${encodeURIComponent('label:bug author:ada')}`)).replace(/<span class="label">.*?> (.*?)<\/span>/g, '$1'))
    expect([line(again.get('bug')), line(again.get('No label'))]).toEqual(['author:ada', 'author:ada no:label'])
    expect(line(linksIn(await menu('assignee', 'q=assignee:bob+x')).get('You'))).toBe('x assignee:@me')
  })

  test('finds by what is typed, and is bounded with a way to the rest', async () => {
    const many = forge.repo(ada, 'many')
    forge.context.db.tx((tx) => {
      for (let i = 0; i < 1000; i++)
        tx.run(
          "INSERT INTO label (repo_id, name, description, color, is_exclusive, created_at, updated_at) VALUES (?, ?, '', 'aabbcc', 0, 0, 0)",
          many.id,
          `label ${String(i).padStart(3, '0')}`,
        )
    })
    const get = async (query: string) => (await his.get(`/ada/many/issues/by/label?fragment=menu&${query}`)).text
    const count = (text: string) => text.match(/class="label"/g)?.length
    const whole = await get('')
    expect([count(whole), linksIn(whole).get('950 more')]).toEqual([50, '/ada/many/issues/by/label?state=open&q=&page=2'])
    expect(count(await get('find=LABEL+99'))).toBe(10)
    expect(await get('find=nothing')).toContain('No labels match “nothing”')
    expect((await his.get('/ada/many/issues')).text.length).toBeLessThan(20_000)
  })

  test('is a page of its own without scripts, and is not there for what a list has not', async () => {
    expect(await menu('author', '', '')).toContain('<h2>Filter issues by author</h2>')
    for (const by of ['reviewer', 'nothing', '__proto__', 'constructor']) expect([by, (await his.get(`${LIST}/by/${by}`)).status]).toEqual([by, 404])
    expect((await his.get('/ada/engine/pulls/by/reviewer')).status).toBe(200)
    expect(await menu('milestone')).toContain('v1')
  })
})

describe('several issues at once', () => {
  const bulk = (fields: Record<string, string | string[]>, browser = hers) => browser.post(`${LIST}/bulk`, fields)
  const said = async (reply: { headers: Headers }) => /<p role="status">(.*?)<\/p>/.exec((await hers.get(reply.headers.get('location') ?? '')).text)?.[1]

  test('are closed and opened again, with a way to take that back', async () => {
    const reply = await bulk({ issues: ['1', '2', '3', '999'], action: 'close', q: 'author:ada', state: 'open' })
    const { text } = await hers.get(reply.headers.get('location') ?? '')
    expect([reply.headers.get('location'), text.includes('2 issues closed')]).toEqual([`${LIST}?state=open&q=author%3Aada`, true])
    expect((await read(1))[0]).toBe('closed')
    expect(text).toMatch(/<input type="hidden" name="issues" value="1,2"><input type="hidden" name="action" value="reopen">/)
    expect(await said(await bulk({ issues: '1,2', action: 'reopen' }))).toBe('2 issues reopened')
    expect([(await read(1))[0], (await read(3))[0]]).toEqual(['open', 'closed'])
  })

  test('are changed one by one, with others having their turn in between', async () => {
    const rest = spyOn(forge.context.db, 'rest')
    await bulk({ issues: '1,2', action: 'close' })
    expect(rest).toHaveBeenCalledTimes(2)
    rest.mockRestore()
    await bulk({ issues: '1,2', action: 'reopen' })
  })

  test('get labels, milestone and people from one form, and lose them', async () => {
    const page = await hers.get(`${LIST}/bulk?issues=1&issues=4`)
    for (const part of ['Edit 2 issues', '#1 Case 1', '#4 Case 4', 'name="labels_removed"']) expect(page.text).toContain(part)
    const small = String(labels['kind/small'])
    await bulk({ issues: ['1', '4'], labels: [small], labels_removed: [String(labels.bug)], milestone: String(milestone), assignees: ['ada'], action: '' })
    for (const number of [1, 4]) expect(await read(number)).toEqual(['open', ['kind/small'], 'v1', ['ada']])
    await bulk({ issues: ['1', '4'], labels: [String(labels['kind/large'])], milestone: '-1' })
    expect(await read(4)).toEqual(['open', ['kind/large'], 'v1', ['ada']])
    await bulk({ issues: ['1', '4'], labels_removed: [String(labels['kind/large'])], milestone: '0', assignees_removed: 'ada' })
    expect(await read(4)).toEqual(['open', [], undefined, []])
  })

  test('of which some are closed already get the rest all the same, and only what can be taken back whole is offered back', async () => {
    await bulk({ issues: ['5'], action: 'close' })
    const reply = await bulk({ issues: ['4', '5'], action: 'close', labels: [String(labels.bug)] })
    const { text } = await hers.get(reply.headers.get('location') ?? '')
    expect([text.includes('2 issues updated'), text.includes('Undo')]).toEqual([true, false])
    for (const number of [4, 5]) expect(await read(number)).toEqual(['closed', ['bug'], undefined, []])
    await bulk({ issues: ['4', '5'], labels_removed: [String(labels.bug)], action: 'reopen' })
    for (const number of [4, 5]) expect(await read(number)).toEqual(['open', [], undefined, []])
  })

  test('are done each by itself: what one cannot have is told by its number', async () => {
    await asAda.post('/repos/ada/engine/issues/4/dependencies', { owner: 'ada', repo: 'engine', index: 1 })
    const reply = await bulk({ issues: ['4', '5'], action: 'close' })
    expect([reply.status, reply.text]).toEqual([200, expect.stringMatching(/role="alert"><li>#4: .*open dependencies/)])
    expect([(await read(4))[0], (await read(5))[0]]).toEqual(['open', 'closed'])
    await bulk({ issues: ['5'], action: 'reopen' })
  })

  test("are nobody's to change who may not write, nor from another site, nor by the hundred", async () => {
    for (const [status, work] of [
      [403, () => bulk({ issues: ['1'], action: 'close' }, his)],
      [403, () => his.get(`${LIST}/bulk?issues=1`)],
      [403, () => hers.post(`${LIST}/bulk`, { issues: '1', action: 'close' }, undefined, { Origin: 'https://evil.example' })],
      [422, () => bulk({ issues: Array.from({ length: 101 }, (_, i) => String(i + 1)), action: 'close' })],
      [422, () => bulk({ issues: 'x', action: 'close' })],
      [422, () => bulk({ issues: '1', action: 'explode' })],
      [200, () => hers.get(`${LIST}/bulk?issues=x&issues=-1&issues=1e99`)],
    ] as const) {
      expect((await work()).status).toBe(status)
    }
    expect((await his.get(LIST)).text).not.toContain('type="checkbox"')
    expect(await said(await bulk({ action: 'close' }))).toBe('No issues selected')
    expect((await read(1))[0]).toBe('open')
  })
})

describe('a search line', () => {
  test.each([
    ['', 'label', 'good first issue', 'label:"good first issue"'],
    ['label:bug', 'label', 'say "a\\b"', 'label:bug label:"say \\"a\\\\b\\""'],
    ['author:ada word', 'author', 'bob', 'word author:bob'],
    ['"two words" is:open', 'sort', 'oldest', '"two words" is:open sort:oldest'],
    ['a OR label:bug', 'label', 'x', '(a OR label:bug) label:x'],
    ['(a OR label:bug)', 'label', 'a, (b)', '(a OR label:bug) label:"a, (b)"'],
    ['-author:ada label:a,b', 'author', 'bob', '-author:ada label:a,b author:bob'],
  ])('%p with %s:%s is read as it was written', (line, name, value, expected) => {
    const written = String(SearchLine.parse(line).with(name, value))
    expect(written).toBe(expected)
    expect(SearchLine.parse(written).valuesOf(name)).toContain(value)
  })

  test('of nothing but quotes and backslashes is read in no time', () => {
    for (const line of ['"\\'.repeat(500), 'a-'.repeat(500), '\\"'.repeat(500), `${'a'.repeat(999)}:`])
      expect(String(SearchLine.parse(line)).length).toBeLessThan(2100)
  })
})
