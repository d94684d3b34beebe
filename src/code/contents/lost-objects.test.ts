import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from '#git/errors.ts'
import { lineLog } from '#kernel/log.ts'
import { fillFromRepo } from '../../../test/fill-repo.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

const lost = ['commit', 'tree', 'blob'] as const
type Lost = (typeof lost)[number]

let forge: TestForge
/** The repository that all others are copies of. */
let intact: number
const lines: string[] = []
/** By repository, the id of the object that it has lost. */
const ids = new Map<string, string>()

beforeAll(async () => {
  forge = testForge({}, { log: lineLog('error', (line) => void lines.push(line)) })
  const ada = await forge.person('ada')
  await forge.context.tasks.stop()
  intact = forge.repo(ada, 'intact').id
  fillRepo(forge, intact, makeHistory)
  for (const what of lost) {
    for (const how of ['gone', 'corrupt']) {
      const name = `${what}-${how}`
      const { id } = forge.repo(ada, name)
      fillFromRepo(forge, id, intact)
      ids.set(name, damage(forge.context.git.pathOf(id), what, how))
    }
  }
})
afterAll(() => forge[Symbol.asyncDispose]())

function makeHistory(directory: string): void {
  mkdirSync(join(directory, 'dir'))
  for (const text of ['one\n', 'one\ntwo\n']) {
    writeFileSync(join(directory, 'dir/a.txt'), text)
    gitIn(directory, 'add', '-A')
    gitIn(directory, 'commit', '-qm', 'change')
  }
  gitIn(directory, 'branch', 'old', 'HEAD~')
  gitIn(directory, 'tag', '-am', 'first', 'v1')
}

/** Of the newest commit: itself, its root tree, or its file. */
function damage(path: string, what: Lost, how: string): string {
  const oid = gitIn(path, 'rev-parse', { commit: 'main', tree: 'main^{tree}', blob: 'main:dir/a.txt' }[what]).trim()
  const file = join(path, 'objects', oid.slice(0, 2), oid.slice(2))
  if (how === 'gone') rmSync(file)
  else {
    chmodSync(file, 0o600)
    writeFileSync(file, 'what a failing disk has left')
  }
  return oid
}

/** What cannot be answered without them. */
const needs: [lost: readonly Lost[], paths: readonly string[]][] = [
  [
    ['commit', 'tree', 'blob'],
    [
      '/api/v1/repos/ada/{}/contents/dir/a.txt',
      '/api/v1/repos/ada/{}/contents/dir/a.txt?ref=v1',
      '/api/v1/repos/ada/{}/contents-ext/dir/a.txt?includes=file_content',
      '/api/v1/repos/ada/{}/file-contents?body=%7B%22files%22%3A%5B%22dir%2Fa.txt%22%5D%7D',
      '/api/v1/repos/ada/{}/raw/dir/a.txt',
      '/api/v1/repos/ada/{}/media/dir/a.txt',
      '/api/v1/repos/ada/{}/archive/main.tar.gz',
      '/api/v1/repos/ada/{}/archive/v1.zip',
      '/api/v1/repos/ada/{}/commits',
      '/api/v1/repos/ada/{}/git/commits/main',
      '/api/v1/repos/ada/{}/contents/dir?ref=main',
      '/api/v1/repos/ada/{}/git/trees/v1?recursive=true',
      '/api/v1/repos/ada/{}/git/trees/main:dir',
      '/ada/{}/src/branch/main/dir',
      '/ada/{}/src/branch/main/dir/a.txt',
      '/ada/{}/raw/branch/main/dir/a.txt',
      '/ada/{}/media/tag/v1/dir/a.txt',
      '/ada/{}/blame/branch/main/dir/a.txt',
      '/ada/{}/compare/old...main',
      '/ada/{}/archive/main.zip',
    ],
  ],
  [
    ['commit', 'tree'],
    [
      '/api/v1/repos/ada/{}/contents?ref=main',
      '/api/v1/repos/ada/{}/commits?path=dir/a.txt',
      '/api/v1/repos/ada/{}/git/trees/main',
      '/api/v1/repos/ada/{}/compare/old...main',
      '/api/v1/repos/ada/{}/editorconfig/dir/a.txt',
      '/ada/{}',
      '/ada/{}/find/branch/main?q=a',
    ],
  ],
  [
    ['commit'],
    [
      '/api/v1/repos/ada/{}/git/commits/main.diff',
      '/api/v1/repos/ada/{}/git/notes/main',
      '/api/v1/repos/ada/{}/branches',
      '/api/v1/repos/ada/{}/branches/main',
      '/api/v1/repos/ada/{}/compare/main...old',
      '/api/v1/repos/ada/{}/bundle/main',
      '/api/v1/repos/ada/{}/commits/main/status',
      '/ada/{}/commits/branch/main',
      '/ada/{}/commit/main',
      '/ada/{}/commit/main.patch',
      '/ada/{}/graph',
      '/ada/{}/atom/branch/main',
    ],
  ],
]

