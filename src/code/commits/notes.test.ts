import { afterAll, beforeAll, expect } from 'bun:test'
import { writeDerived } from '#repositories/refs/index.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
let path: string
let id: number
let commits: string[]

/** Git spreads so many notes over directories. */
const NOTED = 600

/** A repository of as many commits and one more, of which git has noted something of all but the last. */
beforeAll(async () => {
  for (const name of ['ada', 'bob']) await forge.person(name)
  id = (await forge.asUser('ada').post<{ id: number }>('/user/repos', { name: 'engine' })).body.id
  path = forge.context.git.pathOf(id)
  const who = (i: number) => `committer A <a@example.org> ${1_700_000_000 + i} +0000\n`
  const history = Array.from({ length: NOTED + 1 }, (_, i) => `commit refs/heads/main\nmark :${i + 1}\n${who(i)}data 1\nx\n`)
  const notes = Array.from({ length: NOTED }, (_, i) => `N inline :${i + 1}\ndata <<END\nNote ${i}\nEND\n`)
  fillRepo(forge, id, (directory) => {
    const stdin = Buffer.from(`${history.join('')}commit refs/notes/commits\n${who(0)}data 5\nnotes\n${notes.join('')}done\n`)
    expect(Bun.spawnSync(['git', 'fast-import', '--quiet', '--done'], { cwd: directory, stdin }).exitCode).toBe(0)
  })
  commits = gitIn(path, 'rev-list', 'main').trim().split('\n')
})
afterAll(() => forge[Symbol.asyncDispose]())

interface Note {
  message: string
  commit: { sha: string; commit: { message: string } }
}

const ask = (line: string, body?: unknown, as = 'ada') => {
  const [method, sha] = line.split(' ')
  return forge.asUser(as).send<Note>(`${method} /repos/ada/engine/git/notes/${sha}`, { body })
}
/** What git itself says of it. */
const show = async (sha: string) => {
  await writeDerived(forge.context, id, true)
  return gitIn(path, 'notes', 'show', sha)
}

test('a note is set, changed and removed as git does it', async () => {
  const sha = commits[0] as string
  expect((await ask(`GET ${sha}`)).status).toBe(404)
  const { status, body } = await ask(`POST ${sha}`, { message: 'Seen by Ada\n\n' })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { message: 'Seen by Ada\n', commit: { commit: { message: "Notes added by 'git notes add'\n" } } },
  })
  expect(await show(sha)).toBe('Seen by Ada\n')
  await ask(`POST ${sha.slice(0, 12)}`, { message: 'Seen by Bob' })
  expect((await ask('GET main')).body).toMatchObject({ message: 'Seen by Bob\n' })
  expect(await show(sha)).toBe('Seen by Bob\n')
  expect(gitIn(path, 'rev-list', '--count', 'refs/notes/commits').trim()).toBe('3')
  expect((await ask(`DELETE ${sha}`)).status).toBe(204)
  for (const method of ['GET', 'DELETE']) expect((await ask(`${method} ${sha}`)).status).toBe(404)
  await writeDerived(forge.context, id, true)
  expect(gitIn(path, 'notes', 'list').trim().split('\n')).toHaveLength(NOTED)
})

test('who may not push sets none, and what is no commit has none', async () => {
  const sha = commits[0] as string
  expect((await ask(`POST ${sha}`, { message: 'x' }, 'bob')).status).toBe(403)
  expect((await ask(`DELETE ${sha}`, undefined, 'bob')).status).toBe(403)
  expect((await ask('POST absent', { message: 'x' })).status).toBe(404)
  expect((await ask(`POST ${sha}`, {})).status).toBe(422)
})

test('notes set at once are all there', async () => {
  const some = commits.slice(0, 4)
  const statuses = await Promise.all(some.map(async (sha) => (await ask(`POST ${sha}`, { message: sha })).status))
  expect(statuses).toEqual(some.map(() => 200))
  for (const sha of some) expect(await show(sha)).toBe(`${sha}\n`)
})

test('notes that git has spread over directories are found, changed and removed there', async () => {
  const [noted, other] = commits.slice(-2) as [string, string]
  expect(gitIn(path, 'ls-tree', '-r', '--name-only', 'refs/notes/commits')).toContain('/')
  expect((await ask(`GET ${noted}`)).body).toMatchObject({ message: 'Note 1\n' })
  await ask(`POST ${noted}`, { message: 'changed' })
  expect(await show(noted)).toBe('changed\n')
  expect((await ask(`DELETE ${other}`)).status).toBe(204)
  await writeDerived(forge.context, id, true)
  const listed = gitIn(path, 'notes', 'list')
  expect([listed.includes(noted), listed.includes(other)]).toEqual([true, false])
  // A note that lay in two places would be there twice.
  const files = gitIn(path, 'ls-tree', '-r', '--name-only', 'refs/notes/commits').trim().split('\n')
  expect(new Set(files.map((file) => file.replaceAll('/', ''))).size).toBe(files.length)
})
