import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'

const forge = testForge()
let path: string

beforeAll(async () => {
  await forge.person('ada')
  await forge.asUser('ada').post('/user/repos', { name: 'it' })
  fillRepo(forge, 1, makeHistory)
  path = forge.context.git.pathOf(1)
})
afterAll(() => forge[Symbol.asyncDispose]())

function makeHistory(directory: string): void {
  const commit = (name: string, content: string, message: string) => {
    writeFileSync(join(directory, name), content)
    gitIn(directory, 'add', '-A')
    gitIn(directory, 'commit', '-qm', message)
  }
  commit('a.txt', 'one\n', 'First')
  gitIn(directory, 'checkout', '-qb', 'topic/x')
  commit('b.txt', 'b\n', 'Add b\n\nWith\ttabs and ünï,\n\n  and blanks.')
  gitIn(directory, 'checkout', '-q', 'main')
  commit('a.txt', 'one\ntwo\n', 'Second')
  gitIn(directory, 'merge', '-q', '--no-ff', '-m', 'Merge b', 'topic/x')
  gitIn(directory, 'tag', '-am', 'tagged', 'v1.0')
  gitIn(directory, 'branch', 'odd.diff')
  gitIn(directory, 'notes', 'add', '-m', 'Seen by Grace', 'topic/x')
}

describe('a commit as text', () => {
  test.each(['topic/x', 'main~2', 'main^'])('%s is told as Gitea has git tell it', async (revision) => {
    const sha = gitIn(path, 'rev-parse', revision).trim()
    const { status, body, headers } = await forge.get<string>(`/repos/ada/it/git/commits/${sha}.diff`)
    const asked = revision === 'main~2' ? ['show', '--no-notes', sha] : ['diff', '-M', `${sha}^`, sha]
    expect([status, body]).toEqual([200, gitIn(path, ...asked)])
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['text/plain; charset=utf-8', 'nosniff'])
    expect((await forge.get<string>(`/repos/ada/it/git/commits/${sha}.patch`)).body).toBe(
      gitIn(path, 'format-patch', '--stdout', '--no-signature', '--root', '-1', sha),
    )
  })

  test('a merge is shown against its first parent; its mails are those of what it brought', async () => {
    const merge = gitIn(path, 'rev-parse', 'main').trim()
    expect((await forge.get<string>(`/repos/ada/it/git/commits/${merge}.diff`)).body).toBe(gitIn(path, 'diff', '-M', `${merge}^`, merge))
    expect((await forge.get<string>(`/repos/ada/it/git/commits/${merge}.patch`)).body).toBe(
      gitIn(path, 'format-patch', '--stdout', '--no-signature', `${merge}^..${merge}`),
    )
  })

  test("is found beside the commit's page, for git am and curl", async () => {
    const sha = gitIn(path, 'rev-parse', 'topic/x').trim()
    const page = async (name: string) => forge.app.handle(new Request(`http://localhost/ada/it/commit/${name}`))
    const links = [...(await (await page(sha)).text()).matchAll(/href="[^"]*\/commit\/(\w+\.\w+)"/g)].map(([, name]) => name)
    expect(links).toEqual([`${sha}.diff`, `${sha}.patch`])
    const answer = await page(`${sha}.patch`)
    expect([answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual(['text/plain; charset=utf-8', 'nosniff'])
    expect(await answer.text()).toBe(gitIn(path, 'format-patch', '--stdout', '--no-signature', '-1', sha))
    expect(await (await page(`${sha.slice(0, 10)}.diff`)).text()).toBe(gitIn(path, 'diff', `${sha}^`, sha))
    expect((await page('ffffffff.diff')).status).toBe(404)
    expect((await page('main.diff')).headers.get('location')).toMatch(/\/commit\/[0-9a-f]{40}\.diff$/)
  })

  test.each(['topic/x.patch', 'topic%2Fx.patch', 'v1.0.patch', 'odd.diff.patch'])('is found at %s', async (name) => {
    const { status, body } = await forge.get<string>(`/repos/ada/it/git/commits/${name}`)
    expect([status, body]).toEqual([200, expect.stringContaining('Subject: [PATCH] Add b\n')])
  })

  test.each([
    ['commits/absent.diff', 404],
    ['commits/ffff.patch', 404],
    ['commits/topic/absent.diff', 404],
    ['commits/topic/x', 404],
    ['commits/a..b.diff', 404],
    ['commits/main^.diff', 200],
    ['commits/main^', 422],
    ['commits/a..b', 422],
    ['commits/absent', 404],
    ['notes/absent', 404],
    ['notes/main', 404],
    ['notes/a..b', 422],
    [`notes/${'x'.repeat(2000)}`, 422],
  ])('%s is %i', async (line, status) => {
    expect((await forge.get(`/repos/ada/it/git/${line}`)).status).toBe(status)
  })
})

test('a note comes with the commit that wrote it, with fewer parts on request', async () => {
  interface Note {
    message: string
    commit: { sha: string; files: unknown[] | null; commit: { verification: unknown } }
  }
  const sha = gitIn(path, 'rev-parse', 'topic/x').trim()
  for (const name of [sha, 'topic/x', 'topic%2Fx']) {
    const { status, body } = await forge.get<Note>(`/repos/ada/it/git/notes/${name}`)
    expect([status, body.message, body.commit.sha]).toEqual([200, 'Seen by Grace\n', gitIn(path, 'rev-parse', 'refs/notes/commits').trim()])
    expect(body.commit.files).toHaveLength(1)
  }
  expect((await forge.get<Note>(`/repos/ada/it/git/notes/${sha}?files=false&verification=false`)).body.commit).toMatchObject({
    files: null,
    commit: { verification: null },
  })
})

test('a note is found where git has spread notes over directories', async () => {
  await forge.asUser('ada').post('/user/repos', { name: 'spread' })
  fillRepo(forge, 2, (directory) => {
    gitIn(directory, 'commit', '-qm', 'first', '--allow-empty')
    const of = gitIn(directory, 'rev-parse', 'HEAD').trim()
    writeFileSync(join(directory, 'note'), 'deep\n')
    const blob = gitIn(directory, 'hash-object', '-w', 'note').trim()
    gitIn(directory, 'update-index', '--add', '--cacheinfo', `100644,${blob},${of.slice(0, 2)}/${of.slice(2)}`)
    const commit = gitIn(directory, 'commit-tree', '-m', 'notes', gitIn(directory, 'write-tree').trim()).trim()
    gitIn(directory, 'update-ref', 'refs/notes/commits', commit)
  })
  const { body } = await forge.get<{ message: string }>('/repos/ada/spread/git/notes/main')
  expect(body.message).toBe('deep\n')
})
