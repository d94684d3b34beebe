import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { taskWords } from '#site/admin/task-words.ts'
import { ADMIN_PASSWORD } from '../binary.ts'
import { commitFiles, forgeForStories, type Member, newWorkingCopy, story } from '../e2e/forge.ts'
import { git } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** People, organizations, teams and what they keep, by a client written for Gitea, against the compiled executable. */

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBwHEcLqkXs3ynKfEVFxLNzQdIWRUNwBSHa1/wYjLTLU ada@laptop'
const DEPLOY_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBwHEcLqkXs3ynKfEVFxLNzQdIWRUNwBSHa1/wYjLTLV ci'
/** One pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

story('gitea-js, on people and access', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let bob: Api<unknown>
  let admin: Api<unknown>
  let bobby: Member

  beforeAll(async () => {
    bobby = await forge.join('bob')
    ada = client(forge.server.origin, { token: forge.ada.token })
    bob = client(forge.server.origin, { token: bobby.token })
    admin = client(forge.server.origin, { authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}` })
    await ada.user.createCurrentUserRepo({ name: 'engine', private: false })
    const copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await commitFiles(copy, 'Start', { 'README.md': '# Engine\n' })
    await git(['push', '--quiet', forge.url('ada/engine', forge.ada), 'main'], { cwd: copy })
  })

  test('founds an organization, edits it, and finds it in every list', async () => {
    const { status, data } = await ada.orgs.orgCreate({ username: 'acme', full_name: 'Acme', visibility: 'public' })
    expect({ status, data }).toMatchObject({ status: 201, data: { name: 'acme', username: 'acme', full_name: 'Acme', visibility: 'public' } })
    expect((await ada.orgs.orgEdit('acme', { description: 'Anvils', website: 'https://acme.example.org', location: 'Desert' })).data).toMatchObject({
      description: 'Anvils',
      website: 'https://acme.example.org',
    })
    expect((await bob.orgs.orgGet('acme')).data.full_name).toBe('Acme')
    expect((await bob.orgs.orgGetAll()).data.map(({ name }) => name)).toEqual(['acme'])
    expect((await ada.user.orgListCurrentUserOrgs()).data.map(({ name }) => name)).toEqual(['acme'])
    expect((await admin.admin.adminGetAllOrgs()).data.map(({ name }) => name)).toEqual(['acme'])
    expect((await ada.users.orgGetUserPermissions('ada', 'acme')).data).toMatchObject({ is_owner: true, can_create_repository: true })
    expect((await bob.users.userGet('acme')).data).toMatchObject({ login: 'acme' })
  })

  test('gives a team rights, unit by unit, and takes them', async () => {
    await ada.orgs.createOrgRepo('acme', { name: 'rocket', private: true, auto_init: true })
    const { data: team } = await ada.orgs.orgCreateTeam('acme', {
      name: 'crew',
      permission: 'write',
      units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
    })
    expect(team).toMatchObject({ name: 'crew', units_map: { 'repo.code': 'write', 'repo.issues': 'read' } })
    const id = team.id as number
    expect(await statusOf(bob.repos.repoGet('acme', 'rocket'))).toBe(404)
    expect((await ada.teams.orgAddTeamMember(id, 'bob')).status).toBe(204)
    expect((await ada.teams.orgAddTeamRepository(id, 'acme', 'rocket')).status).toBe(204)
    expect((await bob.repos.repoGet('acme', 'rocket')).data.permissions).toMatchObject({ admin: false, push: true, pull: true })
    expect((await bob.user.userListTeams()).data.map(({ name, organization }) => `${organization?.name}/${name}`)).toEqual(['acme/crew'])
    expect((await ada.orgs.teamSearch('acme', { q: 'cre' })).data).toMatchObject({ ok: true, data: [{ name: 'crew' }] })
    expect((await ada.repos.repoListTeams('acme', 'rocket')).data.map(({ name }) => name).sort()).toEqual(['Owners', 'crew'])
    expect((await ada.teams.orgListTeamMembers(id)).data.map(({ login }) => login)).toEqual(['bob'])
    expect((await ada.teams.orgEditTeam(id, { name: 'crew', permission: 'read', units_map: { 'repo.code': 'read' } })).data.units_map).toMatchObject({
      'repo.code': 'read',
    })
    expect((await bob.repos.repoGet('acme', 'rocket')).data.permissions).toMatchObject({ push: false, pull: true })
    expect((await ada.teams.orgRemoveTeamRepository(id, 'acme', 'rocket')).status).toBe(204)
    expect(await statusOf(bob.repos.repoGet('acme', 'rocket'))).toBe(404)
  })

  test('tells members from others, publicly and not', async () => {
    expect((await ada.orgs.orgIsMember('acme', 'bob')).status).toBe(204)
    expect(await statusOf(ada.orgs.orgIsPublicMember('acme', 'bob'))).toBe(404)
    expect((await bob.orgs.orgPublicizeMember('acme', 'bob')).status).toBe(204)
    expect((await ada.orgs.orgListPublicMembers('acme')).data.map(({ login }) => login)).toEqual(['bob'])
    expect((await bob.orgs.orgConcealMember('acme', 'bob')).status).toBe(204)
    expect(await statusOf(bob.orgs.orgDeleteMember('acme', 'ada'))).toBe(403)
    expect((await ada.orgs.orgDeleteMember('acme', 'bob')).status).toBe(204)
    expect((await ada.orgs.orgListMembers('acme')).data.map(({ login }) => login)).toEqual(['ada'])
  })

  test('keeps hooks of repositories, organizations, people and the site, and never shows a secret', async () => {
    const body = {
      type: 'gitea' as const,
      config: { url: 'https://ci.example.org/hook', content_type: 'json', secret: 'hush' },
      events: ['push'],
      active: true,
    }
    const made = [
      await ada.repos.repoCreateHook('ada', 'engine', body),
      await ada.orgs.orgCreateHook('acme', body),
      await ada.user.userCreateHook(body),
      await admin.admin.adminCreateHook(body),
    ]
    for (const { status, data } of made) {
      expect({ status, type: data.type, active: data.active, events: data.events }).toEqual({ status: 201, type: 'gitea', active: true, events: ['push'] })
      expect(JSON.stringify(data)).not.toContain('hush')
    }
    const [ofRepo, ofOrg] = made.map(({ data }) => data.id as number) as [number, number]
    expect((await ada.repos.repoEditHook('ada', 'engine', ofRepo, { events: ['push', 'create'], branch_filter: 'main' })).data).toMatchObject({
      branch_filter: 'main',
    })
    expect((await ada.repos.repoTestHook('ada', 'engine', ofRepo)).status).toBe(204)
    expect((await ada.orgs.orgListHooks('acme')).data.map(({ id }) => id)).toEqual([ofOrg])
    expect(await statusOf(ada.orgs.orgGetHook('acme', ofRepo))).toBe(404)
    expect((await ada.orgs.orgDeleteHook('acme', ofOrg)).status).toBe(204)
    expect((await ada.repos.repoDeleteHook('ada', 'engine', ofRepo)).status).toBe(204)
    expect(await statusOf(ada.repos.repoListGitHooks('ada', 'engine'))).toBe(403)
  })

  test('keeps keys, and gives collaborators their level', async () => {
    const { data: key } = await ada.user.userCurrentPostKey({ title: 'laptop', key: KEY })
    expect(key.fingerprint).toMatch(/^SHA256:/)
    expect(await statusOf(bob.user.userCurrentPostKey({ title: 'mine', key: KEY }))).toBe(422)
    expect((await bob.users.userListKeys('ada')).data.map(({ id }) => id)).toEqual([key.id])
    expect((await ada.repos.repoCreateKey('ada', 'engine', { title: 'ci', key: DEPLOY_KEY, read_only: true })).data).toMatchObject({
      title: 'ci',
      read_only: true,
    })
    expect((await ada.repos.repoAddCollaborator('ada', 'engine', 'bob', { permission: 'write' })).status).toBe(204)
    expect((await ada.repos.repoGetRepoPermissions('ada', 'engine', 'bob')).data).toMatchObject({ permission: 'write', user: { login: 'bob' } })
    expect((await ada.repos.repoCheckCollaborator('ada', 'engine', 'bob')).status).toBe(204)
    expect((await ada.repos.repoDeleteCollaborator('ada', 'engine', 'bob')).status).toBe(204)
    expect(await statusOf(ada.repos.repoCheckCollaborator('ada', 'engine', 'bob'))).toBe(404)
  })

  test('makes applications for others to let in, changes and deletes them', async () => {
    const asked = { name: 'Dashboard', redirect_uris: ['https://dashboard.example.org/'], confidential_client: true, skip_secondary_authorization: false }
    const { status, data: made } = await ada.user.userCreateOAuth2Application(asked)
    expect({ status, made }).toMatchObject({ status: 201, made: { ...asked, client_secret: expect.stringMatching(/^gto_/), created: expect.any(String) } })
    const id = made.id as number
    expect((await ada.user.userGetOAuth2Application(id)).data).toEqual({ ...made, client_secret: '' })
    expect((await ada.user.userUpdateOAuth2Application(id, { ...asked, name: 'Board' })).data).toMatchObject({ name: 'Board', client_id: made.client_id })
    expect((await ada.user.userGetOauth2Application({ limit: 10 })).data.map(({ name }) => name)).toEqual(['Board'])
    expect(await statusOf(bob.user.userGetOAuth2Application(id))).toBe(404)
    expect((await ada.user.userDeleteOAuth2Application(id)).status).toBe(204)
    expect(await statusOf(ada.user.userGetOAuth2Application(id))).toBe(404)
  })

  test('follows, stars and watches, until it is blocked', async () => {
    expect((await bob.user.userCurrentPutFollow('ada')).status).toBe(204)
    expect((await bob.user.userCurrentPutStar('ada', 'engine')).status).toBe(204)
    expect((await bob.repos.userCurrentPutSubscription('ada', 'engine')).data).toMatchObject({ subscribed: true, ignored: false })
    expect((await ada.users.userListFollowers('ada')).data.map(({ login }) => login)).toEqual(['bob'])
    expect((await bob.users.userGet('ada')).data.followers_count).toBe(1)
    expect((await bob.user.userCurrentListStarred()).data.map(({ full_name }) => full_name)).toEqual(['ada/engine'])
    expect((await ada.repos.repoListStargazers('ada', 'engine')).data.map(({ login }) => login)).toEqual(['bob'])
    expect((await ada.repos.repoListSubscribers('ada', 'engine')).data.map(({ login }) => login)).toEqual(['ada', 'bob'])
    expect((await ada.repos.repoGet('ada', 'engine')).data).toMatchObject({ stars_count: 1, watchers_count: 2 })
    expect((await ada.user.userBlockUser('bob')).status).toBe(204)
    expect((await ada.user.userListBlocks()).data.map(({ login }) => login)).toEqual(['bob'])
    expect((await ada.repos.repoGet('ada', 'engine')).data).toMatchObject({ stars_count: 0, watchers_count: 1 })
    expect(await statusOf(bob.user.userCurrentPutFollow('ada'))).toBe(403)
    expect(await statusOf(bob.user.userCurrentPutStar('ada', 'engine'))).toBe(403)
    expect((await ada.user.userUnblockUser('bob')).status).toBe(204)
    expect((await bob.user.userCurrentPutStar('ada', 'engine')).status).toBe(204)
  })

  test('labels repositories and organizations', async () => {
    const { status, data: label } = await ada.repos.issueCreateLabel('ada', 'engine', { name: 'kind/bug', color: '#ee0701', exclusive: true })
    expect({ status, label }).toMatchObject({ status: 201, label: { name: 'kind/bug', color: 'ee0701', exclusive: true } })
    expect((await ada.repos.issueEditLabel('ada', 'engine', label.id as number, { name: 'kind/defect' })).data.name).toBe('kind/defect')
    expect((await bob.repos.issueListLabels('ada', 'engine')).data.map(({ name }) => name)).toEqual(['kind/defect'])
    expect((await ada.repos.issueDeleteLabel('ada', 'engine', label.id as number)).status).toBe(204)
    expect((await ada.orgs.orgCreateLabel('acme', { name: 'urgent', color: '#123456' })).data).toMatchObject({ name: 'urgent', color: '123456' })
    expect((await ada.orgs.orgListLabels('acme')).data.map(({ name }) => name)).toEqual(['urgent'])
    const { data: labelled } = await ada.user.createCurrentUserRepo({ name: 'labelled', issue_labels: 'Default' })
    expect((await ada.repos.issueListLabels('ada', labelled.name as string)).data.length).toBeGreaterThan(3)
  })

  test('wears pictures, and tells what happened', async () => {
    const before = (await ada.user.userGetCurrent()).data.avatar_url as string
    expect((await ada.user.userUpdateAvatar({ image: PICTURE })).status).toBe(204)
    const after = (await ada.user.userGetCurrent()).data.avatar_url as string
    expect(after).not.toBe(before)
    const picture = await fetch(after)
    expect({ status: picture.status, type: picture.headers.get('content-type') }).toEqual({ status: 200, type: 'image/png' })
    expect(Buffer.from(await picture.arrayBuffer()).toString('base64')).toBe(PICTURE)
    expect((await ada.orgs.orgUpdateAvatar('acme', { image: PICTURE })).status).toBe(204)
    expect((await ada.repos.repoUpdateAvatar('ada', 'engine', { image: PICTURE })).status).toBe(204)
    expect((await ada.user.userDeleteAvatar()).status).toBe(204)
    expect(await statusOf(ada.user.userUpdateAvatar({ image: btoa('<svg xmlns="http://www.w3.org/2000/svg"/>') }))).toBeGreaterThanOrEqual(400)
    const feed = (await bob.users.userListActivityFeeds('ada', { 'only-performed-by': true })).data
    expect(feed.map(({ op_type }) => op_type)).toContain('commit_repo')
    expect(feed.map(({ op_type, repo }) => `${op_type} ${repo?.full_name}`)).toContain('create_repo ada/engine')
    const heat = (await bob.users.userGetHeatmapData('ada')).data as unknown as { contributions: number }[]
    expect(heat.reduce((sum, { contributions }) => sum + contributions, 0)).toBe(feed.length)
  })

  test('administers: accounts, addresses, tasks, badges, what is not adopted', async () => {
    expect((await admin.admin.adminGetAllEmails()).data.map(({ email }) => email)).toContain('bob@example.org')
    expect((await admin.admin.adminSearchEmails({ q: 'bob@' })).data.map(({ username }) => username)).toEqual(['bob'])
    const tasks = (await admin.admin.adminCronList()).data
    expect(tasks.length).toBeGreaterThan(0)
    expect(tasks.flatMap(({ name = '' }) => (taskWords.has(name) ? [] : name))).toEqual([])
    expect((await admin.admin.adminCronRun(tasks[0]?.name as string)).status).toBe(204)
    expect(await statusOf(admin.admin.adminCronRun('no_such_task'))).toBe(404)
    expect((await admin.admin.adminUnadoptedList()).data).toEqual([])
    expect((await admin.admin.adminListUserBadges('bob')).data).toEqual([])
    expect((await admin.admin.adminCreateOrg('bob', { username: 'bobs' })).status).toBe(201)
    expect((await admin.admin.adminCreatePublicKey('bob', { title: 'given', key: DEPLOY_KEY.replace('LTLV', 'LTLW') })).status).toBe(201)
    for (const call of [ada.admin.adminCronList(), ada.admin.adminGetAllOrgs(), ada.admin.adminGetAllEmails()]) expect(await statusOf(call)).toBe(403)
    expect(await statusOf(admin.admin.adminDeleteUser('bob'))).toBe(422)
    expect((await admin.admin.adminDeleteUser('bob', { purge: true })).status).toBe(204)
    expect(await statusOf(ada.orgs.orgGet('bobs'))).toBe(404)
  })

  test('renders Markdown where it stands', async () => {
    const { data } = await ada.markdown.renderMarkdown({ Text: 'See #1 and @ada', Mode: 'gfm', Context: 'ada/engine' }, { format: 'text' })
    expect(data).toContain('/ada/engine/issues/1')
    expect(data).toContain('/ada"')
  })
})
