import { afterAll, afterEach, beforeAll, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessStore, type RepoRow } from '#access/index.ts'
import { listRefs } from '#repositories/refs/index.ts'
import { gitIn, oneStepBatches, testForge } from '../../../test/harness.ts'
import { noteGone } from '../../../test/next-start.ts'
import { deleteRepo, removeDirectories, sweepRemoved } from './index.ts'
import type { Repository } from './schema.ts'

const forge = testForge({}, oneStepBatches)
const ada = forge.asUser('ada')
beforeAll(async () => {
  for (const name of ['ada', 'bob']) await forge.person(name)
})
// Tests look at all directories that are still to be removed.
afterEach(() => removeDirectories(forge.context))
afterAll(() => forge[Symbol.asyncDispose]())

let made = 0
/** A repository of ada's with a name of its own. */
async function newRepo(more: Record<string, unknown> = {}): Promise<Repository> {
  const { status, body } = await ada.post<Repository>('/user/repos', { name: `made-${++made}`, ...more })
  expect(status).toBe(201)
  return body
}

test('a deletion takes the row, its redirects and its directory', async () => {
  const { id, name } = await newRepo()
  await ada.patch(`/repos/ada/${name}`, { name: `${name}-x` })
  expect((await ada.delete(`/repos/ada/${name}-x`)).status).toBe(204)
  for (const gone of [name, `${name}-x`]) expect((await ada.get(`/repos/ada/${gone}`)).status).toBe(404)
  await removeDirectories(forge.context)
  expect(existsSync(forge.context.git.pathOf(id))).toBe(false)
})

test('a directory of many files goes without holding up anybody, and its row is kept until it is gone', async () => {
  const { context } = forge
  const { id, name } = await newRepo()
  const objects = join(context.git.pathOf(id), 'objects')
  for (let i = 0; i < 100; i++) {
    mkdirSync(join(objects, String(i)))
    for (let k = 0; k < 20; k++) writeFileSync(join(objects, String(i), String(k)), '')
  }
  expect((await ada.delete(`/repos/ada/${name}`)).status).toBe(204)
  expect([existsSync(objects), context.db.all('SELECT id FROM removed_repository')]).toEqual([true, [{ id }]])
  await removeDirectories(context)
  expect([existsSync(context.git.pathOf(id)), context.db.all('SELECT id FROM removed_repository')]).toEqual([false, []])
})

/** Many refs, and what the reflog says of them. */
function fillRefs(repoId: number, many: number): void {
  const oid = 'a'.repeat(40)
  forge.context.db.tx((tx) => {
    for (let i = 0; i < many; i++) {
      tx.insert('ref', { repo_id: repoId, name: `refs/heads/${i}`, oid })
      tx.insert('reflog', { repo_id: repoId, name: `refs/heads/${i}`, old_oid: oid, new_oid: oid, actor_id: 1, message: '', created_at: 1 })
    }
  })
}

const left = (repoId: number) => ['ref', 'reflog'].map((table) => forge.context.db.all(`SELECT 1 FROM ${table} WHERE repo_id = ?`, repoId).length)

test('very many refs go a few at a time once the repository is gone, and those of others stay', async () => {
  const { context } = forge
  const [kept, gone] = [await newRepo(), await newRepo()]
  fillRefs(kept.id, 10)
  fillRefs(gone.id, 1200)
  expect((await ada.delete(`/repos/ada/${gone.name}`)).status).toBe(204)
  expect((await ada.get(`/repos/ada/${gone.name}/branches`)).status).toBe(404)
  expect(left(gone.id)[0]).toBeGreaterThan(0)
  expect([gone.id, kept.id].map((id) => [listRefs(context.db, id).length, listRefs(context.db, id, { limit: 3 }).length])).toEqual([
    [0, 0],
    [10, 3],
  ])
  await removeDirectories(context)
  expect([left(gone.id), left(kept.id)]).toEqual([
    [0, 0],
    [10, 10],
  ])
})

