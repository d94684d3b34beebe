import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Oid } from '#git/objects/oid.ts'
import { findRef } from '#repositories/refs/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'

const forge = testForge()
let hers: TestBrowser
let visitor: TestBrowser
let repoId: number
/** Commits by their subjects. */
const commits: Record<string, Oid> = {}

beforeAll(async () => {
  const ada = await forge.person('ada')
  repoId = forge.repo(ada, 'engine').id
  hers = new TestBrowser(forge, ada)
  visitor = new TestBrowser(forge)
  fillRepo(forge, repoId, (directory) => {
    const commit = (subject: string) => {
      gitIn(directory, 'commit', '-q', '--allow-empty', '-m', subject)
      commits[subject] = gitIn(directory, 'rev-parse', 'HEAD').trim() as Oid
    }
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    commit('Begin')
    commit('Go on')
    gitIn(directory, 'checkout', '-q', '-b', 'other', commits.Begin as string)
    commit('Another way')
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const tipOf = (name: string) => findRef(forge.context.db, repoId, `refs/heads/${name}`)?.oid as string
const move = (name: string, to: string) =>
  forge.asUser('ada').put(`/repos/ada/engine/branches/${name}`, { new_commit_id: commits[to], old_commit_id: tipOf(name), force: true })
const idOf = (html: string, to: string) =>
  new RegExp(`name="id" value="(\\d+)" aria-label="Reset branch to this commit: ${commits[to]?.slice(0, 10)}"`).exec(html)?.[1] ?? ''

/** A branch of its own that was moved on and then, by force, aside. */
async function moved(name: string) {
  await hers.post('/ada/engine/branches/new', { new_branch_name: name, old_ref_name: commits.Begin as string })
  await move(name, 'Go on')
  await move(name, 'Another way')
  return `/ada/engine/reflog/${name}`
}

test('a branch tells where it has pointed, what was forced, and compares what it was with what it became', async () => {
  const { text } = await hers.get(await moved('work/a'))
  const rows = text.split('<li class="entry">').slice(1)
  const plain = rows.map((row) => row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '))
  const short = (subject: string) => commits[subject]?.slice(0, 10)
  expect(plain[0]).toContain(`${short('Go on')} → ${short('Another way')} Forced update Current ada : updated, 1 commit added, 1 removed just now`)
  expect(plain[1]).toContain(`${short('Begin')} → ${short('Go on')} ada : updated, 1 commit added just now`)
  expect(plain[2]).toContain(`none → ${short('Begin')}`)
  expect(rows[0]).toContain(`href="/ada/engine/compare/${commits['Go on']}..${commits['Another way']}"`)
  expect(rows[1]).toContain(`href="/ada/engine/compare/${commits.Begin}...${commits['Go on']}"`)
  expect((await visitor.get(`/ada/engine/compare/${commits['Go on']}..${commits['Another way']}`)).status).toBe(200)
})

test('what was pushed away is named to who may push alone, and nobody else is led to it', async () => {
  const page = await moved('work/secret')
  const reader = new TestBrowser(forge, await forge.person('rita'))
  expect((await forge.asUser('ada').put('/repos/ada/engine/collaborators/rita', { permission: 'read' })).status).toBe(204)
  const link = `href="${page}"`
  for (const [who, status] of [
    [visitor, 303],
    [reader, 403],
  ] as const) {
    const { status: answered, text } = await who.get(page)
    expect([answered, text.includes(commits['Go on']?.slice(0, 10) as string)]).toEqual([status, false])
    expect((await who.get('/ada/engine/branches')).text).not.toContain(link)
  }
  expect((await hers.get('/ada/engine/branches')).text).toContain(link)
  const seen = await hers.get(page)
  expect([seen.status, seen.text.includes('Only users with write access')]).toEqual([200, true])
})

test('who may push puts it back, which is a move like any other; nobody else does', async () => {
  const page = await moved('work/b')
  const { text } = await hers.get(page)
  const form = { id: idOf(text, 'Go on'), from: commits['Another way'] as string }
  const stranger = new TestBrowser(forge, await forge.person('eve'))
  expect([(await stranger.post(page, form)).status, tipOf('work/b')]).toEqual([403, form.from])
  const done = await hers.post(page, form)
  expect([done.status, done.headers.get('location'), tipOf('work/b')]).toEqual([303, page, commits['Go on'] as string])
  expect((await hers.get(page)).text).toContain(`reset to ${commits['Go on']?.slice(0, 10)}`)
})

test('it is not put back over what somebody else has pushed since, nor where another branch was', async () => {
  const page = await moved('work/c')
  const id = idOf((await hers.get(page)).text, 'Go on')
  const late = await hers.post(page, { id, from: commits.Begin as string })
  expect([late.status, late.text.includes('it now points to'), tipOf('work/c')]).toEqual([422, true, commits['Another way'] as string])
  const other = await hers.post('/ada/engine/reflog/other', { id, from: tipOf('other') })
  expect([other.status, tipOf('other')]).toEqual([409, commits['Another way'] as string])
})

test('rules that forbid to push by force keep it where it is', async () => {
  const page = await moved('guarded')
  const rule = { rule_name: 'guarded', enable_push: true }
  expect((await forge.asUser('ada').post('/repos/ada/engine/branch_protections', rule)).status).toBe(201)
  const refused = await hers.post(page, { id: idOf((await hers.get(page)).text, 'Go on'), from: tipOf('guarded') })
  expect([refused.status, refused.text.includes('role="alert"'), tipOf('guarded')]).toEqual([403, true, commits['Another way'] as string])
})

test('commits that are gone are named and not offered, a deleted branch is restored from here, an unknown one is not there', async () => {
  const page = await moved('work/d')
  forge.context.db.tx((tx) =>
    tx.run("UPDATE reflog SET new_oid = ? WHERE name = 'refs/heads/work/d' AND new_oid = ?", 'a'.repeat(40), commits['Go on'] as string),
  )
  const { text } = await hers.get(page)
  expect(text).toContain('<span title="This commit no longer exists"><code>aaaaaaaaaa</code></span>')
  expect(idOf(text, 'Go on')).toBe('')
  await hers.post('/ada/engine/branches/delete', { name: ['work/d'] })
  const deleted = (await hers.get(page)).text
  expect(deleted).toContain('This branch is deleted.')
  const id = /name="id" value="(\d+)" aria-label="Restore/.exec(deleted)?.[1] ?? ''
  expect((await hers.post('/ada/engine/branches/restore', { id })).status).toBe(303)
  expect(tipOf('work/d')).toBe(commits['Another way'] as string)
  expect((await hers.get('/ada/engine/reflog/absent')).status).toBe(404)
})

test('a long history is paged by its entries', async () => {
  const page = await moved('busy')
  for (let i = 0; i < 26; i++) for (const to of ['Go on', 'Another way']) await move('busy', to)
  const first = (await hers.get(page)).text
  const next = /<a rel="next" href="([^"]+)"/.exec(first)?.[1] ?? ''
  const second = (await hers.get(next)).text
  expect([first, second].map((text) => text.split('<li class="entry">').length - 1)).toEqual([50, 5])
})
