import { beforeAll, expect } from 'bun:test'
import type { Api } from 'gitea-js'
import { enlist, forgeForStories, story } from '../e2e/forge.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** A client written for Gitea talks about issues with the compiled executable. */

story('gitea-js: issues', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  const place = ['ada', 'engine'] as const

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    await ada.user.createCurrentUserRepo({ name: 'engine' })
  })

  test('opens, finds, edits, closes and deletes issues', async () => {
    const made = await ada.repos.issueCreateIssue(...place, { title: 'First', body: 'It broke' })
    expect([made.status, made.data]).toMatchObject([201, { number: 1, state: 'open', user: { login: 'ada' } }])
    expect((await ada.repos.issueListIssues(...place, { state: 'open', type: 'issues' })).data.map(({ title }) => title)).toEqual(['First'])
    expect((await ada.repos.issueSearchIssues({ q: 'brok' })).data).toHaveLength(1)
    const edited = await ada.repos.issueEditIssue(...place, 1, { state: 'closed', title: 'Done' })
    expect([edited.status, edited.data]).toMatchObject([201, { state: 'closed', title: 'Done' }])
    const { data: second } = await ada.repos.issueCreateIssue(...place, { title: 'Second' })
    expect((await ada.repos.issueDelete(...place, second.number as number)).status).toBe(204)
    expect(await statusOf(ada.repos.issueGetIssue(...place, 2))).toBe(404)
    await ada.repos.issueEditIssue(...place, 1, { state: 'open' })
  })

  test('comments, reacts and reads the timeline', async () => {
    const { status, data: comment } = await ada.repos.issueCreateComment(...place, 1, { body: 'Hello' })
    const id = comment.id as number
    expect(status).toBe(201)
    expect((await ada.repos.issueGetComments(...place, 1)).data).toMatchObject([{ id, body: 'Hello' }])
    expect((await ada.repos.issueGetRepoComments(...place)).data).toHaveLength(1)
    expect((await ada.repos.issueEditComment(...place, id, { body: 'Bye' })).data.body).toBe('Bye')
    expect((await ada.repos.issueEditCommentDeprecated(...place, 1, id, { body: 'Still' })).data.body).toBe('Still')
    expect((await ada.repos.issuePostCommentReaction(...place, id, { content: '+1' })).status).toBe(201)
    expect((await ada.repos.issueGetCommentReactions(...place, id)).data).toMatchObject([{ content: '+1' }])
    expect((await ada.repos.issueDeleteCommentReaction(...place, id, { content: '+1' })).status).toBe(204)
    expect((await ada.repos.issueGetCommentReactions(...place, id)).data).toBeNull()
    expect((await ada.repos.issueGetCommentsAndTimeline(...place, 1)).data.map(({ type }) => type)).toEqual(['change_title', 'close', 'reopen', 'comment'])
    expect((await ada.repos.issueDeleteComment(...place, id)).status).toBe(204)
  })

  test('labels, milestones, assignees and deadlines', async () => {
    const { data: label } = await ada.repos.issueCreateLabel(...place, { name: 'bug', color: '#ff0000' })
    expect((await ada.repos.issueAddLabel(...place, 1, { labels: [label.id as number] })).data).toMatchObject([{ name: 'bug' }])
    expect((await ada.repos.issueReplaceLabels(...place, 1, { labels: ['bug'] })).data).toHaveLength(1)
    expect((await ada.repos.issueRemoveLabel(...place, 1, label.id as number)).status).toBe(204)
    expect((await ada.repos.issueClearLabels(...place, 1)).status).toBe(204)
    const { status, data: milestone } = await ada.repos.issueCreateMilestone(...place, { title: 'v1', due_on: '2030-01-01T00:00:00Z' })
    expect(status).toBe(201)
    await ada.repos.issueEditIssue(...place, 1, { milestone: milestone.id, assignees: ['ada'] })
    expect((await ada.repos.issueGetMilestone(...place, 'v1')).data).toMatchObject({ open_issues: 1, closed_issues: 0 })
    expect((await ada.repos.issueEditMilestone(...place, String(milestone.id), { state: 'closed' })).data.state).toBe('closed')
    expect((await ada.repos.issueGetMilestonesList(...place, { state: 'all' })).data).toHaveLength(1)
    expect((await ada.repos.issueDeleteMilestone(...place, 'v1')).status).toBe(204)
    expect((await ada.repos.issueEditIssueDeadline(...place, 1, { due_date: '2030-01-01T10:00:00Z' })).data.due_date).toBe('2030-01-01T23:59:59Z')
    expect((await ada.repos.issueGetIssue(...place, 1)).data).toMatchObject({ assignees: [{ login: 'ada' }], milestone: null })
  })

  test('tracks time, with and without a stopwatch', async () => {
    expect((await ada.repos.issueAddTime(...place, 1, { time: 60 })).status).toBe(200)
    expect((await ada.repos.issueTrackedTimes(...place, 1)).data).toMatchObject([{ time: 60, user_name: 'ada', issue: { number: 1 } }])
    expect((await ada.repos.issueStartStopWatch(...place, 1)).status).toBe(201)
    expect((await ada.user.userGetStopWatches()).data).toMatchObject([{ issue_index: 1 }])
    expect((await ada.repos.issueStopStopWatch(...place, 1)).status).toBe(201)
    expect((await ada.user.userCurrentTrackedTimes()).data).toHaveLength(2)
    expect((await ada.repos.issueResetTime(...place, 1)).status).toBe(204)
    expect(await statusOf(ada.repos.issueAddTime(...place, 1, { time: 0 }))).toBe(422)
  })

  test('puts files beside issues, and gets them back', async () => {
    const { status, data } = await ada.repos.issueCreateIssueAttachment(...place, 1, { attachment: new File(['x'.repeat(300_000)], 'notes.txt') })
    expect([status, data]).toMatchObject([201, { name: 'notes.txt', size: 300_000 }])
    const file = await fetch(data.browser_download_url as string, { headers: { Authorization: `token ${forge.ada.token}` } })
    expect([file.status, (await file.text()).length]).toEqual([200, 300_000])
    expect((await ada.repos.issueEditIssueAttachment(...place, 1, data.id as number, { name: 'other.txt' })).data.name).toBe('other.txt')
    expect((await ada.repos.issueDeleteIssueAttachment(...place, 1, data.id as number)).status).toBe(204)
  })

  test('is told, and reads', async () => {
    const name = 'grace'
    const grace = await enlist(forge.server, name)
    const other = client(forge.server.origin, { token: grace.token })
    await ada.repos.repoAddCollaborator(...place, name, { permission: 'write' })
    await other.repos.issueCreateComment(...place, 1, { body: 'for @ada' })
    const { data: threads } = await ada.notifications.notifyGetList()
    expect(threads).toMatchObject([{ unread: true, subject: { type: 'Issue' } }])
    expect((await ada.notifications.notifyNewAvailable()).data).toEqual({ new: 1 })
    expect((await ada.notifications.notifyReadThread(String(threads[0]?.id))).data).toMatchObject({ unread: false })
    await other.repos.issueCreateComment(...place, 1, { body: 'for @ada again' })
    expect((await ada.notifications.notifyReadList({})).data).toMatchObject([{ unread: false }])
    expect((await ada.notifications.notifyGetList()).data).toEqual([])
  })
})