/** Issues that carry a label and a milestone, that another issue names, and of which ada was told, with two comments each. */
function fillIssues(repoId: number, many: number, naming: number): void {
  const at = { created_at: 1, updated_at: 1 }
  forge.context.db.tx((tx) => {
    const label = tx.insert('label', { repo_id: repoId, name: 'all', color: 'aabbcc', ...at })
    const milestone = tx.insert('milestone', { repo_id: repoId, title: 'v1', ...at })
    for (let number = 1; number <= many; number++) {
      const issue = { repo_id: repoId, number, title: `Gear ${number}`, body: 'A needle.', poster_id: 1, milestone_id: milestone, ...at }
      const issue_id = tx.insert('issue', issue)
      tx.run('INSERT INTO issue_search (rowid, title, body, repo) VALUES (?, ?, ?, ?)', issue_id, issue.title, issue.body, `r${repoId}`)
      tx.insert('issue_label', { issue_id, label_id: label })
      tx.insert('issue_assignee', { issue_id, user_id: 1 })
      tx.insert('notification', { issue_id, user_id: 1, updated_at: 1 })
      for (let i = 0; i < 2; i++) tx.insert('comment', { issue_id, repo_id: repoId, type: 'comment', poster_id: 1, body: 'Turns', ...at })
      tx.insert('comment', { issue_id: naming, repo_id: repoId, type: 'issue_ref', poster_id: 1, ref_issue_id: issue_id, ...at })
    }
  })
}

test('very many issues go a few at a time once their repository is gone, and nobody sees what is left', async () => {
  const { db } = forge.context
  const [kept, gone] = [await newRepo(), await newRepo({ private: true })]
  const naming = (await ada.post<{ id: number }>(`/repos/ada/${kept.name}/issues`, { title: 'Names them' })).body.id
  fillIssues(gone.id, 200, naming)
  const fork = await newRepo()
  db.tx((tx) => tx.update('repository', fork.id, { fork_of: gone.id }))
  const issuesLeft = () => db.all('SELECT 1 FROM issue WHERE repo_id = ?', gone.id).length
  expect((await ada.delete(`/repos/ada/${gone.name}`)).status).toBe(204)
  expect(issuesLeft()).toBeGreaterThan(0)
  const lists = ['/repos/issues/search?state=all', '/repos/issues/search?q=needle', '/repos/issues/search?assigned=true', '/notifications?all=true']
  for (const path of lists) {
    const { status, body } = await ada.get<unknown[]>(path)
    expect([path, status, JSON.stringify(body).includes(gone.name), JSON.stringify(body).includes('Gear')]).toEqual([path, 200, false, false])
  }
  for (const path of [
    `/repos/ada/${kept.name}/issues/1/timeline`,
    '/user/repos',
    '/users/ada/activities/feeds',
    '/users/ada/heatmap',
    `/repos/ada/${fork.name}`,
  ]) {
    const { status, body } = await ada.get(path)
    expect([path, status, JSON.stringify(body).includes(gone.name)]).toEqual([path, 200, false])
  }
  await clearRows()
  expect([issuesLeft(), db.all('PRAGMA foreign_key_check'), db.all('SELECT * FROM job')]).toEqual([0, [], []])
  expect((await ada.get(`/repos/ada/${kept.name}/issues/1`)).status).toBe(200)
})

const clearRows = () => forge.context.jobs.resume()

test('issues that a crash left of a deleted repository are cleared by the next start', async () => {
  const { context } = forge
  const [kept, gone] = [await newRepo(), await newRepo()]
  const naming = (await ada.post<{ id: number }>(`/repos/ada/${kept.name}/issues`, { title: 'Names them' })).body.id
  fillIssues(gone.id, 150, naming)
  context.db.txLeavingRows((tx) => {
    tx.run('DELETE FROM repository WHERE id = ?', gone.id)
    noteGone(tx, 'repository', gone.id)
  })
  await clearRows()
  expect([context.db.all('PRAGMA foreign_key_check'), context.db.all('SELECT 1 FROM label WHERE repo_id = ?', gone.id)]).toEqual([[], []])
})

test('refs that a crash left of a deleted repository are cleared by the sweep', async () => {
  const { context } = forge
  const { id } = await newRepo()
  fillRefs(id, 700)
  context.db.tx((tx) => {
    tx.run('DELETE FROM repository WHERE id = ?', id)
    tx.run('INSERT INTO removed_repository (id, removed_at) VALUES (?, 1)', id)
    tx.run("DELETE FROM ref WHERE repo_id = ? AND name < 'refs/heads/3'", id)
  })
  await sweepRemoved(context)
  expect([left(id), context.db.all('SELECT * FROM removed_repository')]).toEqual([[0, 0], []])
})

