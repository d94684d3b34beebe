import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TestBrowser } from '../../../test/browser.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

let house: ReviewForge

beforeAll(async () => {
  house = await reviewForge()
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

const block = (text: string, range = '') => `Better:\n\n\`\`\`suggestion${range}\n${text}\`\`\`\n`

interface Said {
  line: number
  body: string
}

/** A pull request of bob's, what rita says of its lines, and its page. */
async function suggested(said: Said[], { text = 'one\ntwo\nthree\n' }: { text?: string } = {}) {
  const pull = await house.pullOf({ as: 'bob', text })
  const comments = said.map(({ line, body }) => ({ path: pull.path, body, new_position: line }))
  const { body } = await house.review(pull.number, 'rita', 'COMMENT', { body: 'Well', comments })
  const made = await house.commentsOf(pull.number, body.id)
  const address = `/ada/engine/pulls/${pull.number}`
  return { ...pull, address, ids: made.map(({ id }) => id) }
}

/** What the page offers to commit. */
async function picksIn(browser: TestBrowser, address: string): Promise<string[]> {
  const { text } = await browser.get(address)
  return [...text.matchAll(/<input type="hidden" name="pick" value="([^"]+)"/g)].map(([, pick = '']) => pick)
}

const textOf = async (branch: string, path: string) => {
  const { body } = await house.engine.asUser('ada').get<{ content: string }>(`/contents/${path}?ref=${branch}`)
  return Buffer.from(body.content, 'base64').toString()
}

const commit = (browser: TestBrowser, address: string, pick: string | string[], more: Record<string, string> = {}) =>
  browser.post(`${address}/suggestions`, { pick, title: 'Take it', message: '', ...more })

test('a suggestion is shown as what it would change, and committed in the name of both, which ends its conversation', async () => {
  const { address, branch, path, ids } = await suggested([{ line: 2, body: block('TWO\n2\n') }])
  const his = house.browserOf('bob')
  for (const page of [address, `${address}/files`]) {
    const { text } = await his.get(page)
    expect(text).toMatch(
      /<tr class="del"><td class="n">2<\/td><td class="n"><\/td><td>-two<\/td><\/tr><tr class="add"><td class="n"><\/td><td class="n">2<\/td><td>\+TWO</,
    )
    expect(text).not.toContain('language-suggestion')
  }
  const [pick = ''] = await picksIn(his, address)
  const done = await commit(his, address, pick, { title: 'Take it', message: 'As said.\r\nTwice.' })
  expect(done.headers.get('location')).toBe(`${address}#issuecomment-${ids[0]}`)
  expect(await textOf(branch, path)).toBe('one\nTWO\n2\nthree\n')
  const { body } = await house.engine.asUser('ada').get<{ commit: { author: { name: string }; message: string } }[]>(`/commits?sha=${branch}&limit=1`)
  expect(body[0]?.commit.author.name).toBe('bob')
  expect(body[0]?.commit.message).toBe('Take it\n\nAs said.\nTwice.\n\nCo-authored-by: rita <rita@example.org>\n')
  const after = (await his.get(address)).text
  expect(after).toMatch(/<span class="mark">Resolved<\/span>/)
  expect(after).not.toContain('name="pick"')
})

test('several are ticked and become one commit; two of the same line do not', async () => {
  const { address, branch, path } = await suggested([
    { line: 1, body: block('ONE\n') },
    { line: 3, body: block('') },
    { line: 3, body: block('drei\n') },
  ])
  const his = house.browserOf('bob')
  const { text } = await his.get(address)
  expect(text.match(/<input type="checkbox" form="suggestions" name="pick"/g)).toHaveLength(3)
  expect(text).toContain('<form class="fields written" id="suggestions"')
  const picks = await picksIn(his, address)
  const both = await commit(his, address, picks, { title: 'My words' })
  expect([both.status, both.text.includes('Two changes affect line 3'), both.text.includes('value="My words"')]).toEqual([422, true, true])
  expect(both.text).toMatch(/form="suggestions" name="pick" value="[^"]+" checked/)
  expect((await commit(his, address, picks.slice(0, 2))).status).toBe(303)
  expect(await textOf(branch, path)).toBe('ONE\ntwo\n')
})

test.each<[string, string, Said, string]>([
  ['lines that end in CRLF', 'one\r\ntwo\r\nthree\r\n', { line: 2, body: block('TWO\n2\n') }, 'one\r\nTWO\r\n2\r\nthree\r\n'],
  ['a last line without a line break', 'one\ntwo', { line: 2, body: block('TWO\n') }, 'one\nTWO'],
  ['an empty suggestion, which takes the line away', 'one\ntwo\nthree\n', { line: 2, body: block('') }, 'one\nthree\n'],
  ['lines above and below', 'one\ntwo\nthree\nfour\n', { line: 2, body: block('all\n', ':-1+1') }, 'all\nfour\n'],
])('%s', async (_, text, said, expected) => {
  const { address, branch, path } = await suggested([said], { text })
  const his = house.browserOf('bob')
  const [pick = ''] = await picksIn(his, address)
  expect((await commit(his, address, pick)).status).toBe(303)
  expect(await textOf(branch, path)).toBe(expected)
})

test('a line that moved is followed; one that was changed since is not touched, nor lines around that were', async () => {
  const { address, branch, path } = await suggested([
    { line: 2, body: block('TWO\n') },
    { line: 2, body: block('all\n', ':-1+1') },
  ])
  const his = house.browserOf('bob')
  const [single = '', around = ''] = await picksIn(his, address)
  await house.commit({ branch, path, text: 'zero\none\ntwo\nTHREE\n' }, 'bob')
  const refused = await commit(his, address, around)
  expect([refused.status, refused.text.includes(`Lines 2 to 4 of ${path} have changed`)]).toEqual([422, true])
  expect((await commit(his, address, single)).status).toBe(303)
  expect(await textOf(branch, path)).toBe('zero\none\nTWO\nTHREE\n')
  const again = await commit(his, address, single)
  expect([again.status, again.text.includes('the lines have changed since it was written')]).toEqual([409, true])
})

test('a suggestion that was edited since the page was loaded is not committed unseen', async () => {
  const { address, branch, path, ids } = await suggested([{ line: 2, body: block('TWO\n') }])
  const his = house.browserOf('bob')
  const [pick = ''] = await picksIn(his, address)
  await house.engine.asUser('rita').patch(`/issues/comments/${ids[0]}`, { body: block('rm -rf\n') })
  const refused = await commit(his, address, pick)
  expect([refused.status, refused.text.includes('was edited after you loaded the page')]).toEqual([409, true])
  expect(await textOf(branch, path)).toBe('one\ntwo\nthree\n')
})

test('who may not push to the branch is not offered it, and is refused', async () => {
  const { address, branch, path } = await suggested([{ line: 2, body: block('TWO\n') }])
  const [pick = ''] = await picksIn(house.browserOf('bob'), address)
  for (const name of ['rita', 'eve']) {
    const hers = house.browserOf(name)
    expect((await hers.get(address)).text).not.toContain('name="pick"')
    expect((await commit(hers, address, pick)).status).toBe(403)
  }
  expect(await textOf(branch, path)).toBe('one\ntwo\nthree\n')
})

test('a branch that is protected, or gone, is told of', async () => {
  const { address, branch } = await suggested([{ line: 2, body: block('TWO\n') }])
  const his = house.browserOf('bob')
  const [pick = ''] = await picksIn(his, address)
  await house.engine.asUser('ada').post('/branch_protections', { rule_name: branch, enable_push: false })
  const refused = await commit(his, address, pick)
  expect([refused.status, refused.text.includes('cannot commit to repo')]).toEqual([403, true])
  await house.engine.asUser('ada').delete(`/branch_protections/${branch}`)
  await house.engine.asUser('ada').delete(`/branches/${branch}`)
  expect((await commit(his, address, pick)).status).toBeGreaterThanOrEqual(409)
})

test('of two who commit at once one is told that the branch has moved, and each line is changed once', async () => {
  const { address, branch, path } = await suggested([
    { line: 1, body: block('ONE\n') },
    { line: 1, body: block('EINS\n') },
  ])
  const his = house.browserOf('bob')
  const [first = '', second = ''] = await picksIn(his, address)
  const done = await Promise.all([commit(his, address, first), commit(house.browserOf('carl'), address, second)])
  expect(done.map(({ status }) => status).sort()).toEqual([303, 409])
  expect(['ONE\ntwo\nthree\n', 'EINS\ntwo\nthree\n']).toContain(await textOf(branch, path))
})

test('the form for a line begins a suggestion of it, or of several', async () => {
  const { address, path } = await suggested([], { text: 'a ``` b\n\tindented\n' })
  const his = house.browserOf('rita')
  const at = `${address}/files?path=${path}&line=2`
  expect((await his.get(at)).text).toContain('data-insert="```suggestion\n\tindented\n```"')
  expect((await his.get(`${at}&suggest=1`)).text).toContain('\n```suggestion\n\tindented\n```\n')
  expect((await his.get(`${at}&suggest=2`)).text).toContain('\n````suggestion:-1+0\na ``` b\n\tindented\n````\n')
  expect((await his.get(`${at}&suggest=9999`)).status).toBe(200)
})

test('what Markdown sees where there is no suggestion stays text beside those that are', async () => {
  const { address } = await suggested([{ line: 1, body: `${block('ONE\n')}\n- list\n\n  \`\`\`suggestion\n  x\n  \`\`\`\n<b>"><script>` }])
  const { text } = await house.browserOf('bob').get(address)
  expect(text).toContain('+ONE')
  expect(text).not.toMatch(/<script(?! type="module")/)
})

test('what is suggested for a branch of a fork is committed there, and comes to the pull request', async () => {
  const { forge } = house
  const eve = forge.asUser('eve')
  await eve.post('/repos/ada/engine/forks', {})
  const body = { content: btoa('one\ntwo\n'), message: 'Add forked.txt', branch: 'main', new_branch: 'forked' }
  expect((await eve.post('/repos/eve/engine/contents/forked.txt', body)).status).toBe(201)
  const { body: pull } = await house.engine.asUser('eve').post<{ number: number }>('/pulls', { title: 'From a fork', head: 'eve:forked', base: 'main' })
  const address = `/ada/engine/pulls/${pull.number}`
  await house.review(pull.number, 'rita', 'COMMENT', { comments: [{ path: 'forked.txt', body: block('TWO\n'), new_position: 2 }] })
  expect(await picksIn(house.browserOf('rita'), address)).toEqual([])
  // Its author lets those edit it who write where it goes.
  expect(await picksIn(house.browserOf('carl'), address)).toHaveLength(1)
  const hers = house.browserOf('eve')
  const [pick = ''] = await picksIn(hers, address)
  expect((await commit(hers, address, pick)).status).toBe(303)
  const { body: made } = await eve.get<{ content: string }>('/repos/eve/engine/contents/forked.txt?ref=forked')
  expect(atob(made.content)).toBe('one\nTWO\n')
  const { body: seen } = await house.engine.asUser('ada').get<{ head: { sha: string } }>(`/pulls/${pull.number}`)
  const { body: tip } = await eve.get<{ commit: { id: string } }>('/repos/eve/engine/branches/forked')
  expect(seen.head.sha).toBe(tip.commit.id)
  expect((await hers.get(address)).text).toContain('<span class="mark">Resolved</span>')
})
