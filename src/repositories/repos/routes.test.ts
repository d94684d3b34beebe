import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessStore, anonymous, type RepoAccess, type RepoRow } from '#access/index.ts'
import { NotFound } from '#kernel/errors.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { editRepo } from './edit-repo.ts'
import { presentRepoRow } from './index.ts'
import type { Repository } from './schema.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
beforeAll(async () => {
  for (const name of ['ada', 'bob']) await forge.person(name)
})
afterAll(() => forge[Symbol.asyncDispose]())

let made = 0
/** A repository of ada's with a name of its own. */
async function newRepo(more: Record<string, unknown> = {}): Promise<Repository> {
  const { status, body } = await asAda.post<Repository>('/user/repos', { name: `made-${++made}`, ...more })
  expect(status).toBe(201)
  return body
}

function makeTwoBranches(directory: string): void {
  gitIn(directory, 'commit', '-qm', 'first', '--allow-empty')
  gitIn(directory, 'branch', 'next')
}

describe('POST /user/repos', () => {
  test('takes every field over', async () => {
    const body = { name: 'Engine', description: 'It computes', private: true, template: true, default_branch: 'trunk', trust_model: 'committer' }
    const { status, body: repo } = await asAda.post<Repository>('/user/repos', body)
    expect(status).toBe(201)
    expect(repo).toMatchObject({
      name: 'Engine',
      full_name: 'ada/Engine',
      description: 'It computes',
      private: true,
      template: true,
      default_branch: 'trunk',
      empty: true,
    })
    expect(repo).toMatchObject({
      clone_url: 'http://localhost:3000/ada/Engine.git',
      permissions: { admin: true, push: true, pull: true },
      size: 0,
      has_actions: true,
      default_allow_maintainer_edit: true,
    })
    for (const absent of ['parent', 'repo_transfer']) expect(repo).not.toHaveProperty(absent)
    expect(gitIn(forge.context.git.pathOf(repo.id), 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk\n')
  })

  test('a name in use, in any case, is 409', async () => {
    await newRepo({ name: 'Taken' })
    expect((await asAda.post('/user/repos', { name: 'tAKEN' })).status).toBe(409)
    expect((await forge.asUser('bob').post('/user/repos', { name: 'taken' })).status).toBe(201)
  })

  test.each([
    ...[
      '',
      '.',
      '..',
      '-',
      'a b',
      'a/b',
      'a\\b',
      'a\0b',
      'a..b',
      'a.',
      'a.git',
      'A.GIT',
      'a.wiki',
      'a.rss',
      'a.atom',
      'con',
      'NUL.txt',
      'ä',
      '../../x',
      'x'.repeat(101),
    ].map((name) => ({ name })),
    { name: 'ok', description: 'x'.repeat(2049) },
    { name: 'ok', default_branch: 'x'.repeat(101) },
    { name: 'ok', default_branch: '-x' },
    { name: 'ok', default_branch: '../x' },
    { name: 'ok', gitignores: 'x'.repeat(100_000) },
    { name: 'ok', gitignores: 'None/../../etc/passwd' },
    { name: 'ok', license: 'nothing' },
    { name: 'ok', readme: '../x' },
    { name: 'ok', issue_labels: 'constructor' },
    { name: 'ok', trust_model: 'everyone' },
    { name: 'ok', object_format_name: 'sha256' },
    { name: 5 },
    { description: 'no name' },
    ['ok'],
  ])('%j is 422 and nothing is made', async (body) => {
    const before = forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM repository')
    const { status, body: answer } = await asAda.post('/user/repos', body)
    expect([status, typeof answer.message]).toEqual([422, 'string'])
    expect(forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM repository')).toEqual(before)
  })

  test('a user at the limit gets no more, an administrator does', async () => {
    const eve = await forge.person('eve')
    forge.context.db.tx((tx) => tx.update('user', eve.row.id, { max_repo_creation: 1 }))
    const create = (name: string) => forge.asUser('eve').post('/user/repos', { name })
    expect([(await create('one')).status, (await create('two')).status]).toEqual([201, 422])
    forge.context.db.tx((tx) => tx.update('user', eve.row.id, { is_admin: 1 }))
    expect((await create('two')).status).toBe(201)
  })

  test('visitors are asked to sign in', async () => {
    expect((await forge.post('/user/repos', { name: 'x' })).status).toBe(401)
  })
})

describe('PATCH /repos/{owner}/{repo}', () => {
  const edit = (name: string, body: unknown) => asAda.patch(`/repos/ada/${name}`, body)

  test('changes what is named and nothing else', async () => {
    const before = await newRepo({ description: 'stays' })
    const { body: after } = await edit(before.name, { website: 'https://example.org' })
    expect(after).toEqual({ ...before, website: 'https://example.org', updated_at: after.updated_at })
  })

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ private: true }, { private: true }],
    [{ template: true }, { template: true }],
    [{ archived: true }, { archived: true }],
    [{ has_issues: false }, { has_issues: false }],
    [
      { has_wiki: true, external_wiki: { external_wiki_url: 'https://w.example' } },
      { has_wiki: true, external_wiki: { external_wiki_url: 'https://w.example' } },
    ],
    [{ has_pull_requests: false }, { has_pull_requests: false, allow_rebase: false, default_merge_style: 'merge' }],
    [
      { has_projects: false, has_releases: false, has_packages: false, has_actions: false },
      { has_projects: false, has_releases: false, has_packages: false, has_actions: false },
    ],
    [
      { allow_merge_commits: false, allow_squash_merge: false },
      { allow_merge_commits: false, allow_squash_merge: false, allow_rebase: true },
    ],
    [
      { default_merge_style: 'squash', default_update_style: 'rebase' },
      { default_merge_style: 'squash', default_update_style: 'rebase' },
    ],
    [
      { allow_merge_update: false, default_update_style: 'rebase' },
      { allow_merge_update: false, allow_rebase_update: true, default_update_style: 'rebase' },
    ],
    [
      { allow_merge_update: false, default_update_style: 'rebase', has_pull_requests: false },
      { allow_merge_update: false, default_target_branch: '' },
    ],
    [
      { mirror_username: 'u', mirror_password: 'p', mirror_token: 't' },
      { mirror: false, mirror_interval: '', mirror_last_sync_at: '0001-01-01T00:00:00Z' },
    ],
    [
      { allow_manual_merge: true, autodetect_manual_merge: true },
      { allow_manual_merge: true, autodetect_manual_merge: true },
    ],
    [
      { default_delete_branch_after_merge: true, default_allow_maintainer_edit: true },
      { default_delete_branch_after_merge: true, default_allow_maintainer_edit: true },
    ],
    [
      { internal_tracker: { enable_time_tracker: false } },
      { internal_tracker: { enable_time_tracker: false, allow_only_contributors_to_track_time: true, enable_issue_dependencies: true } },
    ],
    [
      { has_issues: true, external_tracker: { external_tracker_url: 'https://t.example' } },
      {
        has_issues: true,
        external_tracker: {
          external_tracker_url: 'https://t.example',
          external_tracker_style: 'numeric',
          external_tracker_format: '',
          external_tracker_regexp_pattern: '',
        },
      },
    ],
    [
      { mirror_interval: '8h', enable_prune: false },
      { mirror: false, mirror_interval: '' },
    ],
    [{ default_branch: 'later' }, { default_branch: 'later' }],
    [
      { projects_mode: 'repo', ignore_whitespace_conflicts: true },
      { projects_mode: 'repo', ignore_whitespace_conflicts: true },
    ],
  ])('%j', async (body, expected) => {
    const { name } = await newRepo()
    const { status, body: after } = await edit(name, body)
    expect([status, after]).toEqual([200, expect.objectContaining(expected)])
    expect((await asAda.get(`/repos/ada/${name}`)).body).toEqual(after)
  })

  test.each([
    { name: 'a/b' },
    { name: 'con' },
    { name: 'x'.repeat(101) },
    { description: 'x'.repeat(2049) },
    { default_branch: '-x' },
    { default_merge_style: 'hope' },
    { has_issues: 'maybe' },
    { external_wiki: { external_wiki_url: 'javascript:alert(1)' }, has_wiki: true },
    { external_tracker: { external_tracker_url: 'ftp://t.example' }, has_issues: true },
    { external_tracker: { external_tracker_url: 'https://t.example', external_tracker_format: 'javascript:{index}' }, has_issues: true },
  ])('%j is 422 and changes nothing', async (body) => {
    const repo = await newRepo()
    fillRepo(forge, repo.id, makeTwoBranches)
    const before = (await forge.get(`/repos/ada/${repo.name}`)).body
    expect((await edit(repo.name, { ...body, website: 'https://changed.example' })).status).toBe(422)
    expect((await forge.get(`/repos/ada/${repo.name}`)).body).toEqual(before)
  })

  test('a default branch that there is not is passed over, where there are others', async () => {
    const repo = await newRepo()
    fillRepo(forge, repo.id, makeTwoBranches)
    const { status, body } = await edit(repo.name, { default_branch: 'absent', website: 'https://changed.example' })
    expect([status, body.default_branch, body.website]).toEqual([200, repo.default_branch, 'https://changed.example'])
  })

  test('who says how pull requests are merged switches them on, unless they say that they are off', async () => {
    const { name } = await newRepo()
    await edit(name, { has_pull_requests: false })
    expect((await edit(name, { projects_mode: 'repo' })).body.has_pull_requests).toBe(false)
    expect((await edit(name, { has_pull_requests: false, allow_rebase: false })).body.has_pull_requests).toBe(false)
    expect((await edit(name, { allow_squash_merge: false })).body).toMatchObject({ has_pull_requests: true, allow_squash_merge: false, allow_rebase: false })
  })

  test('a tracker and a wiki elsewhere count only where the unit is asked for as well', async () => {
    const { name } = await newRepo()
    const { body } = await edit(name, {
      external_tracker: { external_tracker_url: 'https://t.example' },
      external_wiki: { external_wiki_url: 'https://w.example' },
    })
    for (const absent of ['external_tracker', 'external_wiki']) expect(body).not.toHaveProperty(absent)
  })

  test('the default branch becomes HEAD on disk', async () => {
    const repo = await newRepo()
    fillRepo(forge, repo.id, makeTwoBranches)
    expect((await edit(repo.name, { default_branch: 'next' })).body.default_branch).toBe('next')
    await forge.context.tasks.stop()
    expect(gitIn(forge.context.git.pathOf(repo.id), 'symbolic-ref', 'HEAD')).toBe('refs/heads/next\n')
  })

  test('a rename leaves a redirect that strangers cannot tell from nothing, until the name is used again', async () => {
    const { id, name } = await newRepo({ private: true })
    expect((await edit(name, { name: `${name}-new` })).body.full_name).toBe(`ada/${name}-new`)
    const moved = await asAda.get(`/repos/ada/${name}?x=1`)
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `/api/v1/repos/ada/${name}-new?x=1`])
    expect((await forge.asUser('bob').get(`/repos/ada/${name}`)).status).toBe(404)
    const next = await newRepo({ name })
    expect((await asAda.get(`/repos/ada/${name}`)).body.id).toBe(next.id)
    expect((await asAda.get(`/repos/ada/${name}-new`)).body.id).toBe(id)
  })

  test('a rename to a name in use is refused, to another case of its own name is not', async () => {
    const [one, two] = [await newRepo(), await newRepo()]
    expect((await edit(one.name, { name: two.name.toUpperCase() })).status).toBe(422)
    expect((await edit(one.name, { name: one.name.toUpperCase() })).body.name).toBe(one.name.toUpperCase())
    expect((await forge.get(`/repos/ada/${one.name}`)).status).toBe(200)
  })

  test('an archived repository takes no branches until it is no longer archived', async () => {
    const repo = await newRepo()
    fillRepo(forge, repo.id, makeTwoBranches)
    await edit(repo.name, { archived: true })
    const create = () => asAda.post(`/repos/ada/${repo.name}/branches`, { new_branch_name: 'more' })
    expect((await create()).status).toBe(423)
    expect((await asAda.delete(`/repos/ada/${repo.name}/branches/next`)).status).toBe(423)
    await edit(repo.name, { archived: false })
    expect((await create()).status).toBe(201)
  })

  test.each([
    [{ allow_merge_update: false }, 'use rebase'],
    [{ default_update_style: 'rebase', allow_rebase_update: false }, 'use merge'],
    [{ allow_merge_update: false, allow_rebase_update: false }, 'allow merge or rebase first'],
  ])('%j, which leaves no allowed way to update a pull request by default, is 422 and changes nothing', async (body, reason) => {
    const { name } = await newRepo()
    const reply = await edit(name, body)
    expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining(reason)])
    expect((await edit(name, {})).body).toMatchObject({ allow_merge_update: true, allow_rebase_update: true, default_update_style: 'merge' })
  })

  test('branches are counted as they come and go', async () => {
    const { id, name } = await newRepo()
    const count = async () => (await forge.get(`/repos/ada/${name}`)).body.branch_count
    const counts = [await count()]
    fillRepo(forge, id, makeTwoBranches)
    counts.push(await count())
    await asAda.post(`/repos/ada/${name}/branches`, { new_branch_name: 'third' })
    await asAda.post(`/repos/ada/${name}/tags`, { tag_name: 'v1' })
    counts.push(await count())
    for (const branch of ['third', 'next']) await asAda.delete(`/repos/ada/${name}/branches/${branch}`)
    counts.push(await count())
    expect(counts).toEqual([0, 2, 3, 1])
  })

  test('a mirror takes its interval and pruning separately, and no archiving', async () => {
    const { id, name } = await newRepo()
    forge.context.db.tx((tx) => tx.update('repository', id, { is_mirror: 1, mirror_interval: '8h0m0s' }))
    expect((await edit(name, { enable_prune: false })).body.mirror_interval).toBe('8h0m0s')
    expect((await edit(name, { mirror_interval: '90m' })).body.mirror_interval).toBe('1h30m0s')
    expect(accessStore.findRepoById(forge.context.db, id)?.enable_prune).toBe(0)
    for (const mirror_interval of ['soon', '5m', '-1h', '1h2']) expect((await edit(name, { mirror_interval })).status).toBe(422)
    expect((await edit(name, { archived: true })).status).toBe(422)
  })
})

