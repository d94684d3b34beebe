import { afterAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { followPushes } from './follow-pushes.ts'

const forge: TestForge = testForge()
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
for (const name of ['ada', 'bob']) await forge.person(name)
const repoId = (await ada.post<{ id: number }>('/user/repos', { name: 'engine' })).body.id
const issues = '/repos/ada/engine/issues'
for (const title of ['one', 'two', 'three', 'four']) await ada.post(issues, { title })
const state = async (number: number) => (await forge.get(`${issues}/${number}`)).body.state
const types = async (number: number) => ((await ada.get<{ type: string }[] | null>(`${issues}/${number}/timeline`)).body ?? []).map(({ type }) => type)

function commit(directory: string, message: string): void {
  gitIn(directory, 'commit', '-q', '--allow-empty', '-m', message)
}

test('commits are told of where they lead, and close what they say once they reach the default branch', async () => {
  await ada.post(`${issues}/4/dependencies`, { owner: 'ada', repo: 'engine', index: 3 })
  fillRepo(forge, repoId, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    commit(directory, 'Fixes #1 and mentions #2, closes #4\n\n<script>alert(1)</script>')
    gitIn(directory, 'checkout', '-q', '-b', 'feature')
    commit(directory, 'closes #3')
  })
  await followPushes(context)
  expect([await state(1), await state(2), await state(3), await state(4)]).toEqual(['closed', 'open', 'open', 'open'])
  expect([await types(1), await types(2), await types(3)]).toEqual([['commit_ref', 'close'], ['commit_ref'], ['add_dependency', 'commit_ref']])
  await followPushes(context)
  expect(await types(1)).toEqual(['commit_ref', 'close'])
  const { text } = await new TestBrowser(forge).get('/ada/engine/issues/1')
  expect(text).toMatch(/closed this in commit <a href="\/ada\/engine\/commit\/[0-9a-f]{40}">/)
})

test('a commit of another repository is told of to those who may read it there', async () => {
  const vault = (await ada.post<{ id: number }>('/user/repos', { name: 'vault', private: true })).body.id
  const { number } = (await ada.post<{ number: number }>(issues, { title: 'public' })).body
  fillRepo(forge, vault, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    commit(directory, `A secret about ada/engine#${number}`)
  })
  await followPushes(context)
  const told = async (as?: string) => JSON.stringify((await forge.asUser(as).get(`${issues}/${number}/timeline`)).body)
  expect(await told('ada')).toContain('A secret')
  for (const who of ['bob', undefined]) expect(await told(who)).not.toMatch(/secret|vault/)
})

test('a push of very many commits on many branches is told of whole, each commit once', async () => {
  const { number } = (await ada.post<{ number: number }>(issues, { title: 'long' })).body
  const yard = (await ada.post<{ id: number }>('/user/repos', { name: 'yard' })).body.id
  const oids: string[] = []
  fillRepo(forge, yard, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    commit(directory, 'first')
    for (const branch of ['a', 'b', 'c']) {
      const lines = Array.from({ length: 300 }, (_, i) => {
        const message = `${branch}${i}: see ada/engine#${number}`
        return `commit refs/heads/${branch}\ncommitter Ada <ada@example.org> ${1700000000 + i} +0000\ndata ${message.length}\n${message}\n${i === 0 ? 'from refs/heads/main^0\n' : ''}`
      })
      Bun.spawnSync(['git', 'fast-import', '--quiet'], { cwd: directory, stdin: Buffer.from(lines.join('')) })
      oids.push(...gitIn(directory, 'rev-list', branch, '^main').trim().split('\n'))
    }
  })
  await followPushes(context)
  const told = context.db.all<{ commit_oid: string }>("SELECT commit_oid FROM comment WHERE type = 'commit_ref' AND ref_repo_id = ?", yard)
  expect(told.map(({ commit_oid }) => commit_oid).sort()).toEqual(oids.sort())
})
