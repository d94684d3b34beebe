import { afterAll, beforeAll, expect } from 'bun:test'
import type { TestBrowser } from '../../../test/browser.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { ed25519Key } from '../../../test/ssh-keys.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

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
const lengthOf = async (line: string) => (await house.engine.asUser('ada').send<unknown[]>(line)).body.length

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
  const { body } = await house.engine.asUser('ada').get<{ comments_count: number; body: string }[]>(`/pulls/${number}/reviews`)
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

test('both clicks on the form of a token, or of an application, show the one secret', async () => {
  const ada = house.browserOf('ada')
  const secretOf = async (path: string, fields: Record<string, string>, secret: RegExp) => {
    const answers = await Promise.all([1, 2].map(() => ada.post(path, fields)))
    const secrets = answers.map(({ text }) => secret.exec(text)?.[1] ?? '')
    expect([secrets[0] === '', secrets[0] === secrets[1]]).toEqual([false, true])
    return secrets[0] as string
  }
  const token = await secretOf('/user/settings/applications', { name: 'once', scopes: 'read:user' }, /<pre>([0-9a-f]{40})<\/pre>/)
  expect((await house.forge.asUser(token).get('/user')).status).toBe(200)
  await secretOf('/user/settings/applications/oauth2', { name: 'Once', redirect_uris: 'https://example.org/' }, /(gto_\w+)/)
  expect((await house.forge.asUser('ada').get<unknown[]>('/user/applications/oauth2')).body).toHaveLength(1)
})

test('keys, hooks, labels, releases and forks are made once, too', async () => {
  const [ada, carl] = [house.browserOf('ada'), house.browserOf('carl')]
  await twice(ada, '/user/settings/keys', { title: 'Once', key: ed25519Key(901) })
  await twice(ada, '/ada/engine/settings/keys', { title: 'Once', key: ed25519Key(902) })
  const hook = { type: 'gitea', url: 'https://example.org/', http_method: 'post', content_type: 'json', branch_filter: '*', active: 'true', events: 'push' }
  await twice(ada, '/ada/engine/settings/hooks', hook)
  await twice(ada, '/ada/engine/labels', { name: 'once', color: '#112233', description: '' })
  await twice(ada, '/ada/engine/settings/tags', { name_pattern: 'once-*', whitelist_usernames: 'ada' })
  await twice(ada, '/ada/engine/releases/new', { tag_name: 'once', target_commitish: 'main', name: 'Once', body: '' })
  const [fork] = await twice(carl, '/ada/engine/fork', { owner: 'carl', name: 'once' })
  expect(fork).toBe('/carl/once')
  const made = await Promise.all(['GET /keys', 'GET /hooks', 'GET /labels', 'GET /tag_protections', 'GET /releases'].map(lengthOf))
  expect(made).toEqual([1, 1, 1, 1, 1])
})

test('a repository that was deleted is made anew at once, whether a form deletes it or a program', async () => {
  const ada = house.browserOf('ada')
  const idOf = async () => (await house.forge.asUser('ada').get<{ id: number }>('/repos/ada/to-and-fro')).body.id
  const make = async () => {
    expect((await ada.post('/repo/create', { owner: 'ada', name: 'to-and-fro' })).headers.get('location')).toBe('/ada/to-and-fro')
    return idOf()
  }
  const first = await make()
  expect((await ada.post('/ada/to-and-fro/settings/danger', { action: 'delete', name: 'ada/to-and-fro' })).status).toBe(303)
  const second = await make()
  await house.forge.asUser('ada').delete('/repos/ada/to-and-fro')
  expect(new Set([first, second, await make()]).size).toBe(3)
})

test('closing is no less meant when it comes again', async () => {
  const bob = house.browserOf('bob')
  const { headers } = await bob.post('/ada/engine/issues/new', { title: 'To and fro' }, [])
  const issue = headers.get('location') as string
  for (const action of ['close', 'reopen', 'close']) await bob.post(`${issue}/comments`, { body: '', action }, [])
  expect((await house.engine.asUser('ada').get<{ state: string }>(`/issues/${issue.split('/').at(-1)}`)).body.state).toBe('closed')
})
