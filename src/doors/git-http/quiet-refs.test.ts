import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillRepo, git, gitIn, type Person, testForge, tryGit } from '../../../test/harness.ts'
import { PATIENCE } from '../../../test/seeds.ts'

/** Heads that forced pushes have left behind are many; stock git, asking a repository that has some, judges who is told of them. */
const forge = testForge()
let server: Bun.Server<undefined>
let directory: string
let ada: Person
const heads: string[] = []
const version = (at: number) => `refs/pull/1/versions/${heads[at]}`
const url = () => `http://ada:${ada.token}@localhost:${server.port}/ada/engine.git`
const at = (name: string) => join(directory, name)

beforeAll(async () => {
  ada = await forge.person('ada')
  const repo = forge.repo(ada, 'engine', { defaultBranch: 'main' })
  fillRepo(forge, repo.id, (made) => {
    gitIn(made, 'checkout', '-q', '-b', 'main')
    gitIn(made, 'commit', '-q', '--allow-empty', '-m', 'First')
    for (const name of ['0', '1', '2']) {
      gitIn(made, 'checkout', '-q', '-b', `head-${name}`, 'main')
      gitIn(made, 'commit', '-q', '--allow-empty', '-m', `Head ${name}`)
      heads.push(gitIn(made, 'rev-parse', 'HEAD').trim())
    }
  })
  await forge.asUser(ada).post('/repos/ada/engine/pulls', { title: 'One', head: 'head-0', base: 'main' })
  for (const to of [heads[1], heads[2]]) await forge.asUser(ada).put('/repos/ada/engine/branches/head-0', { new_commit_id: to, force: true })
  server = Bun.serve({ port: 0, fetch: forge.app.fetch })
  directory = mkdtempSync(join(tmpdir(), 'pf-'))
}, PATIENCE)
afterAll(async () => {
  await server.stop(true)
  await forge[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

const names = (listing: string) => listing.split('\n').map((line) => line.split(/\s/)[1])
const usual = ['HEAD', 'refs/heads/head-0', 'refs/heads/head-1', 'refs/heads/head-2', 'refs/heads/main', 'refs/pull/1/head']

for (const protocol of [0, 1, 2]) {
  const asked = ['-c', `protocol.version=${protocol}`]

  test(`protocol ${protocol}: a listing has no heads that were left behind`, async () => {
    expect(names(await git([...asked, 'ls-remote', url()])).filter((name) => name !== 'refs/pull/1/merge')).toEqual(usual)
  })

  test(`protocol ${protocol}: a mirror has none either`, async () => {
    const mirror = at(`mirror-${protocol}`)
    await git([...asked, 'clone', '-q', '--mirror', url(), mirror])
    const refs = gitIn(mirror, 'for-each-ref', '--format=%(refname)').trim().split('\n')
    expect(refs.filter((name) => name !== 'refs/pull/1/merge')).toEqual(usual.slice(1))
  })

  test(`protocol ${protocol}: one of them can be fetched by its id`, async () => {
    const copy = at(`by-id-${protocol}`)
    gitIn(directory, 'init', '-q', copy)
    await git([...asked, 'fetch', '-q', url(), heads[0] as string], { cwd: copy })
    expect(gitIn(copy, 'log', '-1', '--format=%s', 'FETCH_HEAD')).toBe('Head 0\n')
  })
}

test('protocol 2 tells of one that is asked for by its name, and of all of a pull request that are asked for by theirs', async () => {
  const copy = at('by-name')
  gitIn(directory, 'init', '-q', copy)
  await git(['fetch', '-q', url(), `${version(1)}:refs/one`], { cwd: copy })
  expect(gitIn(copy, 'rev-parse', 'refs/one').trim()).toBe(heads[1] as string)
  await git(['fetch', '-q', url(), 'refs/pull/1/versions/*:refs/old/*'], { cwd: copy })
  expect(gitIn(copy, 'for-each-ref', '--format=%(refname)', 'refs/old').trim().split('\n').toSorted()).toEqual(
    heads
      .slice(0, 2)
      .map((oid) => `refs/old/${oid}`)
      .toSorted(),
  )
  const wide = await tryGit(['fetch', url(), 'refs/pull/*:refs/pulls/*'], { cwd: copy })
  expect(wide.exitCode).toBe(0)
  expect(gitIn(copy, 'for-each-ref', 'refs/pulls')).not.toContain('versions')
})

test('whoever pushes everything is not told of them, and so deletes none', async () => {
  const mirror = at('push-from')
  await git(['clone', '-q', '--bare', url(), mirror])
  const { stderr } = await tryGit(['push', '--mirror', '--dry-run', url()], { cwd: mirror })
  expect(stderr).not.toContain('versions')
})

test('the API lists them below the name of their pull request, and not among all refs', async () => {
  const refsOf = async (filter: string) => {
    const { body } = await forge.asUser(ada).get<{ ref: string }[]>(`/repos/ada/engine/git/refs${filter}`)
    return body.map(({ ref }) => ref)
  }
  for (const filter of ['', '/pull', '/pull/1']) expect((await refsOf(filter)).some((name) => name.includes('versions'))).toBe(false)
  const all = [version(0), version(1)].toSorted()
  for (const filter of ['/pull/1/versions', '/pull/1/versions/']) expect((await refsOf(filter)).toSorted()).toEqual(all)
})
