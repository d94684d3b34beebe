import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDerived } from '#repositories/refs/index.ts'
import { fillFromRepo } from '../../../test/fill-repo.ts'
import { fillRepo, git, gitIn, type Reply, testForge } from '../../../test/harness.ts'
import { soak } from '../../../test/soak.ts'

const forge = testForge()
const ada = forge.asUser('ada')
let made = 0
let name = ''
let path = ''
let repoId = 0

beforeAll(async () => {
  for (const person of ['ada', 'bob']) await forge.person(person)
  model = (await ada.post<{ id: number }>('/user/repos', { name: 'model' })).body.id
  fillRepo(forge, model, (directory) => {
    mkdirSync(join(directory, 'dir'))
    writeFileSync(join(directory, 'README.md'), 'first\n')
    writeFileSync(join(directory, 'dir/a.txt'), 'a\n')
    writeFileSync(join(directory, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 })
    symlinkSync('README.md', join(directory, 'link'))
    gitIn(directory, 'add', '-A')
    gitIn(directory, 'commit', '-qm', 'first')
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Each test has a repository of its own, a copy of this one: with a file, a directory, a program and a link. */
let model = 0
beforeEach(async () => {
  name = `it-${++made}`
  repoId = (await ada.post<{ id: number }>('/user/repos', { name })).body.id
  fillFromRepo(forge, repoId, model)
  path = forge.context.git.pathOf(repoId)
})

interface Answer {
  content: { path: string; sha: string; content: string } | null
  files: ({ path: string } | null)[]
  commit: { sha: string; message: string; author: { name: string; email: string; date: string }; committer: { name: string }; parents: { sha: string }[] }
  verification: { verified: boolean; reason: string }
  message: string
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
/** Refs stand in the directory, for git, once this is answered. */
const ask = async (line: string, body: Record<string, unknown>, as = 'ada'): Promise<Reply<Answer>> => {
  const [method, at] = line.split(' ') as [string, string]
  const reply = await forge.asUser(as).send<Answer>(`${method} /repos/ada/${name}/contents${at}`, { body })
  await writeDerived(forge.context, repoId, true)
  return reply
}
const show = (rev: string) => gitIn(path, 'show', rev)
const blob = (file: string) => gitIn(path, 'rev-parse', `main:${file}`).trim()
const tree = (rev = 'main') => gitIn(path, 'ls-tree', '-r', rev).trim().split('\n')

describe('one file', () => {
  test('is created, in a directory that is made for it', async () => {
    const before = gitIn(path, 'rev-parse', 'main').trim()
    const { status, body } = await ask('POST /new/deep/x.txt', { content: base64('hello\n') })
    expect([status, body.content?.path, body.commit.message, show('main:new/deep/x.txt')]).toEqual([201, 'new/deep/x.txt', 'Add new/deep/x.txt\n', 'hello\n'])
    expect(body.commit.parents.map(({ sha }) => sha)).toEqual([before])
    expect(body.commit.sha).toBe(gitIn(path, 'rev-parse', 'main').trim())
    expect(body.verification).toMatchObject({ verified: false, reason: 'gpg.error.not_signed_commit' })
    expect(gitIn(path, 'fsck', '--strict')).toBe('')
  })

  test('is updated where the client saw it as it is, and keeps its mode', async () => {
    const { status, body } = await ask('PUT /run.sh', { content: base64('#!/bin/bash\n'), sha: blob('run.sh'), message: 'Use bash' })
    expect([status, body.commit.message, show('main:run.sh')]).toEqual([200, 'Use bash\n', '#!/bin/bash\n'])
    expect(tree().find((line) => line.endsWith('run.sh'))).toStartWith('100755')
  })

  test('is moved by an update that says where it was', async () => {
    const { status } = await ask('PUT /dir/b.txt', { content: base64('b\n'), sha: blob('dir/a.txt'), from_path: 'dir/a.txt' })
    expect([status, tree().map((line) => line.split('\t')[1])]).toEqual([200, ['README.md', 'dir/b.txt', 'link', 'run.sh']])
  })

  test('is deleted, and its directory with it when it was the last', async () => {
    const { status, body } = await ask('DELETE /dir/a.txt', { sha: blob('dir/a.txt') })
    expect([status, body.content, tree().map((line) => line.split('\t')[1])]).toEqual([200, null, ['README.md', 'link', 'run.sh']])
  })

  test('is created by PUT without a sha', async () => {
    expect((await ask('PUT /fresh.txt', { content: '' })).status).toBe(201)
    expect(show('main:fresh.txt')).toBe('')
  })
})

const wrong: [what: string, line: string, body: Record<string, unknown>, status: number, message: RegExp][] = [
  ['a file that is there', 'POST /README.md', { content: '' }, 422, /repository file already exists \[path: README\.md\]/],
  ['a file that is there, by PUT without a sha', 'PUT /README.md', { content: '' }, 422, /already exists/],
  ['content the client did not see', 'PUT /README.md', { content: '', sha: 'f'.repeat(40) }, 422, /sha does not match \[given: f+, expected: [0-9a-f]{40}\]/],
  ['an update of what is not there', 'PUT /absent', { content: '', sha: 'f'.repeat(40) }, 404, /absent/],
  ['a deletion of what is not there', 'DELETE /absent', { sha: 'f'.repeat(40) }, 404, /absent/],
  ['a deletion that does not say what it saw', 'DELETE /README.md', {}, 422, /sha/],
  ['a deletion of a directory', 'DELETE /dir', { sha: 'f'.repeat(40) }, 422, /not a file/],
  ['a file in a file', 'POST /README.md/x', { content: '' }, 422, /^a file exists where you/],
  ['a file in place of a directory', 'POST /dir', { content: '' }, 422, /directory exists/],
  ['what lies behind a link', 'POST /link/x', { content: '' }, 422, /^a file exists where you/],
  ['content through a link', 'PUT /link', { content: '', sha: 'link' }, 422, /symbolic link|sha does not match/],
  ['.git', 'POST /.git/config', { content: '' }, 422, /malformed path component/],
  ['.git in other spellings', 'POST /GIT~1/hooks/x', { content: '' }, 422, /malformed path component/],
  ['a way up', 'POST /a%2F%2e%2e%2Fx', { content: '' }, 422, /malformed path component/],
  ['a backslash that leads up', 'POST /a%5C..%5Cx', { content: '' }, 422, /malformed path component/],
  ['NUL', 'POST /a%00b', { content: '' }, 422, /malformed path component/],
  ['what is no base64', 'POST /x', { content: '%%%' }, 422, /base64/],
  ['a branch that is not there', 'POST /x', { content: '', branch: 'absent' }, 404, /branch does not exist/],
  ['a new branch that is there', 'POST /x', { content: '', new_branch: 'main', branch: 'main' }, 201, /./],
  ['a name no branch can have', 'POST /x', { content: '', new_branch: 'a..b' }, 422, /./],
  ['a date that is none', 'POST /x', { content: '', dates: { author: 'yesterday' } }, 422, /dates\.author/],
]

test.each(wrong)('%s: %s', async (_, line, body, status, message) => {
  const sha = body.sha === 'link' ? { sha: blob('link') } : {}
  const reply = await ask(line, { ...body, ...sha })
  expect([reply.status, reply.status < 300 || message.test(reply.body.message)]).toEqual([status, true])
  if (status >= 400) expect(gitIn(path, 'rev-list', '--count', '--all').trim()).toBe('1')
})

describe('the commit', () => {
  test('says who made it and when, as asked', async () => {
    const { body } = await ask('POST /x', {
      content: '',
      author: { name: 'Grace', email: 'grace@example.org' },
      dates: { author: '2020-01-02T03:04:05+02:00', committer: '2021-01-01T00:00:00Z' },
      message: 'Say it',
      signoff: true,
    })
    expect(show('main').split('\n').slice(1, 3).join(' ')).toMatch(/Author: Grace <grace@example\.org> Date: {3}Thu Jan 2 03:04:05 2020 \+0200/)
    expect(body.commit.committer.name).toBe('Grace')
    expect(body.commit.message).toBe('Say it\n\nSigned-off-by: Grace <grace@example.org>\n')
  })

  test('is made now, by who asks, where the Go SDK says nothing, which it sends as empty names and times of the year 1', async () => {
    const nobody = { name: '', email: '' }
    const never = '0001-01-01T00:00:00Z'
    const said = { message: '', branch: '', new_branch: '', author: nobody, committer: nobody, dates: { author: never, committer: never }, signoff: false }
    const { status, body } = await ask('POST /x', { content: '', ...said })
    expect([status, body.commit.author.name, Date.parse(body.commit.author.date) > Date.parse('2026-01-01')]).toEqual([201, 'ada', true])
  })

  test('goes to a new branch, and leaves the one it is based on', async () => {
    const before = gitIn(path, 'rev-parse', 'main')
    expect((await ask('POST /x', { content: '', new_branch: 'topic/x' })).status).toBe(201)
    expect([gitIn(path, 'rev-parse', 'main'), gitIn(path, 'rev-parse', 'topic/x^')]).toEqual([before, before])
    expect((await ask('POST /y', { content: '', new_branch: 'topic/x' })).status).toBe(422)
    expect((await ask('POST /y', { content: '', new_branch: 'topic' })).status).toBe(422)
    expect((await ask('POST /y', { content: '', new_branch: 'topic/x', force_push: true })).status).toBe(201)
    expect(gitIn(path, 'rev-parse', 'topic/x^')).toBe(before)
  })

  test('may be the first of a repository, on a branch of any name, which becomes the default one', async () => {
    const { body } = await ada.post<{ id: number }>('/user/repos', { name: `${name}-empty` })
    const reply = await ada.post<Answer>(`/repos/ada/${name}-empty/contents/x`, { content: base64('x'), branch: 'trunk' })
    expect([reply.status, reply.body.commit.parents]).toEqual([201, []])
    const repo = await ada.get<{ default_branch: string; empty: boolean }>(`/repos/ada/${name}-empty`)
    expect(repo.body).toMatchObject({ id: body.id, default_branch: 'trunk', empty: false })
  })

  test('holds many changes, or none of them', async () => {
    const files = [
      { operation: 'create', path: 'new.txt', content: base64('new') },
      { operation: 'update', path: 'README.md', content: base64('second\n') },
      { operation: 'rename', path: 'moved/a.txt', from_path: 'dir/a.txt' },
      { operation: 'delete', path: 'link' },
    ]
    const { status, body } = await ask('POST ', { files })
    expect([status, body.files.map((file) => file?.path ?? null)]).toEqual([201, ['new.txt', 'README.md', 'moved/a.txt', null]])
    expect(tree().map((line) => line.split('\t')[1])).toEqual(['README.md', 'moved/a.txt', 'new.txt', 'run.sh'])
    expect(
      (
        await ask('POST ', {
          files: [
            { operation: 'create', path: 'other', content: '' },
            { operation: 'delete', path: 'absent' },
          ],
        })
      ).status,
    ).toBe(404)
    expect(tree()).toHaveLength(4)
  })
})

test('readers and archived repositories are refused, strangers see nothing', async () => {
  expect((await ask('POST /x', { content: '' }, 'bob')).status).toBe(403)
  await ada.patch(`/repos/ada/${name}`, { archived: true })
  expect((await ask('POST /x', { content: '' })).status).toBe(423)
  await ada.patch(`/repos/ada/${name}`, { archived: false, private: true })
  expect((await ask('POST /x', { content: '' }, 'bob')).status).toBe(404)
})

test('many people edit at once: every 201 is in the history, everyone else hears 409', async () => {
  const replies = await Promise.all(Array.from({ length: soak(20, 50) }, (_, i) => ask(`POST /many/${i}.txt`, { content: base64(String(i)) })))
  const landed = replies.flatMap(({ status }, i) => (status === 201 ? [`many/${i}.txt`] : []))
  expect(replies.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  expect(landed.length).toBeGreaterThan(0)
  const files = (await git(['ls-tree', '-r', '--name-only', 'main', 'many/'], { cwd: path })).trim().split('\n')
  expect(files.sort()).toEqual(landed.sort())
  expect((await git(['fsck', '--strict'], { cwd: path })).trim()).toBe('')
})

/** A script that writes very many files gets them all back. */
describe('the answer to a change of many files', () => {
  const create = (file: string, text: string) => ({ operation: 'create', path: file, content: base64(text) })

  test('shows each as the commit has it, and takes few looks at the repository', async () => {
    const count = soak(400, 1200)
    const files = Array.from({ length: count }, (_, i) => create(`many/${i}`, `${i}\n`))
    const looks = spyOn(forge.context.git, 'run')
    const { status, body } = await ask('POST ', { files })
    const looked = looks.mock.calls.length
    looks.mockRestore()
    expect([status, body.files.length, body.files[77]]).toMatchObject([
      201,
      count,
      { path: 'many/77', content: base64('77\n'), last_commit_sha: body.commit.sha },
    ])
    // What jobs in the background look at is counted with it.
    expect(looked).toBeLessThan(100)
  })

  test('tells of what is left as it was which commit changed it', async () => {
    const before = gitIn(path, 'rev-parse', 'main').trim()
    const same = { operation: 'update', path: 'dir/a.txt', content: base64('a\n'), sha: blob('dir/a.txt') }
    const { body } = await ask('POST ', { files: [same, create('new', 'x'), { operation: 'delete', path: 'run.sh', sha: blob('run.sh') }] })
    expect(body.files).toMatchObject([{ path: 'dir/a.txt', last_commit_sha: before }, { path: 'new', last_commit_sha: body.commit.sha }, null])
  })

  test('has no more contents than any other, however many large files are moved', async () => {
    const large = testForge({ api: { DEFAULT_MAX_RESPONSE_SIZE: 2000 } })
    await large.person('ada')
    await large.asUser('ada').post('/user/repos', { name: 'large', auto_init: true })
    const files = Array.from({ length: 6 }, (_, i) => create(`${i}`, 'x'.repeat(1500)))
    const { body } = await large.asUser('ada').post<Answer>('/repos/ada/large/contents', { files })
    expect(body.files.map((file) => file && 'content' in file && file.content !== null)).toEqual([true, true, false, false, false, false])
    await large[Symbol.asyncDispose]()
  })
})

describe('a patch', () => {
  const patch = async (content: string, more: Record<string, unknown> = {}) => {
    const reply = await ada.post<Answer>(`/repos/ada/${name}/diffpatch`, { content, ...more })
    await writeDerived(forge.context, repoId, true)
    return reply
  }
  const edited = '--- a/README.md\n+++ b/README.md\n@@ -1 +1,2 @@\n first\n+second\n'

  test('made by git becomes a commit of the same tree: renames, modes, a file in place of a directory', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'pf-patch-'))
    await git(['clone', '-q', path, copy])
    rmSync(join(copy, 'dir'), { recursive: true })
    writeFileSync(join(copy, 'dir'), 'no directory any more\n')
    mkdirSync(join(copy, 'link.d'))
    renameSync(join(copy, 'README.md'), join(copy, 'link.d/README.md'))
    chmodSync(join(copy, 'run.sh'), 0o644)
    writeFileSync(join(copy, 'bytes'), new Uint8Array([0, 255, 1, 2]))
    gitIn(copy, 'add', '-A')
    const { status, body } = await patch(gitIn(copy, 'diff', '--cached', '--binary', '-M'), { message: 'Patched' })
    expect([status, body.content, body.commit.message, gitIn(path, 'rev-parse', 'main^{tree}')]).toEqual([201, null, 'Patched\n', gitIn(copy, 'write-tree')])
    expect(gitIn(path, 'fsck', '--strict')).toBe('')
    rmSync(copy, { recursive: true })
  })

  test('says `apply-patch` by itself, and can go to a new branch', async () => {
    const before = gitIn(path, 'rev-parse', 'main')
    const { status, body } = await patch(edited, { new_branch: 'patched', author: { name: 'Grace', email: 'grace@example.org' } })
    expect([status, body.commit.message, body.commit.author.name, show('patched:README.md')]).toEqual([201, 'apply-patch\n', 'Grace', 'first\nsecond\n'])
    expect([gitIn(path, 'rev-parse', 'main'), gitIn(path, 'rev-parse', 'patched^')]).toEqual([before, before])
  })

  test.each([
    ['does not fit', edited.replace(' first', ' other'), /README\.md/],
    ['is for an absent file', edited.replaceAll('README.md', 'absent'), /absent/],
    ['is none', 'hello\n', /patch/],
    ['leaves the tree', edited.replaceAll('README.md', '../x'), /\.\.\/x/],
    ['touches .git', '--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+x\n', /\.git/],
  ])('that %s is 422, says where, and changes nothing', async (_, content, reason) => {
    const before = gitIn(path, 'rev-parse', 'main')
    const { status, body } = await patch(content)
    expect([status, gitIn(path, 'rev-parse', 'main')]).toEqual([422, before])
    expect(body.message).toMatch(reason)
  })

  test('may begin an empty repository, and is refused to readers', async () => {
    await ada.post('/user/repos', { name: `${name}-empty` })
    const body = { content: '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n' }
    expect((await forge.asUser('bob').post(`/repos/ada/${name}-empty/diffpatch`, body)).status).toBe(403)
    expect((await ada.post(`/repos/ada/${name}-empty/diffpatch`, body)).status).toBe(201)
  })
})