test('what Go clients send for what was not set stands for the default', async () => {
  const unset = { description: '', gitignores: '', license: '', readme: '', issue_labels: '', default_branch: '', trust_model: '', object_format_name: '' }
  const made = await asAda.post('/user/repos', { name: 'from-go', ...unset })
  expect([made.status, made.body.default_branch, made.body.object_format_name]).toEqual([201, 'main', 'sha1'])
  const edited = await asAda.patch('/repos/ada/from-go', { default_merge_style: '', default_update_style: '' })
  expect([edited.status, edited.body.default_merge_style]).toEqual([200, 'merge'])
})

test('a repository that is deleted after who changes it was let in is not there', async () => {
  const ada = await forge.person('late')
  const row = forge.repo(ada, 'brief')
  const seen = { row, owner: ada.row } as RepoAccess
  expect((await forge.asUser(ada).delete('/repos/late/brief')).status).toBe(204)
  const told = () => forge.context.db.all("SELECT 1 FROM event WHERE type = 'repository'").length
  const before = told()
  expect(() => editRepo(forge.context, ada.row, seen, { name: 'other' })).toThrow(NotFound)
  expect(told()).toBe(before)
})

test('a repository that goes with its owner before it is answered with is not there', async () => {
  await using other = testForge()
  await other.person('mayfly')
  await other.person('undertaker', { isAdmin: true })
  const { body } = await other.asUser('mayfly').post<Repository>('/user/repos', { name: 'brief' })
  const row = accessStore.findRepoById(other.context.db, body.id) as RepoRow
  expect((await other.asUser('undertaker').delete('/admin/users/mayfly?purge=true')).status).toBe(204)
  expect(() => presentRepoRow(other.context, anonymous, row)).toThrow(NotFound)
})