async function ask(path: string): Promise<{ status: number; body: string; log: string }> {
  lines.length = 0
  const headers = { accept: path.startsWith('/api/') ? 'application/json' : 'text/html' }
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers }))
  return { status: response.status, body: await response.text(), log: lines.join('') }
}

const rows = needs.flatMap(([objects, paths]) => paths.flatMap((path) => objects.map((object) => [path, object] as const)))

test.each(rows)('%s, whose %s the store has lost, is a 500 whose number leads to its id in the log', async (path, object) => {
  for (const how of ['gone', 'corrupt']) {
    const { status, body, log } = await ask(path.replace('{}', `${object}-${how}`))
    const number = / id="([0-9a-f]{12})"/.exec(log)?.[1] ?? 'no number in the log'
    expect([how, status]).toEqual([how, 500])
    expect(body).toContain(number)
    expect(body).not.toContain(ids.get(`${object}-${how}`) as string)
    expect(log).toContain(ids.get(`${object}-${how}`) as string)
  }
})

test.each([
  '/api/v1/repos/ada/{}/contents/dir/none.txt',
  '/api/v1/repos/ada/{}/contents/dir/a.txt?ref=none',
  `/api/v1/repos/ada/{}/git/commits/${'1'.repeat(40)}`,
  '/api/v1/repos/ada/{}/raw/none.txt',
  '/api/v1/repos/ada/{}/archive/main.zip?path=none',
  '/api/v1/repos/ada/{}/compare/main...none',
  '/ada/{}/src/branch/main/none.txt',
  '/ada/{}/blame/branch/main/none.txt',
  '/ada/{}/commits/branch/none',
])('%s, of which there is none, is a 404 and nothing for the log', async (path) => {
  const { status, log } = await ask(path.replace('{}', 'blob-gone'))
  expect([status, log]).toEqual([404, ''])
})

test.each([`blobs/${'1'.repeat(40)}`, 'trees/none'])('git/%s, of which there is none, is a 400 as Gitea says it, and nothing for the log', async (path) => {
  const { status, log } = await ask(`/api/v1/repos/ada/blob-gone/git/${path}`)
  expect([status, log]).toEqual([400, ''])
})

test('files are shown where their history is lost, and the log says what it is', async () => {
  const { context } = forge
  const { id } = forge.repo(await forge.person('bob'), 'history')
  fillFromRepo(forge, id, intact)
  const path = context.git.pathOf(id)
  const old = gitIn(path, 'rev-parse', 'old').trim()
  rmSync(join(path, 'objects', old.slice(0, 2), old.slice(2)))
  const { status, body, log } = await ask('/bob/history/src/branch/main')
  expect([status, body.includes('dir')]).toEqual([200, true])
  expect(log).toContain(old)
})

test('branches are listed by name where the last commit of one is lost, and the log says what it is', async () => {
  const { status, body, log } = await ask('/ada/commit-gone/branches')
  expect([status, body.includes('/commits/branch/main')]).toEqual([200, true])
  expect(log).toContain(ids.get('commit-gone') as string)
})

test('what a repository that is deleted meanwhile has no more is a 404', async () => {
  const { id } = forge.repo(await forge.person('eve'), 'doomed')
  fillFromRepo(forge, id, intact)
  const { git } = forge.context
  using _ = spyOn(git, 'storeOf').mockImplementationOnce(() => {
    forge.context.db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', id))
    throw new GitError('missing', 'Cannot find object')
  })
  expect(await ask('/api/v1/repos/eve/doomed/raw/dir/a.txt')).toMatchObject({ status: 404, log: '' })
})
