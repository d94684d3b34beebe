import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Static } from 'elysia'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import type { Commit, GitTreeResponse, Reference } from './schema.ts'

const forge = testForge()
const ada = forge.asUser('ada')
let path: string
const shas = (body: { sha: string }[]) => body.map((commit) => commit.sha)
const logged = (...args: string[]) =>
  gitIn(path, 'log', '--format=%H', ...args)
    .split('\n')
    .filter(Boolean)

beforeAll(async () => {
  await forge.person('ada')
  await forge.person('eve', { visibility: 'private' })
  for (const name of ['it', 'empty']) await ada.post('/user/repos', { name })
  fillRepo(forge, 1, makeHistory)
  path = forge.context.git.pathOf(1)
  await forge.context.tasks.stop()
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Twelve commits with two merges, a rename, a binary file, a submodule and a symbolic link. */
function makeHistory(directory: string): void {
  let day = 0
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(join(directory, name, '..'), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  const commit = (message: string, ...args: string[]) => {
    const date = `2024-01-${String(++day).padStart(2, '0')}T10:00:00 +0530`
    gitIn(directory, 'add', '-A')
    process.env.GIT_AUTHOR_DATE = process.env.GIT_COMMITTER_DATE = date
    gitIn(directory, 'commit', '-q', '--allow-empty', '-m', message, ...args)
  }
  write('a.txt', 'one\ntwo\nthree\n')
  write('dir/deep/b.txt', 'b\n')
  commit('first')
  write('a.txt', 'one\n2\nthree\nfour\n')
  commit('second\n\nwith a body', '--author=Eve <eve@example.org>')
  gitIn(directory, 'checkout', '-qb', 'side')
  write('side.txt', 'side\n')
  commit('on the side')
  gitIn(directory, 'checkout', '-q', 'main')
  write('dir/c.txt', 'c\n')
  commit('in the directory', '--author=Stranger <stranger@elsewhere.example>')
  gitIn(directory, 'merge', '-q', '--no-ff', '-m', 'join', 'side')
  gitIn(directory, 'mv', 'dir/c.txt', 'moved.txt')
  commit('rename')
  write('picture.bin', new Uint8Array([1, 0, 2, 255]))
  mkdirSync(join(directory, 'sub'))
  gitIn(directory, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)
  commit('binary')
  gitIn(directory, 'rm', '-q', 'a.txt')
  commit('remove')
  gitIn(directory, 'tag', 'light')
  gitIn(directory, 'tag', '-a', 'v1/annotated', '-m', 'words about it', 'side')
  gitIn(directory, 'tag', '-a', 'nested', '-m', 'a tag of a tag', 'v1/annotated')
  gitIn(directory, 'tag', 'of-a-blob', 'HEAD:dir/deep/b.txt')
  gitIn(directory, 'branch', 'feature/x', 'side')
  delete process.env.GIT_AUTHOR_DATE
  delete process.env.GIT_COMMITTER_DATE
}

describe('GET …/commits', () => {
  test('pages are those of git log, and the headers tell the total', async () => {
    const all = logged('main')
    for (const page of [1, 2, 3, 4]) {
      const { body, headers } = await forge.get<Commit[]>(`/repos/ada/it/commits?limit=3&page=${page}`)
      expect(shas(body)).toEqual(all.slice(3 * page - 3, 3 * page))
      expect([headers.get('x-total-count'), headers.get('x-total'), headers.get('x-hasmore')]).toEqual([
        String(all.length),
        String(all.length),
        String(page < 3),
      ])
    }
  })

  test.each([
    ['sha=side', ['side']],
    ['sha=feature%2Fx', ['feature/x']],
    ['sha=refs/heads/side', ['side']],
    ['sha=v1/annotated', ['v1/annotated']],
    ['sha=nested', ['nested']],
    ['not=side', ['main', '^side']],
    ['path=a.txt', ['main', '--', 'a.txt']],
    ['path=/dir/', ['main', '--', 'dir']],
    ['path=dir/deep/b.txt&sha=side', ['side', '--', 'dir/deep/b.txt']],
    ['path=dir&not=side', ['main', '^side', '--', 'dir']],
    ['since=2024-01-03T00:00:00Z&until=2024-01-06T00:00:00Z', ['main', '--since=2024-01-03T00:00:00Z', '--until=2024-01-06T00:00:00Z']],
    ['path=a.txt&until=2024-01-02T00:00:00%2B05:30', ['main', '--until=2024-01-02T00:00:00+05:30', '--', 'a.txt']],
  ])('?%s lists what git log %j does', async (query, args) => {
    const { status, body, headers } = await forge.get<Commit[]>(`/repos/ada/it/commits?${query}`)
    const expected = logged(...args)
    expect([status, shas(body), headers.get('x-total-count')]).toEqual([200, expected, String(expected.length)])
  })

  test('files and stats are those of git, against the first parent', async () => {
    const { body } = await forge.get<Commit[]>('/repos/ada/it/commits')
    const letters: Record<string, string> = { A: 'added', M: 'modified', D: 'removed' }
    for (const commit of body) {
      const diff = (...args: string[]) =>
        gitIn(path, 'log', '-1', '--root', '-m', '--first-parent', '--format=', ...args, commit.sha)
          .split('\n')
          .filter(Boolean)
      const files = diff('--name-status', '--no-renames')
      expect(commit.files?.map((file) => `${file.status} ${file.filename}`)).toEqual(files.map((line) => `${letters[line[0] as string]} ${line.slice(2)}`))
      const counts = diff('--numstat', '-M').map((line) => line.split('\t').map((count) => Number(count) || 0))
      const sum = (column: number) => counts.reduce((total, count) => total + (count[column] as number), 0)
      expect(commit.stats).toEqual({ additions: sum(0), deletions: sum(1), total: sum(0) + sum(1) })
    }
  })

  test('what is switched off is null', async () => {
    const { body } = await forge.get<Commit[]>('/repos/ada/it/commits?stat=false&files=0&verification=false&limit=1')
    expect([body[0]?.stats, body[0]?.files, body[0]?.commit.verification]).toEqual([null, null, null])
  })

  test('authors are accounts when the viewer may see them', async () => {
    const { body } = await forge.get<Commit[]>('/repos/ada/it/commits?sha=main')
    const eves = body.find((commit) => commit.commit.author.email === 'eve@example.org') as Commit
    expect([eves.author, eves.committer?.login]).toEqual([null, 'ada'])
    const asEve = await forge.asUser('eve').get<Commit>(`/repos/ada/it/git/commits/${eves.sha}`)
    expect(asEve.body.author?.login).toBe('eve')
    expect(eves).toMatchObject({
      commit: { message: 'second\n\nwith a body\n', author: { name: 'Eve', date: '2024-01-02T10:00:00+05:30' } },
      parents: [{ sha: logged('main').at(-1) }],
    })
  })

  test.each([
    ['/commits?sha=absent', 404],
    ['/commits?sha=-n1', 404],
    ['/commits?sha=--output=x', 404],
    ['/commits?sha=main~201', 404],
    ['/commits?sha=main:dir', 404],
    ['/commits?sha=main%5E%7Btree%7D', 404],
    ['/commits?sha=main..side', 404],
    ['/commits?sha=of-a-blob', 404],
    ['/commits?not=absent', 404],
    ['/commits?path=absent', 404],
    ['/commits?path=..%2Fx', 404],
    ['/commits?since=yesterday', 422],
    [`/commits?sha=${'x'.repeat(1025)}`, 422],
    ['/git/commits/absent', 404],
    ['/git/commits/%2e%2e', 404],
    ['/git/commits/a%2e%2eb', 422],
    ['/git/commits/ffff', 404],
    ['/git/commits/main~1', 422],
    ['/git/commits/main~201.diff', 404],
    ['/git/trees/absent', 400],
    ['/git/trees/of-a-blob', 400],
    ['/git/trees/main:picture.bin', 400],
    ['/git/blobs/main', 400],
    [`/git/blobs/${'f'.repeat(40)}`, 400],
    ['/git/tags/v1%2Fannotated', 400],
    [`/git/tags/${'f'.repeat(40)}`, 400],
    ['/git/refs/absent', 404],
    ['/git/refs/%ff', 404],
    ['/tags/absent', 404],
    ['/branches/absent', 404],
  ])('%s is %i', async (line, status) => {
    expect((await forge.get(`/repos/ada/it${line}`)).status).toBe(status)
  })

  test('in a repository without branches it is 409, and there are no refs', async () => {
    expect((await forge.get('/repos/ada/empty/commits')).status).toBe(409)
    expect((await forge.get('/repos/ada/empty/git/refs')).status).toBe(404)
    expect((await forge.get<unknown>('/repos/ada/empty/tags')).body).toEqual([])
    expect((await forge.get<unknown>('/repos/ada/empty/branches')).body).toBeNull()
  })
})

describe('GET …/git', () => {
  test('commits are found by branch, tag, full and short id', async () => {
    const [main] = logged('main') as [string]
    for (const name of ['main', 'HEAD', 'light', 'refs%2Fheads%2Fmain', 'heads%2Fmain', main, main.slice(0, 7), main.slice(0, 7).toUpperCase()])
      expect((await forge.get(`/repos/ada/it/git/commits/${name}`)).body.sha).toBe(main)
    expect((await forge.get('/repos/ada/it/git/commits/nested')).body.sha).toBe(logged('side')[0])
  })

  test('a branch that is called like a commit id does not stand in for it', async () => {
    const [main, older] = logged('main')
    await ada.post('/repos/ada/it/branches', { new_branch_name: main, old_ref_name: older })
    expect((await forge.get(`/repos/ada/it/git/commits/${main}`)).body.sha).toBe(main)
    await ada.delete(`/repos/ada/it/branches/${main}`)
  })

  test('refs are listed by prefix, with the type of what they hold', async () => {
    const lines = (body: Reference[]) => body.map(({ ref, object }) => `${object.sha} ${object.type}\t${ref}`)
    const expected = (pattern: string) => gitIn(path, 'for-each-ref', pattern).trim().split('\n')
    expect(lines((await forge.get<Reference[]>('/repos/ada/it/git/refs')).body)).toEqual(expected('refs/'))
    expect(lines((await forge.get<Reference[]>('/repos/ada/it/git/refs/tags')).body)).toEqual(expected('refs/tags/'))
    expect(lines((await forge.get<Reference[]>('/repos/ada/it/git/refs/heads/feature')).body)).toEqual(expected('refs/heads/feature'))
    expect(lines((await forge.get<Reference[]>('/repos/ada/it/git/refs/refs%2Fheads%2Fside')).body)).toEqual(expected('refs/heads/side'))
  })

  test('trees are those of git ls-tree, in pages', async () => {
    const recursive = gitIn(path, 'ls-tree', '-r', '-t', 'main').trim().split('\n')
    const lines: string[] = []
    for (let page = 1; page <= 3; page++) {
      const { body } = await forge.get<Static<typeof GitTreeResponse>>(`/repos/ada/it/git/trees/main?recursive=true&per_page=3&page=${page}`)
      expect([body.total_count, body.page, body.truncated]).toEqual([recursive.length, page, page * 3 < recursive.length])
      for (const entry of body.tree ?? []) lines.push(`${entry.mode} ${entry.type} ${entry.sha}\t${entry.path}`)
    }
    expect(lines).toEqual(recursive)
    const { body, headers } = await forge.get<Static<typeof GitTreeResponse>>('/repos/ada/it/git/trees/main')
    expect(headers.get('x-total-count')).toBe(String(body.total_count))
    expect(body.tree?.map((entry) => entry.path)).toEqual(gitIn(path, 'ls-tree', '--name-only', 'main').trim().split('\n'))
    expect(body.tree?.find((entry) => entry.path === 'sub')?.url).toBe('')
    expect((await forge.get('/repos/ada/it/git/trees/main?page=99')).body).toMatchObject({ tree: null, total_count: body.total_count, truncated: false })
  })

  test.each(['main', 'nested', 'main~1', 'main^{tree}', 'v1/annotated^{}', '@', 'main:dir', 'side^{commit}~0', 'main^0:'])(
    'a tree is found by the name %s, and answers to the id of what it names',
    async (name) => {
      const oid = gitIn(path, 'rev-parse', name.replace('@', 'HEAD')).trim()
      const { body } = await forge.get<Static<typeof GitTreeResponse>>(`/repos/ada/it/git/trees/${encodeURIComponent(name)}`)
      expect([body.sha, body.url.endsWith(`/git/trees/${oid}`)]).toEqual([oid, true])
      expect(body.tree?.map((entry) => entry.path)).toEqual(gitIn(path, 'ls-tree', '--name-only', name.replace('@', 'HEAD')).trim().split('\n'))
    },
  )

  test('commits are listed, told as text and packed by the names that git gives them', async () => {
    const older = gitIn(path, 'rev-parse', 'main~1').trim()
    expect((await forge.get<Commit[]>('/repos/ada/it/commits?sha=main~1')).body.map(({ sha }) => sha)).toEqual(
      gitIn(path, 'rev-list', 'main~1').trim().split('\n'),
    )
    expect((await forge.get<Commit[]>('/repos/ada/it/commits?sha=@&not=HEAD%5E')).body.map(({ sha }) => sha)).toEqual(
      gitIn(path, 'rev-list', 'main', '^main^').trim().split('\n'),
    )
    expect((await forge.get<string>('/repos/ada/it/git/commits/main~1.patch')).body).toContain(`From ${older} `)
    expect((await forge.get('/repos/ada/it/archive/main~1.zip')).headers.get('link')).toContain(`/archive/${older}.zip`)
    const made = await ada.post<{ commit: { id: string } }>('/repos/ada/it/branches', { new_branch_name: 'older', old_ref_name: 'main~1' })
    expect([made.status, made.body.commit.id]).toEqual([201, older])
    await ada.delete('/repos/ada/it/branches/older')
  })

  test('blobs come whole, in base64; what is none is 400', async () => {
    const sha = gitIn(path, 'rev-parse', 'main:picture.bin').trim()
    expect((await forge.get(`/repos/ada/it/git/blobs/${sha}`)).body).toMatchObject({ content: 'AQAC/w==', encoding: 'base64', size: 4, sha })
    expect((await forge.get(`/repos/ada/it/git/blobs/${logged('main')[0]}`)).status).toBe(400)
    const both = await forge.get(`/repos/ada/it/git/blobs?shas=${sha},${sha}`)
    expect(both.body as unknown).toMatchObject([{ sha, size: 4 }, { sha }])
    for (const [shas, status] of [
      [`${sha},${'f'.repeat(40)}`, 400],
      [logged('main')[0], 400],
      [Array(51).fill(sha).join(','), 400],
      ['', 400],
    ])
      expect((await forge.get(`/repos/ada/it/git/blobs?shas=${shas}`)).status).toBe(status as number)
  })

  test('annotated tags say what they tag', async () => {
    const sha = gitIn(path, 'rev-parse', 'nested').trim()
    expect((await forge.get(`/repos/ada/it/git/tags/${sha}`)).body).toMatchObject({
      tag: 'nested',
      sha,
      message: 'a tag of a tag\n',
      tagger: { name: 'Ada', email: 'ada@example.org' },
      object: { type: 'tag', sha: gitIn(path, 'rev-parse', 'v1/annotated').trim() },
      verification: { verified: false },
    })
    expect((await forge.get(`/repos/ada/it/git/tags/${logged('main')[0]}`)).status).toBe(400)
  })
})

test('tags tell the commit they lead to, by name with slashes too', async () => {
  const side = logged('side')[0]
  const { body, headers } = await forge.get('/repos/ada/it/tags')
  expect([body.length, headers.get('x-total-count')]).toEqual([4, '4'])
  for (const name of ['v1/annotated', 'v1%2Fannotated']) {
    expect((await forge.get(`/repos/ada/it/tags/${name}`)).body).toMatchObject({
      name: 'v1/annotated',
      message: 'words about it',
      id: gitIn(path, 'rev-parse', 'v1/annotated').trim(),
      commit: { sha: side },
      zipball_url: 'http://localhost:3000/ada/it/archive/v1/annotated.zip',
    })
  }
  expect((await forge.get('/repos/ada/it/tags/light')).body).toMatchObject({
    message: 'remove',
    commit: { sha: logged('main')[0], created: '2024-01-07T10:00:00+05:30' },
  })
})
