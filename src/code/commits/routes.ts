import { Elysia, t } from 'elysia'
import { gate, operation, paging, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOn, listCommits, parseDetails } from './list-commits.ts'
import { objectRoutes } from './object-routes.ts'
import { People } from './people.ts'
import { getCommitRevision } from './revisions.ts'
import { Commit, CommitList, CommitsQuery, DetailsQuery } from './schema.ts'
import { verifyCommits } from './verification.ts'
import { presentCommit } from './view.ts'

/** Commits, and git's objects and refs as they are. */
export function commits(context: Context) {
  return new Elysia({ name: 'commits' })
    .use(gate(context))
    .use(paging(context))
    .use(objectRoutes(context))
    .get(
      '/repos/:owner/:repo/commits',
      async ({ viewer, repo, query, page, total, set }) => {
        const found = await listCommits(context, repo, query, page)
        total(found.total)
        Object.assign(set.headers, oldPageHeaders(page, found.total))
        const people = new People(context, viewer)
        const verifications = isOn(query.verification) ? await verifyCommits(context, people, found.commits) : []
        return found.commits.map((commit, i) => presentCommit(context, repo, commit, people, verifications[i] ?? null))
      },
      {
        repo: 'code:read',
        list: true,
        params: RepoParams,
        query: CommitsQuery,
        response: { 200: CommitList },
        detail: operation('repoGetAllCommits', 'Get a list of all commits from a repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/git/commits/:sha',
      async ({ viewer, repo, query, params }) => {
        const { oid } = getCommitRevision(context, repo.row, params.sha)
        const commit = await context.git.run('readCommit', repo.row.id, { oid, details: parseDetails(query) })
        const people = new People(context, viewer)
        const [verification = null] = isOn(query.verification) ? await verifyCommits(context, people, [commit]) : []
        return presentCommit(context, repo, commit, people, verification)
      },
      {
        repo: 'code:read',
        params: t.Object({ ...RepoParams.properties, sha: t.String({ description: 'a git ref or commit sha' }) }),
        query: DetailsQuery,
        response: { 200: Commit },
        detail: operation('repoGetSingleCommit', 'Get a single commit from a repository', 'repository'),
      },
    )
}

/** What older clients page by; kept as Gitea does. */
function oldPageHeaders({ page, limit }: { page: number; limit: number }, total: number): Record<string, string> {
  const pages = Math.ceil(total / limit)
  return {
    'X-Page': String(page),
    'X-PerPage': String(limit),
    'X-Total': String(total),
    'X-PageCount': String(pages),
    'X-HasMore': String(page < pages),
    'Access-Control-Expose-Headers': 'Link, X-Total-Count, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore',
  }
}
