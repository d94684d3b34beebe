import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { Documents } from '#markdown/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

let house: ReviewForge

beforeAll(async () => {
  house = await reviewForge()
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

/** A pull request of bob's with what rita said of its second line. */
async function remarked() {
  const pull = await house.pullOf({ as: 'bob' })
  const { body } = await house.review(pull.number, 'rita', 'COMMENT', { comments: [{ path: pull.path, body: 'Why **two**?', new_position: 2 }] })
  const [comment] = await house.commentsOf(pull.number, body.id)
  return { ...pull, address: `/ada/engine/pulls/${pull.number}`, comment: comment?.id ?? 0 }
}

test('a comment on a line stands in the conversation as every comment does, below its lines and with a way to them', async () => {
  const { address, comment, path } = await remarked()
  const { text } = await house.browserOf('bob').get(address)
  const [, card = ''] = new RegExp(`(<article class="written" id="issuecomment-${comment}">.*?</article>)`, 's').exec(text) ?? []
  expect(card).toContain('class="avatar"')
  expect(card).toContain('Why <strong>two</strong>?')
  expect(card).toContain('aria-label="Add reaction"')
  expect(text).toContain(`<a href="${address}/files#issuecomment-${comment}">${path}, line 2</a>`)
  expect(text).toMatch(/<tr class="add"><td class="n"><\/td><td class="n">2<\/td><td>\+two/)
})

test('an answer follows what it answers, and the conversation is ended and begun anew in the open, on either page', async () => {
  const { address, comment } = await remarked()
  const his = house.browserOf('bob')
  const answer = await his.post(`${address}/comments/${comment}/replies`, { body: 'Because', from: 'conversation' })
  expect(answer.headers.get('location')).toMatch(new RegExp(`^${address}#issuecomment-\\d+$`))
  for (const [from, page] of [
    ['conversation', address],
    ['files', `${address}/files`],
  ] as const) {
    expect((await his.get(page)).text).toMatch(/Why <strong>two.*Because.*Resolve conversation</s)
    const ended = await his.post(`${address}/comments/${comment}/resolve`, { action: 'resolve', from })
    expect(ended.headers.get('location')).toBe(`${page}#issuecomment-${comment}`)
    expect((await his.get(page)).text).toMatch(/<details><summary>[^<]+<span class="mark">Resolved<\/span>.*by bob.*Unresolve conversation</s)
    expect((await his.post(`${address}/comments/${comment}/resolve`, { action: 'unresolve', from })).status).toBe(303)
  }
})

test('who may not end a conversation is not offered to, and is refused', async () => {
  const { address, comment } = await remarked()
  const hers = house.browserOf('eve')
  const { text } = await hers.get(address)
  expect(text).not.toContain('Resolve conversation')
  expect(text).toContain('Reply</summary>')
  expect((await hers.post(`${address}/comments/${comment}/resolve`, { action: 'resolve' })).status).toBe(403)
  expect((await new TestBrowser(house.forge).get(address)).text).not.toContain('Reply</summary>')
})

test('a reaction to a comment on a line is there on both pages', async () => {
  const { address, comment, number } = await remarked()
  const hers = house.browserOf('carl')
  expect((await hers.post(`/ada/engine/issues/${number}/comments/${comment}/reactions`, { react: 'heart' })).status).toBe(303)
  for (const page of [address, `${address}/files`]) expect((await hers.get(page)).text).toMatch(/name="unreact" value="heart"[^>]*aria-pressed="true"/)
})

test('what a review came to is told where it stands', async () => {
  const { number, address } = await remarked()
  await house.review(number, 'carl', 'REQUEST_CHANGES', { body: 'Not yet' })
  await house.review(number, 'carl', 'APPROVED')
  const { text } = await house.browserOf('bob').get(address)
  expect(text).toContain('requested changes')
  expect(text).toMatch(/<a href="\/carl">carl<\/a> approved these changes/)
})

test('of what was said of very many lines only as much is made as the page shows, and where the rest is stands there', async () => {
  const text = Array.from({ length: 210 }, (_, n) => `line ${n + 1}\n`).join('')
  const pull = await house.pullOf({ as: 'bob', text })
  await house.commit({ branch: pull.branch, path: 'other.txt', text: 'one\n' }, 'bob')
  const said = (path: string, new_position: number) => ({ path, body: `About ${path} ${new_position}`, new_position })
  const comments = [said('other.txt', 1), ...Array.from({ length: 210 }, (_, n) => said(pull.path, n + 1))]
  expect((await house.review(pull.number, 'rita', 'COMMENT', { comments })).status).toBe(200)
  const rendered = spyOn(house.forge.context.services.get(Documents), 'renderComment')
  const files = `/ada/engine/pulls/${pull.number}/files`
  const other = await house.browserOf('bob').get(`${files}?only=other.txt`)
  expect([rendered.mock.calls.length, other.text.includes('About other.txt 1')]).toEqual([1, true])
  rendered.mockClear()
  const { text: page } = await house.browserOf('bob').get(`${files}?only=${pull.path}`)
  expect([rendered.mock.calls.length, page.match(/<p dir="auto">About /g)?.length]).toEqual([200, 200])
  expect(page.match(/Show 1 more comment/g)?.length).toBe(10)
  const last = (await house.browserOf('bob').get(`/ada/engine/pulls/${pull.number}/remarks?page=5`)).text
  expect(last.match(/<p dir="auto">About /g)?.length).toBe(11)
  rendered.mockRestore()
})

test('a conversation of very many answers shows its beginning beside its line, and the rest page by page', async () => {
  const { number, address, comment } = await remarked()
  const { db } = house.forge.context
  db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM comment WHERE id = ?', comment) ?? {}
    const place = tx.find<Record<string, string | number>>('SELECT * FROM review_comment WHERE comment_id = ?', comment) ?? {}
    for (let n = 1; n < 120; n++) tx.insert('review_comment', { ...place, comment_id: tx.insert('comment', { ...row, body: `Because ${n + 1000}` }) })
  })
  const saidOn = async (page: string) => (await house.browserOf('carl').get(page)).text
  const bodies = (text: string) => text.match(/<p dir="auto">(?:Why|Because 1\d{3})/g) ?? []
  for (const page of [address, `${address}/files`]) {
    const text = await saidOn(page)
    expect([bodies(text).length, text.includes(`href="${address}/remarks?of=${comment}&amp;page=2">Show 70 more comments`)]).toEqual([50, true])
  }
  const all = [
    await saidOn(`${address}/remarks?of=${comment}`),
    await saidOn(`${address}/remarks?of=${comment}&page=2`),
    await saidOn(`${address}/remarks?of=${comment}&page=3`),
  ]
  expect(all.map((text) => bodies(text).length)).toEqual([50, 50, 20])
  expect(new Set(all.flatMap(bodies)).size).toBe(120)
  expect((await house.browserOf('carl').get(`/ada/engine/pulls/${number}/remarks?of=999999`)).status).toBe(404)
  const other = await remarked()
  expect((await house.browserOf('carl').get(`${other.address}/remarks?of=${comment}`)).status).toBe(404)
})
