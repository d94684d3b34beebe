import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'

const forge = testForge()
let path: string

interface Compared {
  total_commits: number
  commits: { sha: string; files: { filename: string }[] | null; stats: { total: number } | null }[]
}
const log = (range: string) => gitIn(path, 'log', '--format=%H', range).trim().split('\n')

beforeAll(async () => {
  await forge.person('ada')
  await forge.person('bob')
  await forge.asUser('ada').post('/user/repos', { name: 'it' })
  fillRepo(forge, 1, makeHistory)
  path = forge.context.git.pathOf(1)
})
afterAll(() => forge[Symbol.asyncDispose]())

/** `main` and `topic/x` part after the first commit; `other` has nothing to do with them. */
function makeHistory(directory: string): void {
  const commit = (name: string, content: string) => {
    writeFileSync(join(directory, name), content)
    gitIn(directory, 'add', '-A')
    gitIn(directory, 'commit', '-qm', `Change ${name}`)
  }
  commit('a.txt', 'one\ntwo\nthree\n')
  gitIn(directory, 'tag', '-am', 'v1', 'v1')
  commit('b.txt', 'only on main\n')
  gitIn(directory, 'checkout', '-qb', 'topic/x', 'v1')
  commit('a.txt', 'one\n2\nthree\n')
  gitIn(directory, 'mv', 'a.txt', 'moved.txt')
  commit('c.txt', 'c\n')
  gitIn(directory, 'checkout', '-q', '--orphan', 'other')
  commit('d.txt', 'd\n')
  gitIn(directory, 'checkout', '-q', 'main')
}

describe('the commits', () => {
  test.each([
    ['main...topic/x', 'main..topic/x'],
    ['main..topic/x', 'main..topic/x'],
    ['main...topic%2Fx', 'main..topic/x'],
    ['topic/x', 'main..topic/x'],
    ['...topic/x', 'main..topic/x'],
    ['topic/x...', 'topic/x..main'],
    ['v1...main', 'v1..main'],
    ['main...ada:topic/x', 'main..topic/x'],
    ['main...ada/it:topic/x', 'main..topic/x'],
    ['main...other', 'main..other'],
    ['topic/x~2...topic/x', 'topic/x~2..topic/x'],
    ['main^...topic/x~1', 'main^..topic/x~1'],
    ['v1...ada/it:topic/x%5E1~0', 'v1..topic/x^1'],
    ['topic/x^{commit}^..main', 'topic/x^..main'],
  ])('of %s are those of git log %s', async (text, range) => {
    const { status, body } = await forge.get<Compared>(`/repos/ada/it/compare/${text}`)
    expect([status, body.total_commits, body.commits.map(({ sha }) => sha)]).toEqual([200, log(range).length, log(range)])
  })

  test('are found by short ids, and none where nothing is new', async () => {
    const [first, last] = [log('v1')[0], log('topic/x')[0]] as [string, string]
    expect((await forge.get<Compared>(`/repos/ada/it/compare/${first.slice(0, 8)}...${last.slice(0, 8)}`)).body.total_commits).toBe(2)
    expect(await forge.get<Compared>('/repos/ada/it/compare/topic/x...v1')).toMatchObject({ status: 200, body: { total_commits: 0, commits: [] } })
  })

  test('come with files and stats unless those are switched off', async () => {
    expect((await forge.get<Compared>('/repos/ada/it/compare/v1...main')).body.commits[0]).toMatchObject({
      files: [{ filename: 'b.txt' }],
      stats: { total: 1 },
    })
    expect((await forge.get<Compared>('/repos/ada/it/compare/v1...main?files=false&stat=false')).body.commits[0]).toMatchObject({ files: null, stats: null })
  })

  test.each([
    ['main...absent', 404],
    ['absent...main', 404],
    ['main~2...topic/x', 404],
    ['main^2...topic/x', 404],
    ['main~999999...topic/x', 404],
    ['main^{tree}...topic/x', 404],
    ['main...topic/x@{1}', 400],
    ['main...bob:main', 400],
    ['main...nobody/it:main', 404],
    ['main...topic/x?output=pdf', 400],
    ['%ff...main', 404],
    ['a...b...c', 404],
    ['--output=x...main', 404],
  ])('of %s are %i', async (text, status) => {
    expect((await forge.get(`/repos/ada/it/compare/${text}`)).status).toBe(status)
  })
})

describe('as text', () => {
  test.each([
    ['main...topic/x?output=diff', ['diff', '-M', 'main...topic/x']],
    ['main..topic/x?output=diff', ['diff', '-M', 'main', 'topic/x']],
    ['main...other?output=diff', ['diff', '-M', 'main', 'other']],
    ['main...topic/x?output=patch', ['format-patch', '--stdout', '--no-signature', 'main..topic/x']],
    ['main...main?output=diff', ['diff', 'main', 'main']],
    ['topic/x~1...main?output=diff', ['diff', '-M', 'topic/x~1...main']],
  ])('%s is what git %j prints', async (line, command) => {
    const { status, body, headers } = await forge.get<string>(`/repos/ada/it/compare/${line}`)
    expect([status, headers.get('content-type'), body]).toEqual([200, 'text/plain; charset=utf-8', gitIn(path, ...command)])
  })
})

describe('with a fork', () => {
  test('shows what only the fork has, to who may read both, and leaves the base without it', async () => {
    await forge.person('carl')
    await forge.asUser('carl').post('/repos/ada/it/forks', { name: 'motor' })
    const { body } = await forge.asUser('carl').post<{ commit: { sha: string } }>('/repos/carl/motor/contents/new.txt', {
      branch: 'main',
      new_branch: 'new',
      content: btoa('new\n'),
      message: 'In the fork',
    })
    const { sha } = body.commit
    for (const line of ['main...carl:new', 'main..carl/motor:new']) {
      expect(await forge.get<Compared>(`/repos/ada/it/compare/${line}`)).toMatchObject({ status: 200, body: { total_commits: 1, commits: [{ sha }] } })
      expect((await forge.get<string>(`/repos/ada/it/compare/${line}?output=diff`)).body).toContain('+++ b/new.txt')
    }
    const back = await forge.asUser('carl').get<{ total_commits: number }>('/repos/carl/motor/compare/new...ada:main')
    expect([back.status, back.body.total_commits]).toEqual([200, 0])
    expect((await forge.get(`/repos/ada/it/git/commits/${sha}`)).status).toBe(404)
    forge.context.db.tx((tx) => tx.run("UPDATE user SET visibility = 'private' WHERE lower_name = 'carl'"))
    expect((await forge.get('/repos/ada/it/compare/main...carl:new')).status).toBeOneOf([400, 404])
  })
})
