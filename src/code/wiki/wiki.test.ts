import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { writeDerived } from '#repositories/refs/index.ts'
import { removeDirectories } from '#repositories/repos/index.ts'
import { visitAll } from '#repositories/upkeep/upkeep.ts'
import { git, gitIn, type Reply, testForge } from '../../../test/harness.ts'

const forge = testForge()
const ada = forge.asUser('ada')
let name = ''
let made = 0
let repoId = 0
let path = ''

beforeAll(async () => {
  for (const person of ['ada', 'bob', 'reader']) await forge.person(person)
})
afterAll(() => forge[Symbol.asyncDispose]())

beforeEach(async () => {
  name = `it-${++made}`
  const { body } = await ada.post<{ id: number }>('/user/repos', { name })
  repoId = body.id
  path = forge.context.git.pathOf(-repoId)
})

interface Page {
  title: string
  sub_url: string
  html_url: string
  content_base64: string
  commit_count: number
  sidebar: string
  footer: string
  last_commit: { sha: string; message: string; author: { name: string }; commiter: { name: string } }
  message: string
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const ask = <T = Page>(line: string, body?: Record<string, unknown>, as = 'ada'): Promise<Reply<T>> => {
  const [method, at] = line.split(' ') as [string, string]
  return forge.asUser(as).send<T>(`${method} /repos/ada/${name}/wiki${at}`, { body })
}
const write = (title: string, text = title, more: Record<string, unknown> = {}) => ask('POST /new', { title, content_base64: base64(text), ...more })
const files = async () => {
  await writeDerived(forge.context, -repoId, true)
  return gitIn(path, 'ls-tree', '-r', '--name-only', '-z', 'main').split('\0').filter(Boolean)
}
const events = () =>
  forge.context.db.all<{ payload: string }>("SELECT payload FROM event WHERE type = 'wiki' ORDER BY id").map(({ payload }) => JSON.parse(payload))

describe('while nothing is written', () => {
  test('there is no wiki, and no directory', async () => {
    for (const line of ['GET /pages', 'GET /page/Home', 'GET /revisions/Home', 'DELETE /page/Home']) expect((await ask(line)).status).toBe(404)
    expect(existsSync(path)).toBe(false)
  })

  test('what cannot be written leaves none', async () => {
    for (const body of [{}, { title: ' ' }, { title: '_pages' }, { title: 'raw' }, { title: 'x', content_base64: '%%%' }]) {
      expect((await ask('POST /new', body)).status).toBe(400)
    }
    expect(existsSync(path)).toBe(false)
  })
})

describe('a page', () => {
  test('is created with the wiki, and shown with all that Gitea shows', async () => {
    const { status, body } = await write('Home Page', '# Hi\n')
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        title: 'Home Page',
        sub_url: 'Home-Page',
        html_url: `http://localhost:3000/ada/${name}/wiki/Home-Page`,
        content_base64: base64('# Hi\n'),
        commit_count: 1,
        sidebar: '',
        footer: '',
        last_commit: { message: 'Add "Home-Page"\n', author: { name: 'ada' }, commiter: { name: 'ada' } },
      },
    })
    expect(await files()).toEqual(['Home-Page.md'])
    expect(gitIn(path, 'show', 'main:Home-Page.md')).toBe('# Hi\n')
    await git(['-C', path, 'fsck', '--strict', '--no-dangling'])
    expect((await ask('GET /page/Home-Page')).body).toEqual(body)
    expect((await ask('GET /page/Home%20Page')).body).toEqual(body)
    expect((await ada.get(`/repos/ada/${name}`)).body.wiki_branch).toBe('main')
  })

  test('of a title that is taken, however that is written, is not created', async () => {
    await write('Home Page')
    for (const title of ['Home Page', ' Home Page ']) expect((await write(title, 'other')).status).toBe(400)
    expect((await ask('GET /page/Home-Page')).body.content_base64).toBe(base64('Home Page'))
  })

  test('is edited, keeps its name without a title, and counts its commits', async () => {
    await write('A', 'one')
    const { status, body } = await ask('PATCH /page/A', { content_base64: base64('two'), message: 'Say it better' })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { title: 'A', content_base64: base64('two'), commit_count: 2, last_commit: { message: 'Say it better\n' } },
    })
    const revisions = await ask<{ commits: { message: string }[]; count: number }>('GET /revisions/A')
    expect(revisions.body).toMatchObject({ count: 2, commits: [{ message: 'Say it better\n' }, { message: 'Add "A"\n' }] })
    expect(revisions.headers.get('x-total-count')).toBe('2')
    expect((await ask<{ commits: unknown[] }>('GET /revisions/A?page=2')).body.commits).toEqual([])
  })

  test('moves with another title, and takes nobody else’s place', async () => {
    await write('A', 'a')
    await write('B', 'b')
    expect((await ask('PATCH /page/A', { title: 'B', content_base64: base64('x') })).status).toBe(400)
    expect((await ask('PATCH /page/A', { title: 'raw' })).status).toBe(400)
    const moved = await ask('PATCH /page/A', { title: 'C D' })
    expect(moved.body).toMatchObject({ title: 'C D', content_base64: base64('a') })
    expect(await files()).toEqual(['B.md', 'C-D.md'])
    expect((await ask('GET /page/A')).status).toBe(404)
  })

  test('that is not there is made by an edit, as in Gitea', async () => {
    expect(await ask('PATCH /page/New', { content_base64: base64('n') })).toMatchObject({ status: 200, body: { title: 'New', content_base64: base64('n') } })
  })

  test('is deleted, once', async () => {
    await write('A')
    await write('B')
    expect((await ask('DELETE /page/A')).status).toBe(204)
    expect((await ask('DELETE /page/A')).status).toBe(404)
    expect(await files()).toEqual(['B.md'])
    expect((await ask('GET /revisions/A')).status).toBe(404)
  })

  test('shows the sidebar and the footer of all pages', async () => {
    await write('_Sidebar', 'side')
    await write('_Footer', 'foot')
    expect((await write('A')).body).toMatchObject({ sidebar: base64('side'), footer: base64('foot') })
  })

  test('is announced with who did what to it', async () => {
    const before = events().length
    await write('A B')
    await ask('PATCH /page/A-B', { content_base64: base64('2') })
    await ask('DELETE /page/A-B')
    expect(events().slice(before)).toMatchObject([
      { action: 'created', repoId, page: 'A-B', comment: 'Add "A-B"' },
      { action: 'edited', repoId, page: 'A-B', comment: 'Update "A-B"' },
      { action: 'deleted', repoId, page: 'A-B', comment: 'Delete page "A-B"' },
    ])
  })

  test('with any title stays in the wiki', async () => {
    for (const title of ['../../config', '.git', '.git/config', 'a\\b', 'x\u0000y', '\ud800', '100% +', '日本語', 'a.md', 'con']) {
      const { status, body } = await write(title)
      expect([title, status]).toEqual([title, 201])
      expect((await ask(`GET /page/${body.sub_url}`)).body.content_base64).toBe(base64(title))
    }
    expect((await files()).every((file) => !file.includes('/'))).toBe(true)
  })
})

