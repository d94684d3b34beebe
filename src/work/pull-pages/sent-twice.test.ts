import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TestBrowser } from '../../../test/browser.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

/** Without a script nothing keeps a second click from a form, which browsers send again then, and show the answer to that. */

let house: ReviewForge

beforeAll(async () => {
  house = await reviewForge()
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

async function twice(browser: TestBrowser, path: string, fields: Record<string, string>, files?: File[]): Promise<string[]> {
  const answers = await Promise.all([1, 2].map(() => browser.post(path, fields, files)))
  expect(answers.map(({ status, text }) => [status, status === 303 ? '' : text])).toEqual([303, 303].map((status) => [status, '']))
  return answers.map(({ headers }) => headers.get('location') ?? '')
}
const lengthOf = async (line: string) => (await house.call<unknown[]>(line)).body.length

test('what two clicks send is made once, and both answers lead to it', async () => {
  const [ada, bob] = [house.browserOf('ada'), house.browserOf('bob')]
  const note = () => new File(['a note'], 'note.txt', { type: 'text/plain' })
  const [first, second] = await twice(bob, '/ada/engine/issues/new', { title: 'Once', body: 'x' }, [note()])
  expect([first, await lengthOf('GET /issues?state=all&type=issues')]).toEqual([second as string, 1])
  const issue = first as string
  const [here, there] = await twice(bob, `${issue}/comments`, { body: 'Once' }, [note()])
  await Promise.all([bob, ada].map((browser) => browser.post(`${issue}/comments`, { body: 'Me too' }, [])))
  expect([here, await lengthOf(`GET /issues/${issue.split('/').at(-1)}/comments`)]).toEqual([there as string, 3])
  await twice(ada, '/ada/engine/milestones', { title: 'Once', description: '', due: '' })
  expect(await lengthOf('GET /milestones')).toBe(1)
})

test('so it is with what is said of a pull request, and its reviews', async () => {
  const rita = house.browserOf('rita')
  const { number, path, head } = await house.pullOf({ as: 'bob' })
  const at = `/ada/engine/pulls/${number}`
  await twice(rita, `${at}/line`, { path, line: '1', body: 'Now', commit_id: head, action: 'now' })
  await twice(rita, `${at}/line`, { path, line: '1', body: 'Later', commit_id: head, action: 'review' })
  await twice(rita, `${at}/reviews`, { event: 'COMMENT', body: 'All of it', commit_id: head })
  const { body } = await house.call<{ comments_count: number; body: string }[]>(`GET /pulls/${number}/reviews`)
  expect(body.map((review) => [review.body, review.comments_count])).toEqual([
    ['', 1],
    ['All of it', 1],
  ])
})

test('so it is with repositories, branches and pull requests', async () => {
  const ada = house.browserOf('ada')
  const [made, again] = await twice(ada, '/repo/create', { owner: 'ada', name: 'made-once', auto_init: 'true' })
  expect([made, again]).toEqual(['/ada/made-once', '/ada/made-once'])
  await twice(ada, '/ada/made-once/branches/new', { new_branch_name: 'fresh', old_ref_name: 'main' })
  await house.commit({ branch: 'asked-once', path: 'asked.txt', text: 'x', from: 'main' }, 'ada')
  const [first, second] = await twice(ada, '/ada/engine/compare/main...asked-once', { title: 'Once', body: '' })
  expect(first).toBe(second as string)
  const late = await ada.post('/repo/create', { owner: 'ada', name: 'made-once' })
  expect([late.status, late.text.includes('made-once')]).toEqual([409, true])
})

test('closing is no less meant when it comes again', async () => {
  const bob = house.browserOf('bob')
  const { headers } = await bob.post('/ada/engine/issues/new', { title: 'To and fro' }, [])
  const issue = headers.get('location') as string
  for (const action of ['close', 'reopen', 'close']) await bob.post(`${issue}/comments`, { body: '', action }, [])
  expect((await house.call<{ state: string }>(`GET /issues/${issue.split('/').at(-1)}`)).body.state).toBe('closed')
})
