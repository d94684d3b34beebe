import { beforeAll, expect } from 'bun:test'
import type { Api } from 'gitea-js'
import { enlist, forgeForStories, story } from '../e2e/forge.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** The same client asks the compiled executable for all else that Gitea has about issues. */

story('gitea-js: what goes with issues', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let grace: Api<unknown>
  const place = ['ada', 'engine'] as const
  const other = (index: number) => ({ owner: 'ada', repo: 'engine', index })

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    grace = client(forge.server.origin, { token: (await enlist(forge.server, 'grace')).token })
    await ada.user.createCurrentUserRepo({ name: 'engine', auto_init: true })
    await ada.repos.repoAddCollaborator(...place, 'grace', { permission: 'write' })
    for (const title of ['First', 'Second', 'Third']) await ada.repos.issueCreateIssue(...place, { title })
  })

  test('assignees and pins', async () => {
    expect((await ada.repos.repoGetAssignees(...place)).data.map(({ login }) => login).sort()).toEqual(['ada', 'grace'])
    expect((await ada.repos.issueEditIssue(...place, 1, { assignees: ['grace'] })).data.assignees).toMatchObject([{ login: 'grace' }])
    expect((await ada.repos.issueEditIssue(...place, 1, { assignees: [] })).data.assignees).toBeNull()
    for (const index of [1, 2]) expect((await ada.repos.pinIssue(...place, index)).status).toBe(204)
    expect((await ada.repos.moveIssuePin(...place, 2, 1)).status).toBe(204)
    expect((await ada.repos.repoListPinnedIssues(...place)).data.map(({ number }) => number)).toEqual([2, 1])
    expect((await ada.repos.unpinIssue(...place, 2)).status).toBe(204)
    expect((await ada.repos.repoNewPinAllowed(...place)).data).toEqual({ issues: true, pull_requests: true })
    expect((await ada.repos.repoListPinnedPullRequests(...place)).data).toEqual([])
  })

  test('dependencies and blocks', async () => {
    const made = await ada.repos.issueCreateIssueDependencies(...place, '1', other(2))
    expect([made.status, made.data.number]).toEqual([201, 1])
    expect((await ada.repos.issueListIssueDependencies(...place, '1')).data).toMatchObject([{ number: 2 }])
    expect((await ada.repos.issueListBlocks(...place, '2')).data).toMatchObject([{ number: 1 }])
    expect((await ada.repos.issueRemoveIssueDependencies(...place, '1', other(2))).status).toBe(201)
    expect((await ada.repos.issueCreateIssueBlocking(...place, '2', other(3))).status).toBe(201)
    expect(await statusOf(ada.repos.issueEditIssue(...place, 3, { state: 'closed' }))).toBe(412)
    expect((await ada.repos.issueRemoveIssueBlocking(...place, '2', other(3))).status).toBe(201)
  })

  test('labels by themselves, on issues, and of organizations', async () => {
    const { data: label } = await ada.repos.issueCreateLabel(...place, { name: 'bug', color: '#f00' })
    const id = label.id as number
    expect((await ada.repos.issueGetLabel(...place, id)).data).toMatchObject({ id, name: 'bug', color: 'ff0000' })
    expect((await ada.repos.issueEditLabel(...place, id, { description: 'Broken' })).data.description).toBe('Broken')
    await ada.repos.issueAddLabel(...place, 1, { labels: [id] })
    expect((await ada.repos.issueGetLabels(...place, 1)).data).toMatchObject([{ id }])
    expect((await ada.repos.issueListLabels(...place)).data).toHaveLength(1)
    expect((await ada.repos.issueDeleteLabel(...place, id)).status).toBe(204)
    expect((await ada.repos.issueGetLabels(...place, 1)).data).toEqual([])
    const templates = (await ada.label.listLabelTemplates()).data
    expect((await ada.label.getLabelTemplateInfo(templates[0] as string)).data.length).toBeGreaterThan(0)
    await ada.orgs.orgCreate({ username: 'guild' })
    const { data: shared } = await ada.orgs.orgCreateLabel('guild', { name: 'shared', color: '#0f0' })
    expect((await ada.orgs.orgGetLabel('guild', shared.id as number)).data.name).toBe('shared')
    expect((await ada.orgs.orgEditLabel('guild', shared.id as number, { name: 'ours' })).data.name).toBe('ours')
    expect((await ada.orgs.orgListLabels('guild')).data).toHaveLength(1)
    expect((await ada.orgs.orgDeleteLabel('guild', shared.id as number)).status).toBe(204)
  })

  test('reactions, subscriptions and files', async () => {
    expect((await grace.repos.issuePostIssueReaction(...place, 1, { content: 'heart' })).status).toBe(201)
    expect((await grace.repos.issuePostIssueReaction(...place, 1, { content: 'heart' })).status).toBe(200)
    expect((await ada.repos.issueGetIssueReactions(...place, 1)).data).toMatchObject([{ content: 'heart', user: { login: 'grace' } }])
    expect((await grace.repos.issueDeleteIssueReaction(...place, 1, { content: 'heart' })).status).toBe(204)
    expect([200, 201]).toContain((await grace.repos.issueAddSubscription(...place, 1, 'grace')).status)
    expect((await grace.repos.issueSubscriptions(...place, 1)).data).toMatchObject([{ login: 'grace' }])
    expect((await grace.repos.issueCheckSubscription(...place, 1)).data).toMatchObject({ subscribed: true, ignored: false })
    expect((await grace.repos.issueDeleteSubscription(...place, 1, 'grace')).status).toBe(201)
    const { data: comment } = await grace.repos.issueCreateComment(...place, 1, { body: 'See the file' })
    const id = comment.id as number
    expect((await ada.repos.issueGetComment(...place, id)).data.body).toBe('See the file')
    const attachment = new File(['text'], 'notes.txt')
    const { data: file } = await grace.repos.issueCreateIssueCommentAttachment(...place, id, { attachment })
    const at = [...place, id, file.id as number] as const
    expect((await ada.repos.issueListIssueCommentAttachments(...place, id)).data).toMatchObject([{ name: 'notes.txt' }])
    expect((await ada.repos.issueGetIssueCommentAttachment(...at)).data.size).toBe(4)
    expect((await grace.repos.issueEditIssueCommentAttachment(...at, { name: 'other.txt' })).status).toBe(201)
    expect((await grace.repos.issueDeleteIssueCommentAttachment(...at)).status).toBe(204)
    const { data: second } = await ada.repos.issueCreateIssueAttachment(...place, 1, { attachment })
    expect((await ada.repos.issueListIssueAttachments(...place, 1)).data).toHaveLength(1)
    expect((await ada.repos.issueGetIssueAttachment(...place, 1, second.id as number)).data.name).toBe('notes.txt')
    expect((await grace.repos.issueDeleteCommentDeprecated(...place, 1, id)).status).toBe(204)
  })

  test('times of everybody, and a stopwatch that is thrown away', async () => {
    const { data: time } = await grace.repos.issueAddTime(...place, 1, { time: 90 })
    expect((await ada.repos.repoTrackedTimes(...place)).data).toMatchObject([{ time: 90, user_name: 'grace' }])
    expect((await ada.repos.userTrackedTimes(...place, 'grace')).data).toHaveLength(1)
    expect(await statusOf(ada.repos.issueDeleteTime(...place, 1, time.id as number))).toBe(403)
    expect((await grace.repos.issueDeleteTime(...place, 1, time.id as number)).status).toBe(204)
    await grace.repos.issueStartStopWatch(...place, 1)
    expect((await grace.repos.issueDeleteStopWatch(...place, 1)).status).toBe(204)
    expect((await grace.user.userGetStopWatches()).data).toEqual([])
  })

  test('templates and how issues are to be opened', async () => {
    expect((await ada.repos.repoGetIssueTemplates(...place)).data).toBeNull()
    const content = Buffer.from('---\nname: Bug\nabout: Something broke\ntitle: "[bug] "\nlabels: bug\n---\nWhat happened?\n').toString('base64')
    await ada.repos.repoCreateFile(...place, '.gitea/issue_template/bug.md', { content })
    expect((await ada.repos.repoGetIssueTemplates(...place)).data).toMatchObject([{ name: 'Bug', title: '[bug] ', labels: ['bug'] }])
    const config = Buffer.from('blank_issues_enabled: false\ncontact_links:\n  - name: Chat\n    url: https://chat.example.org\n    about: Talk\n').toString(
      'base64',
    )
    await ada.repos.repoCreateFile(...place, '.gitea/issue_template/config.yaml', { content: config })
    expect((await ada.repos.repoGetIssueConfig(...place)).data).toMatchObject({ blank_issues_enabled: false, contact_links: [{ name: 'Chat' }] })
    expect((await ada.repos.repoValidateIssueConfig(...place)).data).toEqual({ valid: true, message: '' })
  })

  test('threads of one repository', async () => {
    await grace.repos.issueCreateComment(...place, 2, { body: 'for @ada' })
    const { data: threads } = await ada.repos.notifyGetRepoList(...place)
    expect(threads.map(({ subject }) => subject?.title)).toContain('Second')
    expect((await ada.notifications.notifyGetThread(String(threads[0]?.id))).data).toMatchObject({ id: threads[0]?.id, unread: true })
    expect((await ada.repos.notifyReadRepoList(...place, {})).status).toBe(200)
    expect((await ada.repos.notifyGetRepoList(...place)).data).toEqual([])
  })
})
