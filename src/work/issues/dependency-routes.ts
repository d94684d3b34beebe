import { Elysia } from 'elysia'
import { gate, lineOf, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Page } from '#kernel/page.ts'
import { depend, findOther, requireDependencies } from './depend.ts'
import { findBlocked, findDependencies } from './dependency-store.ts'
import { type Asked, getIssue } from './find-issue.ts'
import { reposOf } from './present-anywhere.ts'
import { mayRead } from './rules.ts'
import { Issue, IssueList, IssueMeta, IssueParams } from './schema.ts'
import type { IssueRow } from './store.ts'
import { hiddenIssue, presentIssue, presentIssues, type RepoPlace } from './view.ts'

/** What has to be done before what, across repositories. */
export function dependencyRoutes(context: Context) {
  const list = async (find: typeof findDependencies, asked: Asked, page: Page, total: (n: number) => void) => {
    requireDependencies(asked.repo)
    const { viewer } = asked
    const { rows: shown, total: all } = await find(context.db, lineOf(viewer), getIssue(context, asked), page)
    total(all)
    const repos = reposOf(context, viewer, shown)
    const isReadable = (issue: IssueRow) => {
      const repo = repos.get(issue.repo_id)
      return repo !== undefined && mayRead(repo, issue)
    }
    const readable = presentIssues(context, viewer, shown.filter(isReadable), ({ repo_id }) => repos.get(repo_id) as RepoPlace)
    return shown.map((issue) => readable.find(({ id }) => id === issue.id) ?? hiddenIssue(context, viewer, issue))
  }
  const change = (asked: Asked & { body: IssueMeta }, isOn: boolean, isBlocking: boolean) => {
    const own = { repo: asked.repo, issue: getIssue(context, asked) }
    const other = findOther(context, asked.viewer, asked.repo, asked.body)
    if (isBlocking) depend(context, asked.viewer, other, own, isOn)
    else depend(context, asked.viewer, own, other, isOn)
    return presentIssue(context, asked.viewer, own.repo, own.issue)
  }
  const listed = { repo: 'issues|pulls:read', list: true, params: IssueParams, query: PageQuery, response: { 200: IssueList } } as const
  const changed = { repo: 'issues|pulls:read', params: IssueParams, body: IssueMeta, response: { 201: Issue } } as const
  return new Elysia({ name: 'issues.dependencies' })
    .use(gate(context))
    .use(paging(context))
    .get('/repos/:owner/:repo/issues/:index/dependencies', ({ page, total, ...asked }) => list(findDependencies, asked, page, total), {
      ...listed,
      detail: operation('issueListIssueDependencies', "List an issue's dependencies, i.e all issues that block this issue.", 'issue'),
    })
    .post('/repos/:owner/:repo/issues/:index/dependencies', (asked) => change(asked, true, false), {
      ...changed,
      detail: { ...operation('issueCreateIssueDependencies', 'Make the issue in the url depend on the issue in the form.', 'issue'), errors: [409] },
    })
    .delete('/repos/:owner/:repo/issues/:index/dependencies', (asked) => change(asked, false, false), {
      ...changed,
      detail: operation('issueRemoveIssueDependencies', 'Remove an issue dependency', 'issue'),
    })
    .get('/repos/:owner/:repo/issues/:index/blocks', ({ page, total, ...asked }) => list(findBlocked, asked, page, total), {
      ...listed,
      detail: operation('issueListBlocks', 'List issues that are blocked by this issue', 'issue'),
    })
    .post('/repos/:owner/:repo/issues/:index/blocks', (asked) => change(asked, true, true), {
      ...changed,
      detail: { ...operation('issueCreateIssueBlocking', 'Block the issue given in the body by the issue in path', 'issue'), errors: [409] },
    })
    .delete('/repos/:owner/:repo/issues/:index/blocks', (asked) => change(asked, false, true), {
      ...changed,
      detail: operation('issueRemoveIssueBlocking', 'Unblock the issue given in the body by the issue in path', 'issue'),
    })
}