test('a directory that cannot be removed now holds up no other, and is tried again by the next sweep', async () => {
  const { context } = forge
  const [stuck, other] = [await newRepo(), await newRepo()]
  const remove = spyOn(context.git, 'remove').mockImplementationOnce(() => Promise.reject(new Error('EBUSY')))
  for (const { name } of [stuck, other]) await ada.delete(`/repos/ada/${name}`)
  await removeDirectories(context)
  remove.mockRestore()
  expect([stuck, other].map(({ id }) => existsSync(context.git.pathOf(id)))).toEqual([true, false])
  await sweepRemoved(context)
  expect(existsSync(context.git.pathOf(stuck.id))).toBe(false)
})

test('what is deleted twice at once is deleted once', async () => {
  const { name } = await newRepo()
  const deletions = () => forge.context.db.all("SELECT 1 FROM event WHERE type = 'repository' AND payload LIKE '%deleted%'").length
  const before = deletions()
  const twice = await Promise.all([1, 2].map(() => ada.delete(`/repos/ada/${name}`)))
  expect(twice.every(({ status }) => status === 204 || status === 404)).toBe(true)
  expect(deletions()).toBe(before + 1)
})

test('what a crash interrupted is finished by the sweep, however young it is', async () => {
  const { context } = forge
  const [kept, gone] = [await newRepo(), await newRepo()]
  context.db.tx((tx) => {
    tx.run('INSERT INTO removed_repository (id, removed_at) VALUES (?, 1)', gone.id)
    tx.run('DELETE FROM repository WHERE id = ?', gone.id)
  })
  mkdirSync(context.git.pathOf(99_999))
  await sweepRemoved(context)
  expect([kept.id, gone.id, 99_999].map((id) => existsSync(context.git.pathOf(id)))).toEqual([true, false, false])
  expect(context.db.all('SELECT * FROM removed_repository')).toEqual([])
})

test('a directory that a crash left under the next id is cleared before it is used', async () => {
  const { context } = forge
  const next = (await newRepo()).id + 1
  context.git.create(next, 'stale', context.git.storeOf(next - 1).format)
  const { id } = await newRepo()
  expect(id).toBe(next)
  expect(gitIn(context.git.pathOf(id), 'symbolic-ref', 'HEAD')).toBe('refs/heads/main\n')
})

test('forks outlive what they were made from', async () => {
  const [source, fork] = [await newRepo({ private: true }), await newRepo()]
  forge.context.db.tx((tx) => tx.update('repository', fork.id, { fork_of: source.id }))
  const seen = async (as?: string) => (await forge.asUser(as).get<Repository>(`/repos/ada/${fork.name}`)).body
  expect([(await seen('ada')).parent?.full_name, (await seen()).parent, (await seen()).fork]).toEqual([source.full_name, undefined, true])
  const owner = accessStore.findUserById(forge.context.db, 1) as NonNullable<ReturnType<typeof accessStore.findUserById>>
  deleteRepo(forge.context, { actor: owner, owner, repo: accessStore.findRepoById(forge.context.db, source.id) as RepoRow })
  expect(await seen('ada')).toMatchObject({ fork: false })
  expect(await seen('ada')).not.toHaveProperty('parent')
})

test('a directory with objects that no row knows is set aside, by a sweep and by a new repository of the same number', async () => {
  const { context } = forge
  const { id } = await newRepo({ auto_init: true })
  const tip = gitIn(context.git.pathOf(id), 'rev-parse', 'HEAD')
  // As an older database knows it: the row was never there, and its number is still to be given out.
  context.db.tx((tx) => {
    tx.run('DELETE FROM repository WHERE id = ?', id)
    tx.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'repository'", id - 1)
  })
  const next = await newRepo()
  expect(next.id).toBe(id)
  const aside = await context.git.listAside()
  expect(aside).toHaveLength(1)
  expect(gitIn(aside[0]?.path as string, 'rev-parse', 'HEAD')).toBe(tip)
  expect(existsSync(join(context.git.pathOf(id), 'HEAD'))).toBe(true)
})
