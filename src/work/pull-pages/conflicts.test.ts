import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
})
afterAll(() => forge[Symbol.asyncDispose]())

const lines = (...changes: Record<number, string>[]) =>
  Array.from({ length: 30 }, (_, i) => `${Object.assign({}, ...changes)[i + 1] ?? `line ${i + 1}`}\n`).join('')

/** A repository whose `topic` and `main` contradict each other in `a.txt` twice, and about whether `b.txt` is there. */
async function contrary(name: string, more: Record<string, string> = {}): Promise<string> {
  const { id } = forge.repo(ada, name)
  fillRepo(forge, id, (directory) => {
    const commit = (message: string, files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text)
      gitIn(directory, 'add', '-A')
      gitIn(directory, 'commit', '-qm', message)
    }
    commit('Begin', { 'a.txt': lines(), 'b.txt': 'b\n', ...more })
    gitIn(directory, 'checkout', '-qb', 'topic')
    commit('On topic', { 'a.txt': lines({ 3: 'three of topic', 20: 'twenty of topic' }), 'b.txt': 'b of topic\n' })
    gitIn(directory, 'checkout', '-q', 'main')
    gitIn(directory, 'rm', '-q', 'b.txt')
    commit('On main', { 'a.txt': lines({ 3: 'three of main', 10: 'ten of main', 20: 'twenty of main' }) })
  })
  const { body } = await asAda.post<{ number: number }>(`/repos/ada/${name}/pulls`, { title: 'Take it', head: 'topic', base: 'main' })
  return `/ada/${name}/pulls/${body.number}`
}

/** What a page's form has in its hidden fields. */
async function seenOn(path: string): Promise<Record<string, string>> {
  const { text } = await hers.get(`${path}/conflicts`)
  return Object.fromEntries(['head', 'base'].map((name) => [name, new RegExp(`name="${name}" value="([0-9a-f]{40})"`).exec(text)?.[1] ?? '']))
}

const fileOf = async (name: string, path: string) => (await hers.get(`/ada/${name}/raw/branch/topic/${path}`)).text

test('conflicts are solved by choosing, hunk by hunk, and merged as one commit of two parents', async () => {
  const path = await contrary('engine')
  expect((await hers.get(path)).text).toContain(`href="${path}/conflicts"`)
  const { text } = await hers.get(`${path}/conflicts`)
  for (const part of ['three of topic', 'three of main', 'twenty of topic', 'Delete the file (as in main)', '… ']) expect(text).toContain(part)
  const choices = { 'file-0': '', 'choice-0-0': 'theirs', 'choice-0-1': 'both', 'file-1': 'theirs' }
  expect((await hers.post(`${path}/conflicts`, { ...(await seenOn(path)), ...choices })).headers.get('location')).toBe(path)
  expect(await fileOf('engine', 'a.txt')).toBe(lines({ 3: 'three of main', 10: 'ten of main', 20: 'twenty of topic\ntwenty of main' }))
  expect((await hers.get('/ada/engine/raw/branch/topic/b.txt')).status).toBe(404)
  const { body } = await forge.get<{ commit: { message: string; id: string } }>('/repos/ada/engine/branches/topic')
  const made = await forge.get<{ parents: unknown[] }>(`/repos/ada/engine/git/commits/${body.commit.id}`)
  expect([made.body.parents.length, body.commit.message.trim()]).toEqual([2, "Merge branch 'main' into topic"])
  expect((await hers.get(path)).text).toContain('name="head_commit_id"')
})

test('what somebody writes in place of both stands there as written', async () => {
  const path = await contrary('motor')
  const written = '<b>\r\n=======\r\n>>>>>>> main'
  const choices = { 'choice-0-0': 'edit', 'text-0-0': written, 'choice-0-1': 'ours', 'file-1': 'ours' }
  expect((await hers.post(`${path}/conflicts`, { ...(await seenOn(path)), ...choices })).status).toBe(303)
  expect(await fileOf('motor', 'a.txt')).toContain('line 2\n<b>\n=======\n>>>>>>> main\nline 4\n')
  expect(await fileOf('motor', 'b.txt')).toBe('b of topic\n')
})

