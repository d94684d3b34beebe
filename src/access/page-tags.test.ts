import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../test/eventually.ts'
import { type Person, testForge } from '../../test/harness.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let cookie: string
beforeAll(async () => {
  ada = await forge.person('ada')
  await asAda.post('/user/repos', { name: 'engine', auto_init: true, readme: 'Default' })
  // What pages tell of history they have only once threads have started.
  await eventually(async () => (await ask('/ada/engine')).tag)
  cookie = forge.context.authenticator.sessions.begin(ada.row, new Request('http://localhost/')).split(';')[0] as string
})
afterAll(() => forge[Symbol.asyncDispose]())

async function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; tag: string; text: string }> {
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers: { Accept: 'text/html', ...headers } }))
  return { status: response.status, tag: response.headers.get('etag') ?? '', text: await response.text() }
}

test.each(['/ada/engine', '/ada/engine/issues', '/ada/engine/commits/branch/main', '/explore/repos', '/ada'])(
  '%s is not sent again to who has it, until something changes',
  async (path) => {
    // What is not found soon is left out of a page, which has no tag then; it is whole once that is known.
    await eventually(async () => (await ask(path)).tag)
    expect((await ask(path)).tag).toStartWith('W/"')
    // Looking at a profile brings its feed up to date, which is a change.
    const { tag } = await ask(path)
    expect(await ask(path, { 'If-None-Match': tag })).toEqual({ status: 304, tag, text: '' })
    expect((await ask(path, { 'If-None-Match': tag, Cookie: cookie })).status).toBe(200)
    await asAda.post('/repos/ada/engine/issues', { title: 'new' })
    expect((await ask(path, { 'If-None-Match': tag })).status).toBe(200)
  },
)

test('what somebody may no longer see is not told to be unchanged', async () => {
  await asAda.post('/user/repos', { name: 'soon', auto_init: true })
  const { tag } = await ask('/ada/soon/issues')
  await asAda.patch('/repos/ada/soon', { private: true })
  expect((await ask('/ada/soon/issues', { 'If-None-Match': tag })).status).toBe(404)
})

test('files keep the tags of their content, and settings have none', async () => {
  const { tag } = await ask('/ada/engine/raw/branch/main/README.md', { Cookie: cookie })
  expect(tag).not.toStartWith('W/')
  expect((await ask('/ada/engine/settings', { Cookie: cookie })).tag).toBe('')
  expect((await ask('/user/settings', { Cookie: cookie })).tag).toBe('')
})
