import { afterAll, expect } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { surveyRepos } from './survey-repos.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const asAda = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const ada = await forge.person('ada')
await forge.person('bob')

/** A repository of ada's with these files on its default branch. */
function repo(name: string, files: Record<string, string>) {
  const row = forge.repo(ada, name)
  fillRepo(forge, row.id, (directory) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text)
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-qm', 'One')
  })
  context.db.tx((tx) => tx.run('UPDATE ref_state SET version = version + 1 WHERE repo_id = ?', row.id))
  return row
}
const languages = async (name: string) => (await forge.get<Record<string, number>>(`/repos/ada/${name}/languages`)).body
const record = async (name: string) => (await forge.get<{ language: string; licenses: string[] }>(`/repos/ada/${name}`)).body
const put = (name: string, path: string, content: string, more: object = {}) =>
  asAda.post(`/repos/ada/${name}/contents/${path}`, { content: btoa(content), ...more })

test('a repository tells what it is written in once it has been looked at, the most first, and never before', async () => {
  repo('engine', { 'a.go': 'package a\n', 'b.py': `${'x = 1\n'.repeat(10)}`, LICENSE: '' })
  expect([await languages('engine'), (await record('engine')).language]).toEqual([{}, ''])
  await surveyRepos(context)
  expect(Object.entries(await languages('engine'))).toEqual([
    ['Python', 60],
    ['Go', 10],
  ])
  expect((await record('engine')).language).toBe('Python')
})

test('what is committed to the default branch counts, other branches do not', async () => {
  repo('moving', { 'a.go': 'package a\n' })
  await surveyRepos(context)
  await put('moving', 'b.rb', 'puts 1\n'.repeat(9))
  await put('moving', 'c.rs', 'fn main() {}\n'.repeat(99), { new_branch: 'other' })
  await surveyRepos(context)
  expect(await languages('moving')).toEqual({ Ruby: 63, Go: 10 })
  await asAda.patch('/repos/ada/moving', { default_branch: 'other' })
  await surveyRepos(context)
  expect((await record('moving')).language).toBe('Rust')
})

test.each([
  ['by other rules', "counted_by = '0'"],
  ['in a commit that is gone', `oid = '${'12'.repeat(20)}'`],
])('what was found %s is not gone on from', async (how, change) => {
  const name = `anew-${how.length}`
  const { id } = repo(name, { 'a.go': 'package a\n' })
  await surveyRepos(context)
  context.db.tx((tx) => {
    tx.run('UPDATE derived_language SET bytes = 9999 WHERE repo_id = ?', id)
    tx.run(`UPDATE derived_survey SET ${change} WHERE repo_id = ?`, id)
  })
  await put(name, 'b.rb', 'puts 1\n')
  await surveyRepos(context)
  expect(await languages(name)).toEqual({ Go: 10, Ruby: 7 })
})

test('licences are found by their texts', async () => {
  const { body } = await asAda.post<{ name: string }>('/user/repos', { name: 'free', auto_init: true, license: 'MIT' })
  await surveyRepos(context)
  expect(body.name).toBe('free')
  const listed = await forge.get<string[]>('/repos/ada/free/licenses')
  expect([listed.body, (await record('free')).licenses]).toEqual([['MIT'], ['MIT']])
  expect((await forge.get<string[]>('/repos/ada/engine/licenses')).body).toEqual([])
})

test('a fork and an empty repository have theirs too', async () => {
  await forge.asUser('bob').post('/repos/ada/engine/forks', {})
  forge.repo(ada, 'empty')
  await surveyRepos(context)
  expect((await forge.get<object>('/repos/bob/engine/languages')).body).toEqual({ Python: 60, Go: 10 })
  expect([await languages('empty'), (await record('empty')).licenses]).toEqual([{}, []])
})

test('a repository that is damaged, or deleted meanwhile, stops nobody, and nothing stays due', async () => {
  const broken = repo('broken', { 'a.go': 'package a\n' })
  repo('gone', { 'a.go': 'package a\n' })
  repo('whole', { 'a.go': 'package a\n' })
  rmSync(join(context.git.pathOf(broken.id), 'objects'), { recursive: true })
  const surveys = surveyRepos(context)
  await asAda.delete('/repos/ada/gone')
  await surveys
  expect([await languages('broken'), await languages('whole')]).toEqual([{}, { Go: 10 }])
  expect(context.db.all('SELECT * FROM survey_due')).toEqual([])
})

test('what the server leaves off when it stops is due still', async () => {
  const late = repo('late', { 'a.go': 'package a\n' })
  context.git.pool.hasten()
  await surveyRepos(context)
  expect(context.db.all('SELECT repo_id FROM survey_due')).toEqual([{ repo_id: late.id }])
})
