import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import { copyRefsAhead, listRefs, writeDerived } from '#repositories/refs/index.ts'
import { awaitRepo, ComingRepos, removeDirectories, sweepRemoved } from '#repositories/repos/index.ts'
import { lookAfter } from '#repositories/upkeep/index.ts'
import { turns } from '../../../test/eventually.ts'
import { fillRepo, git, gitIn, testForge } from '../../../test/harness.ts'

const forge = testForge({ git: { GC_GRACE_HOURS: 0 } })
const bob = forge.asUser('bob')
const asAda = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const ada = await forge.person('ada')
for (const name of ['bob', 'carl', 'dora', 'eve']) await forge.person(name)

interface Repo {
  id: number
  full_name: string
  fork: boolean
  private: boolean
  forks_count: number
  parent: Repo | null
  has_issues: boolean
  default_branch: string
  message?: string
}
const fork = (as: string | undefined, name: string, body: unknown = {}) => forge.asUser(as).post<Repo>(`/repos/ada/${name}/forks`, body)
const rowOf = (id: number) => context.db.find<RepoRow>('SELECT * FROM repository WHERE id = ?', id) as RepoRow
const packs = (id: number) => readdirSync(join(context.git.pathOf(id), 'objects', 'pack')).filter((name) => name.endsWith('.pack'))

/** A repository of ada's with some history; `hidden` is a commit that its branches no longer reach. */
function engine(name: string, more: Parameters<typeof forge.repo>[2] = {}) {
  const repo = forge.repo(ada, name, more)
  fillRepo(forge, repo.id, (directory) => {
    writeFileSync(join(directory, 'a'), 'one\n')
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-qm', 'One')
    gitIn(directory, 'branch', 'feature/x')
    gitIn(directory, 'tag', '-am', 'v1', 'v1')
    writeFileSync(join(directory, 'a'), 'two\n')
    gitIn(directory, 'commit', '-qam', 'Two')
  })
  return repo
}

/** What stock git says of a repository on disk: everything is there, and these are its refs. */
async function inspect(id: number): Promise<string> {
  await writeDerived(context, id)
  const directory = context.git.pathOf(id)
  await git(['fsck', '--strict', '--connectivity-only'], { cwd: directory })
  return git(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd: directory })
}

test('a fork has the branches and tags, says what it was made from, and is counted', async () => {
  const base = engine('engine')
  const made = await fork('bob', 'engine')
  expect([made.status, made.body]).toMatchObject([
    202,
    { full_name: 'bob/engine', fork: true, private: false, has_issues: false, default_branch: 'main', parent: { full_name: 'ada/engine', forks_count: 1 } },
  ])
  expect(await inspect(made.body.id)).toBe(await inspect(base.id))
  expect(rowOf(made.body.id)).toMatchObject({ branch_count: 2, is_empty: 0, fork_of: base.id })
  const list = await forge.get<Repo[]>('/repos/ada/engine/forks')
  expect([list.body.map(({ full_name }) => full_name), list.headers.get('x-total-count')]).toEqual([['bob/engine'], '1'])
  expect((await bob.delete('/repos/bob/engine')).status).toBe(204)
  expect((await asAda.get<Repo>('/repos/ada/engine')).body.forks_count).toBe(0)
})

test('what is stored once is stored once: a fork takes no room for objects', async () => {
  const base = engine('shared')
  const made = await fork('bob', 'shared')
  const inode = (id: number) => packs(id).map((name) => statSync(join(context.git.pathOf(id), 'objects', 'pack', name)).ino)
  expect(inode(made.body.id)).toEqual(inode(base.id))
  expect(context.db.find<{ is_exact: number }>('SELECT is_exact FROM ref_state WHERE repo_id = ?', made.body.id)?.is_exact).toBe(1)
})

test.each(['the parent', 'the fork'])('whatever becomes of %s, nothing is missing in the other', async (which) => {
  const name = which === 'the parent' ? 'left' : 'right'
  const base = engine(name)
  const made = (await fork('carl', name)).body
  const [changed, kept] = which === 'the parent' ? [base.id, made.id] : [made.id, base.id]
  const before = await inspect(kept)
  const owner = which === 'the parent' ? 'ada' : 'carl'
  // All history of one goes, and is swept up.
  context.db.tx((tx) => {
    tx.run("DELETE FROM ref WHERE repo_id = ? AND name <> 'refs/heads/feature/x'", changed)
    tx.run('UPDATE ref_state SET is_exact = 0, version = version + 1 WHERE repo_id = ?', changed)
  })
  expect((await lookAfter(context, rowOf(changed), true)).joined).toBe('all')
  expect(await inspect(kept)).toBe(before)
  expect((await lookAfter(context, rowOf(kept), true)).joined).toBe('all')
  expect((await forge.asUser(owner).delete(`/repos/${owner}/${name}`)).status).toBe(204)
  rmSync(context.git.pathOf(changed), { recursive: true, force: true })
  expect(await inspect(kept)).toBe(before)
})