test('pages are listed in the order of the tree, a page at a time', async () => {
  for (const title of ['C', 'A', 'B-x']) await write(title)
  const first = await ask<Page[]>('GET /pages?limit=2')
  expect(first.body.map(({ title }) => title)).toEqual(['A', 'B-x'])
  expect(first.body[0]).toMatchObject({ sub_url: 'A', last_commit: { message: 'Add "A"\n' } })
  expect(first.headers.get('x-total-count')).toBe('3')
  expect((await ask<Page[]>('GET /pages?limit=2&page=2')).body.map(({ title }) => title)).toEqual(['C'])
  expect((await ask<Page[]>('GET /pages?limit=1')).body).toHaveLength(3)
})

test('who change pages at once wait for each other, and nothing is lost', async () => {
  const titles = Array.from({ length: 12 }, (_, i) => `Page ${i}`)
  const statuses = await Promise.all(titles.map(async (title) => (await write(title)).status))
  expect(statuses).toEqual(titles.map(() => 201))
  const twins = await Promise.all([write('Twin', 'a'), write('Twin', 'b')])
  expect(twins.map(({ status }) => status).sort()).toEqual([201, 400])
  expect(await files()).toHaveLength(13)
  expect(gitIn(path, 'rev-list', '--count', 'main').trim()).toBe('13')
})

describe('rights', () => {
  test('are those of the unit', async () => {
    await write('A')
    expect((await ask('GET /page/A', undefined, 'bob')).status).toBe(200)
    expect((await ask('POST /new', { title: 'B' }, 'bob')).status).toBe(403)
    await ada.put(`/repos/ada/${name}/collaborators/bob`, { permission: 'write' })
    expect((await ask('POST /new', { title: 'B' }, 'bob')).status).toBe(201)
    await ada.patch(`/repos/ada/${name}`, { has_wiki: false })
    for (const line of ['GET /pages', 'GET /page/A']) expect([403, 404]).toContain((await ask(line, undefined, 'bob')).status)
  })

  test('end while the repository is archived', async () => {
    await write('A')
    await ada.patch(`/repos/ada/${name}`, { archived: true })
    const replies = [await write('B'), await ask('PATCH /page/A', { content_base64: '' }), await ask('DELETE /page/A')]
    expect(replies.map(({ status, body }) => [status, body.message])).toEqual(replies.map(() => [423, 'This repository is archived and read-only.']))
    expect((await ask('GET /page/A')).status).toBe(200)
  })
})

describe('the wiki as a git store', () => {
  test('is looked after, found sound, and goes with its repository', async () => {
    for (const title of ['A', 'B', 'C']) await write(title)
    await visitAll(forge.context)
    await writeDerived(forge.context, -repoId, true)
    await git(['-C', path, 'fsck', '--strict', '--full'])
    await ada.delete(`/repos/ada/${name}`)
    await removeDirectories(forge.context)
    expect(existsSync(path)).toBe(false)
    const left = (table: string) => forge.context.db.find<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE repo_id = ?`, -repoId)?.n
    expect([left('ref'), left('reflog'), left('ref_state')]).toEqual([0, 0, 0])
  })

  test('follows the repository to another name', async () => {
    await write('A')
    await ada.patch(`/repos/ada/${name}`, { name: `${name}-new` })
    name = `${name}-new`
    expect((await ask('GET /page/A')).body.html_url).toBe(`http://localhost:3000/ada/${name}/wiki/A`)
  })

  test('is read from the branch that is chosen', async () => {
    await write('A')
    await writeDerived(forge.context, -repoId, true)
    expect((await ada.patch(`/repos/ada/${name}`, { wiki_branch: 'other' })).status).toBe(422)
    expect((await ada.patch(`/repos/ada/${name}`, { wiki_branch: 'main' })).status).toBe(200)
  })
})
