import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import { commitFiles, forgeForStories, type Member, newWorkingCopy, story } from '../e2e/forge.ts'
import { eventually } from '../eventually.ts'
import { git } from '../git.ts'
import { testsInOrder } from '../in-order.ts'

const test = testsInOrder()

/**
 * What Renovate asks of a forge, in its order, from its first look to an update that merges by itself. The calls are those of its platform
 * module for Gitea.
 */
story('Renovate', () => {
  const forge = forgeForStories()
  const copy = () => join(forge.directory, 'copy')
  const branch = 'renovate/left-pad-2.x'
  let bot: Member
  let sha: string
  const ask = async <T = Record<string, unknown>>(line: string, body?: unknown): Promise<{ status: number; body: T }> => {
    const answer = await forge.api(line, bot, body)
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }
  const update = async (message: string, version: string) => {
    sha = await commitFiles(copy(), message, { 'package.json': `{"dependencies":{"left-pad":"${version}"}}\n` })
    await git(['push', '--quiet', '--force', forge.url('ada/app', bot), `HEAD:${branch}`], { cwd: copy() })
  }

  beforeAll(async () => {
    bot = await forge.join('renovate')
    await newWorkingCopy(copy())
    await commitFiles(copy(), 'Start', { 'package.json': '{"dependencies":{"left-pad":"1.0.0"}}\n', 'renovate.json': '{}\n' })
    await git(['push', '--quiet', forge.url('ada/app', forge.ada), 'main'], { cwd: copy() })
    expect((await forge.api('PUT /repos/ada/app/collaborators/renovate', forge.ada, { permission: 'write' })).status).toBe(204)
    expect((await forge.api('POST /repos/ada/app/labels', forge.ada, { name: 'dependencies', color: '#00ff00' })).status).toBe(201)
    const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['ci/*', 'renovate/stability-days'] }
    expect((await forge.api('POST /repos/ada/app/branch_protections', forge.ada, rule)).status).toBe(201)
  })

  test('finds out who it is, where it is, and which repositories it can work in', async () => {
    expect((await ask('GET /user')).body).toMatchObject({ login: 'renovate', email: 'renovate@example.org' })
    expect((await ask<{ version: string }>('GET /version')).body.version).toMatch(/^1\.\d+/)
    const { id } = (await ask<{ id: number }>('GET /user')).body
    const found = (await ask<{ ok: boolean; data: { full_name: string }[] }>(`GET /repos/search?uid=${id}&archived=false&limit=50`)).body
    expect([found.ok, found.data.map(({ full_name }) => full_name)]).toEqual([true, ['ada/app']])
    expect((await ask('GET /repos/ada/app')).body).toMatchObject({
      archived: false,
      mirror: false,
      empty: false,
      has_pull_requests: true,
      permissions: { push: true, pull: true },
      allow_squash_merge: true,
      default_merge_style: 'merge',
      default_branch: 'main',
    })
    const file = (await ask<{ content: string }>('GET /repos/ada/app/contents/renovate.json?ref=main')).body
    expect(Buffer.from(file.content, 'base64').toString()).toBe('{}\n')
    expect((await ask('GET /repos/ada/app/contents/.renovaterc')).status).toBe(404)
  })

  test('opens an update with labels and a reviewer, and finds it again when it would open it twice', async () => {
    expect((await ask(`GET /repos/ada/app/branches/${encodeURIComponent(branch)}`)).status).toBe(404)
    await git(['checkout', '--quiet', '-b', 'work', 'main'], { cwd: copy() })
    await update('Update left-pad to v2', '2.0.0')
    expect((await ask(`GET /repos/ada/app/branches/${branch}`)).body).toMatchObject({ commit: { id: sha } })
    const labels = (await ask<{ id: number; name: string }[]>('GET /repos/ada/app/labels')).body
    expect((await ask('GET /orgs/ada/labels')).status).toBe(404)
    const asked = { base: 'main', head: branch, title: 'Update left-pad to v2', body: 'Notes', labels: labels.map(({ id }) => id) }
    const opened = await ask<{ number: number }>('POST /repos/ada/app/pulls', asked)
    expect(opened).toMatchObject({
      status: 201,
      body: { number: 1, mergeable: true, merged: false, state: 'open', head: { label: branch, sha, repo: { full_name: 'ada/app' } }, base: { ref: 'main' } },
    })
    expect((await ask('POST /repos/ada/app/pulls', asked)).status).toBe(409)
    const { body: listed } = await ask<{ number: number; labels: object[] }[]>('GET /repos/ada/app/pulls?state=all&sort=recentupdate&limit=100')
    expect(listed).toMatchObject([{ number: 1, labels: [{ name: 'dependencies' }], updated_at: expect.any(String), diff_url: expect.any(String) }])
    expect((await ask(`GET /repos/ada/app/pulls/main/${branch}`)).body).toMatchObject({ number: 1 })
    expect((await ask('POST /repos/ada/app/pulls/1/requested_reviewers', { reviewers: ['ada'] })).status).toBe(201)
  })

  test('updates it by a forced push and in its words, keeps notes beside it, and its label and dashboard', async () => {
    await git(['reset', '--quiet', '--hard', 'main'], { cwd: copy() })
    await update('Update left-pad to v2.1', '2.1.0')
    const edited = await ask('PATCH /repos/ada/app/pulls/1', { title: 'Update left-pad to v2.1', body: 'More notes', base: 'main' })
    expect(edited).toMatchObject({ status: 201, body: { title: 'Update left-pad to v2.1', head: { sha } } })
    const { body: comment } = await ask<{ id: number }>('POST /repos/ada/app/issues/1/comments', { body: '### Note' })
    expect((await ask<object[]>('GET /repos/ada/app/issues/1/comments')).body).toMatchObject([{ body: '### Note' }])
    expect((await ask(`PATCH /repos/ada/app/issues/comments/${comment.id}`, { body: '### Other note' })).status).toBe(200)
    expect((await ask(`DELETE /repos/ada/app/issues/comments/${comment.id}`)).status).toBe(204)
    const [label] = (await ask<{ id: number }[]>('GET /repos/ada/app/labels')).body
    expect((await ask(`DELETE /repos/ada/app/issues/1/labels/${label?.id}`)).status).toBe(204)
    expect((await ask('PUT /repos/ada/app/issues/1/labels', { labels: [label?.id] })).status).toBe(200)
    const { body: dashboard } = await ask<{ number: number }>('POST /repos/ada/app/issues', { title: 'Dependency Dashboard', body: '- [ ] left-pad' })
    const edit = await ask(`PATCH /repos/ada/app/issues/${dashboard.number}`, { title: 'Dependency Dashboard', body: '- [x] left-pad', state: 'open' })
    expect(edit).toMatchObject({ status: 201, body: { body: '- [x] left-pad' } })
    expect((await ask<object[]>('GET /repos/ada/app/issues?state=all&type=issues')).body).toMatchObject([{ number: dashboard.number }])
  })

  test('has it merged once its checks have succeeded, and its branch goes', async () => {
    expect((await ask('POST /repos/ada/app/pulls/1/merge', { Do: 'squash' })).status).toBe(405)
    const automerge = { Do: 'squash', merge_when_checks_succeed: true, delete_branch_after_merge: true }
    expect((await ask('POST /repos/ada/app/pulls/1/merge', automerge)).status).toBe(201)
    expect((await ask(`POST /repos/ada/app/statuses/${sha}`, { context: 'renovate/stability-days', state: 'success', description: 'ok' })).status).toBe(201)
    expect((await ask(`GET /repos/ada/app/commits/${branch}/statuses`)).body).toMatchObject({ state: 'success', statuses: [{ status: 'success' }] })
    expect((await ask('GET /repos/ada/app/pulls/1')).body).toMatchObject({ merged: false })
    expect((await ask(`POST /repos/ada/app/statuses/${sha}`, { context: 'ci/test', state: 'success' })).status).toBe(201)
    const read = async () => (await ask<{ merged: boolean }>('GET /repos/ada/app/pulls/1')).body
    await eventually(async () => (await read()).merged, 'the merge')
    expect(await read()).toMatchObject({ merged: true, state: 'closed', merged_by: { login: 'renovate' }, merge_commit_sha: expect.any(String) })
    expect((await ask(`GET /repos/ada/app/branches/${branch}`)).status).toBe(404)
    const main = (await ask<{ content: string }>('GET /repos/ada/app/contents/package.json')).body
    expect(Buffer.from(main.content, 'base64').toString()).toContain('2.1.0')
  })

  test('closes an update that nobody needs any more, and removes its branch', async () => {
    await git(['push', '--quiet', forge.url('ada/app', bot), 'HEAD~1:refs/heads/renovate/old'], { cwd: copy() })
    const { body } = await ask<{ number: number }>('POST /repos/ada/app/pulls', { base: 'main', head: 'renovate/old', title: 'Update old' })
    const closed = await ask(`PATCH /repos/ada/app/pulls/${body.number}`, { title: 'Update old - autoclosed', state: 'closed' })
    expect(closed).toMatchObject({ status: 201, body: { state: 'closed', title: 'Update old - autoclosed' } })
    await git(['push', '--quiet', '--delete', forge.url('ada/app', bot), 'renovate/old'], { cwd: copy() })
    expect((await ask(`GET /repos/ada/app/pulls/${body.number}`)).body).toMatchObject({ state: 'closed', merged: false })
  })
})