test('what the branches of the parent no longer reach does not come along', async () => {
  const base = engine('leaky')
  const lost = context.db.find<{ oid: string }>("SELECT oid FROM ref WHERE repo_id = ? AND name = 'refs/heads/main'", base.id)?.oid as string
  context.db.tx((tx) => {
    tx.run("DELETE FROM ref WHERE repo_id = ? AND name = 'refs/heads/main'", base.id)
    tx.run('UPDATE ref_state SET is_exact = 0, version = version + 1 WHERE repo_id = ?', base.id)
  })
  const made = (await fork('bob', 'leaky')).body
  await inspect(made.id)
  expect((await bob.get(`/repos/bob/leaky/git/commits/${lost}`)).status).toBe(404)
  expect((await bob.get('/repos/bob/leaky/git/commits/feature%2Fx')).status).toBe(200)
})

test('refs that are neither branches nor tags stay behind, with what only they reach', async () => {
  const base = engine('pulled')
  const { oid } = context.db.find<{ oid: string }>("SELECT oid FROM ref WHERE repo_id = ? AND name = 'refs/heads/main'", base.id) as { oid: string }
  context.db.tx((tx) => tx.run("UPDATE ref SET name = 'refs/pull/1/head' WHERE repo_id = ? AND name = 'refs/heads/main'", base.id))
  const made = (await fork('bob', 'pulled')).body
  expect(await inspect(made.id)).not.toContain('refs/pull')
  expect((await bob.get(`/repos/bob/pulled/git/commits/${oid}`)).status).toBe(404)
})

test('an empty repository has forks, too', async () => {
  forge.repo(ada, 'empty')
  const made = await fork('bob', 'empty')
  expect([made.status, rowOf(made.body.id).is_empty]).toEqual([202, 1])
})

test('a fork goes to an organization, or under another name, to those who may make repositories there', async () => {
  engine('wanted')
  await bob.post('/orgs', { username: 'mill' })
  await bob.post('/orgs', { username: 'veiled', visibility: 'private' })
  expect((await fork('bob', 'wanted', { organization: 'mill', name: 'other' })).body.full_name).toBe('mill/other')
  expect((await fork('carl', 'wanted', { organization: 'mill' })).status).toBe(403)
  expect((await fork('carl', 'wanted', { organization: 'veiled' })).status).toBe(404)
  expect((await fork('carl', 'wanted', { organization: 'nobody' })).status).toBe(404)
  expect((await fork('carl', 'wanted', { organization: 'bob' })).status).toBe(404)
  expect((await fork(undefined, 'wanted')).status).toBe(401)
  expect((await fork('bob', 'wanted', { organization: 'mill', name: 'third' })).status).toBe(409)
  for (const name of ['a/b', '..', '.git', 'x'.repeat(101)]) expect((await fork('carl', 'wanted', { name })).status).toBe(422)
})

test('a private repository is forked in private, by those who read it', async () => {
  engine('secret', { private: true })
  expect((await fork('bob', 'secret')).status).toBe(404)
  await asAda.put('/repos/ada/secret/collaborators/bob', { permission: 'read' })
  const made = await fork('bob', 'secret')
  expect([made.status, made.body.private]).toEqual([202, true])
  expect((await asAda.get<Repo[]>('/repos/ada/secret/forks')).body).toEqual([])
  expect((await forge.asUser('carl').get('/repos/bob/secret')).status).toBe(404)
  const narrow = await forge.asUser(forge.token('bob', 'all', 'public-only')).post('/repos/ada/secret/forks', { name: 'again' })
  expect(narrow.status).toBeOneOf([403, 404])
})

test('what becomes private takes its forks along, and theirs, and they stay private as long as it does', async () => {
  engine('turning')
  await fork('bob', 'turning')
  await forge.asUser('carl').post('/repos/bob/turning/forks', {})
  await forge.asUser('eve').put('/user/starred/carl/turning')
  await asAda.patch('/repos/ada/turning', { private: true })
  for (const owner of ['bob', 'carl']) {
    expect((await forge.asUser(owner).get<Repo>(`/repos/${owner}/turning`)).body.private).toBe(true)
    expect((await forge.asUser('eve').get(`/repos/${owner}/turning`)).status).toBe(404)
    expect((await forge.asUser(owner).patch<Repo>(`/repos/${owner}/turning`, { private: false })).body.private).toBe(true)
  }
  expect(context.db.all('SELECT 1 FROM star')).toEqual([])
  await asAda.patch('/repos/ada/turning', { private: false })
  expect((await bob.patch<Repo>('/repos/bob/turning', { private: false })).body.private).toBe(false)
})

test('who is blocked by the owner forks nothing', async () => {
  engine('blocking')
  await asAda.put('/user/blocks/eve')
  expect((await fork('eve', 'blocking')).status).toBe(403)
})

