import { Elysia, t } from 'elysia'
import { gate, operation, paging, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import { findRevision, getCommitRevision } from '#repositories/refs/index.ts'
import { createStatus } from './create-status.ts'
import { CombinedStatus, CommitStatus, CommitStatusList, CreateStatusOption, Status, StatusesQuery } from './schema.ts'
import { countNewest, isStatusSort, listNewest, listStatuses, type StatusFilter } from './store.ts'
import { presentCombined, presentStatuses } from './view.ts'

const RefParams = t.Object({ ...RepoParams.properties, ref: t.String({ description: 'branch, tag or commit' }) })
const ShaParams = t.Object({ ...RepoParams.properties, sha: t.String({ description: 'commit, branch or tag' }) })

/** What a request for statuses has beside its commit. */
interface Asked {
  viewer: Viewer
  repo: RepoAccess
  query: StatusesQuery
  page: Page
  total: (count: number) => void
}

/** What programs say of commits: tests passed, a build failed. */
export function statuses(context: Context) {
  const combined = ({ viewer, repo, page, total }: Asked, oid: string): CombinedStatus => {
    const counts = countNewest(context.db, repo.row.id, oid)
    total(counts.reduce((sum, { n }) => sum + n, 0))
    return presentCombined(context, viewer, repo, { oid, rows: listNewest(context.db, repo.row.id, oid, page), counts })
  }
  const list = async ({ viewer, repo, query, page, total }: Asked, oid: string): Promise<CommitStatus[]> => {
    const found = await listStatuses(context.db, viewer, { repoId: repo.row.id, oid }, filterOf(query), page)
    total(found.total)
    return presentStatuses(context, viewer, repo, found.rows)
  }
  /** The combined record, as the contract has it; the list for clients of Gitea's, which say what part of it they want. */
  const either = (asked: Asked, oid: string) => (asksForList(asked.query) || context.config.api.STATUSES_AS_LIST ? list(asked, oid) : combined(asked, oid))
  const oidOf = async ({ repo }: Asked, text: string) => (await getCommitRevision(context, repo.row, text)).oid

  return new Elysia({ name: 'statuses' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/statuses/:sha',
      async ({ viewer, repo, params, body }) => {
        const made = await createStatus(context, requireUser(viewer).user, repo, params.sha, body)
        return presentStatuses(context, viewer, repo, [made])[0] as CommitStatus
      },
      {
        repo: 'code:write',
        params: ShaParams,
        body: CreateStatusOption,
        response: { 201: CommitStatus },
        detail: operation('repoCreateStatus', 'Create a commit status', 'repository'),
      },
    )
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/statuses/:sha',
      async ({ params, ...asked }) => list(asked, findRevision(context, asked.repo.row, params.sha) ? await oidOf(asked, params.sha) : ''),
      {
        repo: 'code:read',
        list: true,
        params: ShaParams,
        query: StatusesQuery,
        response: { 200: CommitStatusList },
        detail: operation('repoListStatuses', "Get a commit's statuses", 'repository'),
      },
    )
    .get('/repos/:owner/:repo/commits/:ref/statuses', async ({ params, ...asked }) => either(asked, await oidOf(asked, params.ref)), {
      repo: 'code:read',
      list: true,
      params: RefParams,
      query: StatusesQuery,
      response: { 200: Status },
      detail: operation(
        'repoGetCombinedStatusByRef',
        "Get a commit's combined status by branch, tag or commit; with page, limit, sort or state, the list of its statuses",
        'repository',
      ),
    })
    .get('/repos/:owner/:repo/commits/:ref/status', async ({ params, ...asked }) => combined(asked, await oidOf(asked, params.ref)), {
      repo: 'code:read',
      list: true,
      params: RefParams,
      query: StatusesQuery,
      response: { 200: CombinedStatus },
      detail: operation('repoGetCombinedStatus', "Get a commit's combined status, by branch, tag or commit", 'repository'),
    })
    .get(
      '/repos/:owner/:repo/commits/*',
      async ({ params, ...asked }) => {
        const [, ref = '', kind] = /^(.+)\/(status|statuses)$/.exec(params['*']) ?? []
        if (kind === undefined) throw new NotFound()
        const oid = await oidOf(asked, decodePath(ref))
        return kind === 'status' ? combined(asked, oid) : either(asked, oid)
      },
      {
        repo: 'code:read',
        list: true,
        params: t.Object({
          ...RepoParams.properties,
          '*': t.String({ title: 'ref', description: 'branch or tag with slashes in its name, followed by /status or /statuses' }),
        }),
        query: StatusesQuery,
        response: { 200: Status },
        // The two routes above, for names with slashes that are sent as they are.
        detail: { ...operation('repoGetStatusByPath', 'Statuses of a branch or tag whose name has slashes', 'repository'), hide: true },
      },
    )
}

function asksForList({ page, limit, sort, state }: StatusesQuery): boolean {
  return [page, limit, sort, state].some((one) => one !== undefined)
}

/** What cannot be read counts as absent, as Gitea has it. */
function filterOf({ sort = '', state }: StatusesQuery): StatusFilter {
  return { sort: isStatusSort(sort) ? sort : 'newest', state: state === '' ? undefined : state }
}
