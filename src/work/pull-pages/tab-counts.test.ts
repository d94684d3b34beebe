import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

let house: ReviewForge

beforeAll(async () => {
  house = await reviewForge()
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

/** What the tabs of a page say. */
async function tabsOf(path: string): Promise<Record<string, number>> {
  let text = ''
  // A page that had no time to count has no tag, so it is asked for again.
  for (let hasAll = false; !hasAll; ) {
    const reply = await house.browserOf('rita').get(path)
    expect(reply.status).toBe(200)
    hasAll = reply.headers.has('etag')
    text = reply.text
  }
  const nav = /<nav class="tabs" aria-label="Pull request">.*?<\/nav>/s.exec(text)?.[0] ?? ''
  const tabs = nav.matchAll(/<a [^>]*>(?:<svg.*?<\/svg>)?([^<]+)(?:<span class="count">(\d+)<\/span>)?<\/a>/gs)
  return Object.fromEntries([...tabs].map(([, name = '', count]) => [name, Number(count ?? 0)]))
}

test(
  'every page of a pull request says how much is behind its tabs',
  async () => {
    const { number, branch, path } = await house.pullOf({ as: 'bob' })
    const at = `/ada/engine/pulls/${number}`
    expect(await tabsOf(at)).toEqual({ Conversation: 0, Commits: 1, 'Files changed': 1, Versions: 1 })
    const head = await house.commit({ branch, path: 'another.txt', text: 'more\n' }, 'bob')
    await house.engine.asUser('ada').post(`/issues/${number}/comments`, { body: 'Well' })
    await house.review(number, 'ada', 'COMMENT', { comments: [{ path, body: 'Here', new_position: 1 }] })
    for (const context of ['build', 'lint']) await house.engine.asUser('ada').post(`/statuses/${head}`, { context, state: 'success' })
    const whole = { Conversation: 2, Commits: 2, 'Files changed': 2, Checks: 2, Versions: 2 }
    for (const tab of ['', '/commits', '/files', '/versions']) expect([tab, await tabsOf(at + tab)]).toEqual([tab, whole])
  },
  PATIENCE,
)