test('fifty who ask at once are one fork, and leave nothing behind', async () => {
  engine('rush')
  const statuses = (await Promise.all(Array.from({ length: 50 }, () => fork('dora', 'rush')))).map(({ status }) => status)
  expect([statuses.filter((status) => status === 202).length, statuses.filter((status) => status === 409).length]).toEqual([1, 49])
  const known = new Set(context.db.all<{ id: number }>('SELECT id FROM repository').map(({ id }) => `${id}.git`))
  const directories = readdirSync(join(context.config.dataPath, 'repositories')).filter((name) => /^\d+\.git$/.test(name))
  const { id } = (await forge.asUser('dora').get<Repo>('/repos/dora/rush')).body
  expect(directories.filter((name) => !known.has(name) && Number.parseInt(name, 10) > id)).toEqual([])
  expect((await asAda.get<Repo>('/repos/ada/rush')).body.forks_count).toBe(1)
})

describe('a fork of very many refs', () => {
  const MANY = 1200
  const rowsOf = (id: number) => context.db.find<{ n: number }>('SELECT count(*) AS n FROM ref WHERE repo_id = ?', id)?.n

  /** A repository with so many branches, and tags beside them. */
  function crowded(name: string) {
    const repo = engine(name)
    const oid = context.db.find<{ oid: string }>("SELECT oid FROM ref WHERE repo_id = ? AND name = 'refs/heads/main'", repo.id)?.oid as string
    context.db.tx((tx) => {
      for (let i = 0; i < MANY; i++) for (const kind of ['heads', 'tags']) tx.insert('ref', { repo_id: repo.id, name: `refs/${kind}/many/${i}`, oid })
      tx.update('repository', repo.id, { branch_count: MANY + 2 })
      tx.run('UPDATE ref_state SET version = version + 1 WHERE repo_id = ?', repo.id)
    })
    return repo
  }

  test('has them all, and nothing is left of how it was made', async () => {
    const base = crowded('crowded')
    const made = await fork('bob', 'crowded')
    expect(made.status).toBe(202)
    expect(await inspect(made.body.id)).toBe(await inspect(base.id))
    expect(rowOf(made.body.id)).toMatchObject({ branch_count: MANY + 2, is_empty: 0, fork_of: base.id })
    await sweepRemoved(context)
    expect(rowsOf(made.body.id)).toBe(rowsOf(base.id) as number)
    expect(context.db.all('SELECT id FROM removed_repository')).toEqual([])
  })

  test('has them all, and no more, where the parent stores what they do not reach', async () => {
    const base = crowded('cluttered')
    context.db.tx((tx) => tx.run('UPDATE ref_state SET is_exact = 0 WHERE repo_id = ?', base.id))
    const made = await fork('carl', 'cluttered')
    expect(made.status).toBe(202)
    expect([await inspect(made.body.id), rowsOf(made.body.id)]).toEqual([await inspect(base.id), rowsOf(base.id)])
    await removeDirectories(context)
    expect(context.db.all('SELECT id FROM removed_repository')).toEqual([])
  })

  test('that is pushed to meanwhile has what is there at the end; a sweep meanwhile takes nothing', async () => {
    const base = crowded('busy')
    const under = fork('carl', 'busy')
    await turns(2)
    const swept = sweepRemoved(context)
    forge.context.db.tx((tx) => {
      tx.run("DELETE FROM ref WHERE repo_id = ? AND name = 'refs/heads/many/7'", base.id)
      tx.run('UPDATE ref_state SET version = version + 1 WHERE repo_id = ?', base.id)
    })
    const made = await under
    await swept
    expect(made.status).toBe(202)
    expect(await inspect(made.body.id)).toBe(await inspect(base.id))
    await removeDirectories(context)
    expect(context.db.all('SELECT id FROM removed_repository')).toEqual([])
  })

  test('that a crash interrupts leaves rows that nobody sees, which the next start removes', async () => {
    const base = crowded('crashed')
    const { id } = awaitRepo(context)
    await copyRefsAhead(context, base.id, id)
    expect([rowsOf(id), listRefs(context.db, id)]).toEqual([rowsOf(base.id), []])
    context.services.get(ComingRepos).ids.clear()
    await sweepRemoved(context)
    expect(rowsOf(id)).toBe(0)
    expect(forge.repo(ada, 'after').id).toBeGreaterThan(id)
  })

  test('that is refused leaves nothing', async () => {
    crowded('twice')
    expect((await fork('dora', 'twice')).status).toBe(202)
    const taken = await fork('dora', 'twice', { name: 'other' })
    forge.repo(await forge.person('finn'), 'twice')
    const named = await fork('finn', 'twice', { name: 'twice' })
    expect([taken.status, named.status]).toEqual([409, 409])
    await removeDirectories(context)
    expect(context.db.find('SELECT 1 FROM ref WHERE repo_id NOT IN (SELECT id FROM repository)')).toBeUndefined()
  })
})