test('what is not chosen is asked for again, with what was', async () => {
  const path = await contrary('pump')
  const fields = { ...(await seenOn(path)), 'choice-0-0': 'edit', 'text-0-0': 'mine <script>', 'file-1': 'ours' }
  const { status, text } = await hers.post(`${path}/conflicts`, fields)
  expect([status, text.includes('role="alert"'), text.includes('mine &lt;script&gt;')]).toEqual([422, true, true])
  expect(text).toContain('name="file-1" value="ours" checked')
})

test('conflicts of a draft are led to as well, by who may push to its branch', async () => {
  const path = await contrary('drafted')
  expect((await hers.post(`${path}/draft`, { action: 'draft' })).status).toBe(303)
  const { text } = await hers.get(path)
  expect([text.includes('This pull request is still a draft.'), text.includes(`href="${path}/conflicts"`), text.includes('>Update branch (rebase)<')]).toEqual([
    true,
    true,
    true,
  ])
  expect((await his.get(path)).text).not.toContain(`${path}/conflicts`)
})

test('once a branch has moved, the choices are for nothing and the conflicts are shown as they are now', async () => {
  const path = await contrary('valve')
  const seen = await seenOn(path)
  const moved = { content: btoa('c\n'), message: 'Add c', branch: 'topic' }
  expect((await asAda.post('/repos/ada/valve/contents/c.txt', moved)).status).toBe(201)
  const { status, text } = await hers.post(`${path}/conflicts`, { ...seen, 'choice-0-0': 'ours', 'choice-0-1': 'ours', 'file-1': 'ours' })
  expect([status, text.includes('changed after you loaded the page')]).toEqual([409, true])
  expect(text).not.toContain(seen.head as string)
})

test('only who may push to the branch solves anything', async () => {
  const path = await contrary('gear')
  expect((await his.get(`${path}/conflicts`)).status).toBe(403)
  expect((await his.post(`${path}/conflicts`, { ...(await seenOn(path)), 'file-0': 'ours', 'file-1': 'ours' })).status).toBe(403)
  expect((await new TestBrowser(forge).get(`${path}/conflicts`)).headers.get('location')).toContain('/user/login')
})

test('in the branch of a fork they are solved for whoever looks next', async () => {
  await contrary('shaft')
  await forge.asUser('bob').post('/repos/ada/shaft/forks', {})
  const asked = { title: 'From outside', head: 'bob:topic', base: 'main' }
  const { number } = (await forge.asUser('bob').post<{ number: number }>('/repos/ada/shaft/pulls', asked)).body
  const path = `/ada/shaft/pulls/${number}`
  const { text } = await his.get(`${path}/conflicts`)
  const seen = Object.fromEntries(['head', 'base'].map((name) => [name, new RegExp(`name="${name}" value="([0-9a-f]{40})"`).exec(text)?.[1] ?? '']))
  expect((await his.post(`${path}/conflicts`, { ...seen, 'file-0': 'theirs', 'file-1': 'theirs' })).status).toBe(303)
  const after = (await his.get(path)).text
  expect([after.includes('Conflicts resolved'), after.includes('>Resolve conflicts<')]).toEqual([true, false])
})

test('a file whose lines cannot be chosen from is taken whole from one side', async () => {
  const path = await contrary('wheel', { '.gitattributes': 'a.txt -merge\n' })
  const { text } = await hers.get(`${path}/conflicts`)
  expect(text).not.toContain('choice-0-0')
  expect((await hers.post(`${path}/conflicts`, { ...(await seenOn(path)), 'file-0': 'theirs', 'file-1': 'ours' })).status).toBe(303)
  expect(await fileOf('wheel', 'a.txt')).toContain('three of main')
})

/** A repository whose `topic` and `main` did different things, each in a working copy; answers where its pull request is. */
async function between(name: string, begin: Make, onTopic: Make, onMain: Make): Promise<string> {
  const { id } = forge.repo(ada, name)
  fillRepo(forge, id, (directory) => {
    const git = (...args: string[]) => gitIn(directory, ...args)
    const commit = (message: string, make: Make) => {
      make({ git, write: (path, text) => writeFileSync(join(directory, path), text) })
      git('add', '-A')
      git('commit', '-qm', message, '--allow-empty')
    }
    commit('Begin', begin)
    git('checkout', '-qb', 'topic')
    commit('On topic', onTopic)
    git('checkout', '-q', 'main')
    commit('On main', onMain)
  })
  const { body } = await asAda.post<{ number: number }>(`/repos/ada/${name}/pulls`, { title: 'Take it', head: 'topic', base: 'main' })
  return `/ada/${name}/pulls/${body.number}`
}

