import { afterAll, beforeAll, expect, spyOn } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { anHourLater } from '../../../test/stopwatch.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
  await asAda.post('/user/repos', { name: 'engine', auto_init: true, default_branch: 'main' })
  const patch = `diff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+exit 0\n`
  expect((await asAda.post('/repos/ada/engine/diffpatch', { content: patch, branch: 'main', message: 'Add run.sh' })).status).toBe(201)
})
afterAll(() => forge[Symbol.asyncDispose]())

interface Entry {
  path: string
  mode: string
  sha: string
}

const entries = async () => (await asAda.get<{ tree: Entry[] }>('/repos/ada/engine/git/trees/main')).body.tree
const FILE = '/ada/engine/src/branch/main/run.sh'
const shaOf = async (path: string) => (await entries()).find((one) => one.path === path)?.sha ?? ''
const remove = async () => hers.post('/ada/engine/_delete/main/run.sh', { sha: await shaOf('run.sh') })
const undoIn = (text: string) =>
  /role="status">Deleted run.sh<\/p><form method="post" action="([^"]+)"><input type="hidden" name="sha" value="(\w+)"/.exec(text)

test('a file that was deleted is offered back on the next page, and comes back executable as it was', async () => {
  const before = await entries()
  const { headers } = await remove()
  const [, action = '', sha = ''] = undoIn((await hers.get(headers.get('location') ?? '')).text) ?? []
  expect(action).toBe('/ada/engine/_restore/main/run.sh')
  const restored = await hers.post(action, { sha })
  expect([restored.status, restored.headers.get('location')]).toEqual([303, FILE])
  expect(await entries()).toEqual(before)
  const { body } = await forge.get<{ commit: { message: string } }[]>('/repos/ada/engine/commits?limit=2')
  expect(body.map(({ commit }) => commit.message.trim())).toEqual(['Restore run.sh', 'Delete run.sh'])
})

test('the address of a deleted file says in which commit it went, leads to what it was, and lets writers restore it', async () => {
  await remove()
  const { body } = await forge.get<{ sha: string; parents: { sha: string }[] }[]>('/repos/ada/engine/commits?limit=1')
  await asAda.post('/repos/ada/engine/contents/later.txt', { content: btoa('x'), message: 'Later' })
  const { status, text } = await hers.get(FILE)
  expect([status, text.includes('This file was deleted')]).toEqual([404, true])
  expect(text).toContain(`href="/ada/engine/commit/${body[0]?.sha}"`)
  const last = `/ada/engine/src/commit/${body[0]?.parents[0]?.sha}/run.sh`
  expect([text.includes(`href="${last}"`), (await hers.get(last)).status]).toEqual([true, 200])
  expect(text).toContain('action="/ada/engine/_restore/main/run.sh"')

  const theirs = (await his.get(FILE)).text
  expect([theirs.includes('This file was deleted'), theirs.includes('_restore')]).toEqual([true, false])
  const sha = /name="sha" value="(\w+)"/.exec(text)?.[1] ?? ''
  expect((await his.post('/ada/engine/_restore/main/run.sh', { sha })).status).toBe(403)
  expect((await hers.post('/ada/engine/_restore/main/run.sh', { sha: 'f'.repeat(40) })).status).toBe(422)
  expect((await hers.post('/ada/engine/_restore/main/run.sh', { sha })).status).toBe(303)
  expect((await hers.get(FILE)).status).toBe(200)
})

test('what is there again is not overwritten, and says so', async () => {
  const sha = await shaOf('run.sh')
  await remove()
  await asAda.post('/repos/ada/engine/contents/run.sh', { content: btoa('mine'), message: 'Another' })
  const { status, text } = await hers.post('/ada/engine/_restore/main/run.sh', { sha })
  expect([status, text.includes('Cannot restore run.sh: this path exists again on main.')]).toEqual([422, true])
})

test('what never was there is not found, and a hidden repository tells of nothing', async () => {
  expect((await hers.get('/ada/engine/src/branch/main/never.txt')).text).not.toContain('was deleted')
  expect((await hers.post('/ada/engine/_restore/main/never.txt', { sha: 'a'.repeat(40) })).status).toBe(404)
  await remove()
  await asAda.patch('/repos/ada/engine', { private: true })
  const hidden = await his.get(FILE)
  const absent = await his.get('/ada/nothing/src/branch/main/run.sh')
  expect([hidden.status, hidden.text.replaceAll('engine', 'nothing')]).toEqual([404, absent.text])
})

test('where the last file was deleted, the branch is an empty directory, which offers it back', async () => {
  await asAda.post('/user/repos', { name: 'last', auto_init: true, default_branch: 'main' })
  const { body } = await asAda.get<{ sha: string }>('/repos/ada/last/contents/README.md')
  const { headers } = await hers.post('/ada/last/_delete/main/README.md', { sha: body.sha })
  const { status, text } = await hers.get(headers.get('location') ?? '')
  expect([status, text.includes('Deleted README.md'), text.includes('New file')]).toEqual([200, true, true])
  expect(await asAda.get('/repos/ada/last/contents')).toMatchObject({ status: 200, body: [] })
  const home = await hers.get('/ada/last')
  expect([home.status, home.text.includes('New file')]).toEqual([200, true])
})

test('what was not found in time is looked for again', async () => {
  const { git } = forge.context
  await asAda.post('/repos/ada/engine/contents/late.txt', { content: btoa('late'), message: 'Late' })
  const sha = await shaOf('late.txt')
  await asAda.delete('/repos/ada/engine/contents/late.txt', { sha, message: 'Gone' })
  await asAda.post('/repos/ada/engine/contents/later-still.txt', { content: btoa('x'), message: 'Later' })
  const run = git.run.bind(git)
  const busy = spyOn(git, 'run').mockImplementation((task, where, input) =>
    run(task, where, (task === 'readLog' ? { ...input, milliseconds: -1 } : input) as never),
  )
  expect((await hers.post('/ada/engine/_restore/main/late.txt', { sha })).status).toBe(404)
  busy.mockRestore()
  using _clock = anHourLater()
  expect((await hers.get('/ada/engine/src/branch/main/late.txt')).text).toContain('This file was deleted')
  expect((await hers.post('/ada/engine/_restore/main/late.txt', { sha })).status).toBe(303)
})
