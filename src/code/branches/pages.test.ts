import { afterAll, beforeAll, describe, expect, spyOn } from 'bun:test'
import type { Oid } from '#git/objects/oid.ts'
import { findRef } from '#repositories/refs/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { anHourLater } from '../../../test/stopwatch.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const asAda = forge.asUser('ada')
let hers: TestBrowser
let visitor: TestBrowser

beforeAll(async () => {
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
  visitor = new TestBrowser(forge)
  fillRepo(forge, id, (directory) => {
    const commit = (message: string, date?: string) =>
      gitIn(directory, ...(date ? ['-c', `user.name=Old`] : []), 'commit', '-q', '--allow-empty', '-m', message, ...(date ? ['--date', date] : []))
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    commit('Begin')
    for (const name of ['feature/one', 'feature/two', 'other']) gitIn(directory, 'branch', name)
    commit('On main')
    gitIn(directory, 'checkout', '-q', 'feature/one')
    commit('First')
    commit('Second')
    for (const name of ['v1', 'v2', 'w1']) gitIn(directory, 'tag', name)
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const namesIn = (text: string) => [...text.matchAll(/\/src\/(?:branch|tag)\/([^"]+)"><svg/g)].map(([, name]) => name).sort()

test('each branch is shown with its last commit and how far it is from the default one', async () => {
  const { text } = await visitor.get('/ada/engine/branches?view=all')
  expect(namesIn(text)).toEqual(['feature/one', 'feature/two', 'main', 'other'])
  expect(text).toMatch(/feature\/one<\/a>.*?Second<\/a>.*?1 behind.*?2 ahead/s)
  expect(text).not.toContain('type="checkbox"')
})

test('how far branches are is looked for again where there was no time for it', async () => {
  const { git } = forge.context
  const run = git.run.bind(git)
  const busy = spyOn(git, 'run').mockImplementation((task, where, input) =>
    run(task, where, (task === 'compareTips' ? { ...input, milliseconds: -1 } : input) as never),
  )
  // Each address is another page, of the same branches.
  const shown = async (n: number) => (await visitor.get(`/ada/engine/branches?q=feature&again=${n}`)).text
  expect(await shown(1)).not.toMatch(/\d behind/)
  busy.mockRestore()
  using _clock = anHourLater()
  expect(await shown(2)).toMatch(/feature\/one<\/a>.*?1 behind.*?2 ahead/s)
})

test('branches and tags are found by a part of their names', async () => {
  expect(namesIn((await visitor.get('/ada/engine/branches?q=FEATURE')).text)).toEqual(['feature/one', 'feature/two'])
  expect(namesIn((await visitor.get('/ada/engine/tags?q=v')).text)).toEqual(['v1', 'v2'])
})

test('branches nobody worked on for months are stale, and the default one is always shown', async () => {
  forge.context.db.tx((tx) => tx.run("UPDATE ref SET time = 1000000000 WHERE name = 'refs/heads/other'"))
  expect(namesIn((await visitor.get('/ada/engine/branches?view=stale')).text)).toEqual(['main', 'other'])
  expect(namesIn((await visitor.get('/ada/engine/branches')).text)).not.toContain('other')
})

test('several are deleted at once; what cannot be is told, and the others are gone', async () => {
  const kept = await hers.post('/ada/engine/branches/delete', { name: ['main', 'other'] })
  expect([kept.status, kept.text.includes('main: can not delete default')]).toEqual([409, true])
  expect((await hers.post('/ada/engine/branches/delete', { name: ['feature/two'] })).headers.get('location')).toBe('/ada/engine/branches')
  expect(namesIn((await visitor.get('/ada/engine/branches?view=all')).text)).toEqual(['feature/one', 'main'])
  expect((await hers.post('/ada/engine/tags/delete', { name: ['v1', 'v2'] })).status).toBe(303)
  expect(namesIn((await visitor.get('/ada/engine/tags')).text)).toEqual(['w1'])
  expect((await visitor.post('/ada/engine/tags/delete', { name: ['w1'] })).status).not.toBe(200)
  expect(namesIn((await visitor.get('/ada/engine/tags')).text)).toEqual(['w1'])
})

test('a branch is begun where somebody says, unless there is nothing', async () => {
  const made = await hers.post('/ada/engine/branches/new', { new_branch_name: 'fresh', old_ref_name: 'w1' })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/ada/engine/src/branch/fresh'])
  expect((await hers.post('/ada/engine/branches/new', { new_branch_name: 'x', old_ref_name: 'absent' })).status).toBe(409)
})

test('one with a comma in its name is one branch, or one tag', async () => {
  const at = '/repos/ada/engine'
  const names = ['c', 'd', 'c,d']
  for (const name of names) await asAda.post(`${at}/branches`, { new_branch_name: name })
  for (const tag_name of names) await asAda.post(`${at}/tags`, { tag_name })
  for (const kind of ['branches', 'tags']) {
    await hers.post(`/ada/engine/${kind}/delete`, { name: ['c,d'] })
    const left = await Promise.all(names.map((name) => forge.get(`${at}/${kind}/${name}`)))
    expect([kind, ...left.map(({ status }) => status)]).toEqual([kind, 200, 200, 404])
    for (const name of ['c', 'd']) await asAda.delete(`${at}/${kind}/${name}`)
  }
})

describe('a deleted branch', () => {
  let gone = ''
  let id = ''
  let oid = ''
  const repo = async () => (await forge.get<{ id: number }>('/repos/ada/engine')).body.id
  const tipOf = async (name: string) => findRef(forge.context.db, await repo(), `refs/heads/${name}`)?.oid
  const idOf = (text: string, name: string) => new RegExp(`name="id" value="(\\d+)" aria-label="Restore ${name}"`).exec(text)?.[1] ?? ''
  const restore = (as: TestBrowser, entry: string) => as.post('/ada/engine/branches/restore', { id: entry })

  async function deleteBranch() {
    gone = `gone-${crypto.randomUUID().slice(0, 8)}`
    await hers.post('/ada/engine/branches/new', { new_branch_name: gone, old_ref_name: 'feature/one' })
    const file = { content: btoa('x'), message: 'Only here', branch: gone }
    await asAda.post(`/repos/ada/engine/contents/${gone}`, file)
    oid = (await tipOf(gone)) ?? ''
    await hers.post('/ada/engine/branches/delete', { name: [gone] })
    id = idOf((await hers.get('/ada/engine/branches')).text, gone)
  }

  test('is restored where it pointed, and told of to those alone who may do that', async () => {
    await deleteBranch()
    const { text } = await hers.get('/ada/engine/branches')
    expect(text).toMatch(new RegExp(`${gone}.*?${oid.slice(0, 10)}.*?deleted .*?by .*?ada.*?can be restored until \\d{4}-\\d\\d-\\d\\d`, 's'))
    expect((await visitor.get('/ada/engine/branches')).text).not.toContain(gone)
    expect([(await restore(visitor, id)).status, await tipOf(gone)]).toEqual([303, undefined])
    const other = new TestBrowser(forge, await forge.person(`eve-${gone}`))
    expect([(await restore(other, id)).status, await tipOf(gone)]).toEqual([403, undefined])
    expect((await hers.get(`/ada/engine/commit/${oid}`)).status).toBe(200)
    const listed = async () => (await visitor.get('/ada/engine/info/refs?service=git-upload-pack')).text.includes(`${oid} refs/heads/${gone}\n`)
    expect([await listed(), (await restore(hers, id)).status, await listed()]).toEqual([false, 303, true])
    expect(idOf((await hers.get('/ada/engine/branches')).text, gone)).toBe('')
  })

  test('is restored once by two who do so at once', async () => {
    await deleteBranch()
    const answers = await Promise.all([restore(hers, id), restore(hers, id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(answers.find(({ status }) => status === 409)?.text).toContain('The branch already exists.')
    expect(await tipOf(gone)).toBe(oid as Oid)
  })

  test('is not restored over what has its name by now', async () => {
    await deleteBranch()
    await hers.post('/ada/engine/branches/new', { new_branch_name: gone, old_ref_name: 'main' })
    const now = await tipOf(gone)
    const told = await restore(hers, id)
    expect([told.status, told.text.includes('The branch already exists.'), await tipOf(gone)]).toEqual([409, true, now])
    expect(idOf(told.text, gone)).toBe('')
  })

  test('that rules keep from being made is not restored', async () => {
    await deleteBranch()
    const rule = { rule_name: gone, enable_push: false }
    expect((await asAda.post('/repos/ada/engine/branch_protections', rule)).status).toBe(201)
    expect([(await restore(hers, id)).status, await tipOf(gone)]).toEqual([409, undefined])
  })

  test('whose commit is gone is no longer offered, and said to be gone', async () => {
    await deleteBranch()
    const absent = 'a'.repeat(40)
    forge.context.db.tx((tx) => tx.run('UPDATE reflog SET old_oid = ? WHERE id = ?', absent, Number(id)))
    expect(idOf((await hers.get('/ada/engine/branches')).text, gone)).toBe('')
    const told = await restore(hers, id)
    expect([told.status, told.text.includes(`its last commit ${absent} no longer exists`)]).toEqual([409, true])
    for (const entry of ['999999999', 'x', '0']) expect([409, 422]).toContain((await restore(hers, entry)).status)
  })
})