interface Copy {
  git(...args: string[]): string
  write(path: string, text: string): void
}
type Make = (copy: Copy) => void

/** Modes and names of what a branch has now. */
async function treeOf(name: string, branch = 'topic'): Promise<string[]> {
  const { body } = await forge.get<{ tree: { mode: string; path: string; type: string }[] }>(`/repos/ada/${name}/git/trees/${branch}?recursive=true`)
  return body.tree.filter(({ type }) => type !== 'tree').map(({ mode, path }) => `${mode} ${path}`)
}

async function solveAt(path: string, choices: Record<string, string>): Promise<void> {
  const { status, text } = await hers.post(`${path}/conflicts`, { ...(await seenOn(path)), ...choices })
  expect([status, /role="alert">([^<]*)/.exec(text)?.[1]]).toEqual([303, undefined])
}

test('a file that each branch gave another name gets either, or keeps both', async () => {
  const make = (name: string) =>
    between(
      name,
      ({ write }) => write('old.txt', lines()),
      ({ git }) => git('mv', 'old.txt', 'mine.txt'),
      ({ git }) => git('mv', 'old.txt', 'theirs.txt'),
    )
  const path = await make('renamed')
  const { text } = await hers.get(`${path}/conflicts`)
  for (const part of ['Resolve mine.txt', 'Resolve theirs.txt', 'old.txt']) expect(text).toContain(part)
  await solveAt(path, { 'file-0': 'ours', 'file-1': 'ours' })
  expect(await treeOf('renamed')).toEqual(['100644 mine.txt'])
  const both = await make('renamed-both')
  await solveAt(both, { 'file-0': 'ours', 'file-1': 'theirs' })
  expect(await treeOf('renamed-both')).toEqual(['100644 mine.txt', '100644 theirs.txt'])
})

test('a file where the other branch has a directory is kept under another name, or goes', async () => {
  const path = await between(
    'place',
    ({ write }) => write('keep.txt', 'x\n'),
    ({ write }) => write('box', 'a file\n'),
    ({ git, write }) => {
      git('mv', 'keep.txt', 'kept.txt')
      mkdirSync(join(git('rev-parse', '--show-toplevel').trim(), 'box'))
      write('box/in.txt', 'inside\n')
    },
  )
  expect((await hers.get(`${path}/conflicts`)).text).toContain('Resolve box~topic')
  await solveAt(path, { 'file-0': 'ours' })
  expect(await treeOf('place')).toEqual(['100644 box/in.txt', '100644 box~topic', '100644 kept.txt'])
})

test('of a submodule either commit is taken, and of a binary both files when that is wanted', async () => {
  const link = (oid: string) => ['update-index', '--add', '--cacheinfo', `160000,${oid.repeat(40)},lib`]
  const at =
    (oid: string, bytes: string): Make =>
    ({ git, write }) => {
      write('b.bin', `\0${bytes}`)
      git(...link(oid))
      git('add', 'b.bin')
      git('commit', '-qm', 'Link')
    }
  const { id } = forge.repo(ada, 'linked')
  fillRepo(forge, id, (directory) => {
    const copy: Copy = { git: (...args) => gitIn(directory, ...args), write: (path, text) => writeFileSync(join(directory, path), text) }
    at('1', 'a')(copy)
    copy.git('checkout', '-qb', 'topic')
    at('2', 'b')(copy)
    copy.git('checkout', '-qf', 'main')
    at('3', 'c')(copy)
  })
  const { body } = await asAda.post<{ number: number }>('/repos/ada/linked/pulls', { title: 'Take it', head: 'topic', base: 'main' })
  const path = `/ada/linked/pulls/${body.number}`
  expect((await hers.get(`${path}/conflicts`)).text).toContain('Use the submodule from main (3333333333)')
  await solveAt(path, { 'file-0': 'both', 'file-1': 'theirs' })
  expect(await treeOf('linked')).toEqual(['100644 b.bin', '100644 b.bin~main', '160000 lib'])
})
