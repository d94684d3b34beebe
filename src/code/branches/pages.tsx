import { Elysia, t } from 'elysia'
import { gate, MadeLately, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath } from '#kernel/http.ts'
import { pageOfSize } from '#kernel/page.ts'
import { answerDone, mendable, troubleWith, Visit } from '#web/index.ts'
import { createBranch, deleteBranch, restoreBranch } from './change-branches.ts'
import { branchViews, showBranches } from './list-page.tsx'
import { putBack } from './move-branches.ts'
import { showReflog } from './reflog-page.tsx'

const PAGE_SIZE = 50
const MAX_CHOSEN = 200
const Word = t.Optional(t.String({ maxLength: 20 }))
const BranchesQuery = t.Object({ page: Word, view: Word, q: t.Optional(t.String({ maxLength: 1024 })) })
const ChosenForm = t.Object({ name: t.Optional(t.Array(t.String({ maxLength: 1024 }), { maxItems: MAX_CHOSEN })) })
const BranchParams = t.Object({ ...RepoParams.properties, '*': t.String() })
const PlaceForm = t.Object({ id: t.Integer({ minimum: 1 }), from: t.String({ pattern: '^[0-9a-f]{40,64}$' }) })
const RestoreForm = t.Object({ id: t.Integer({ minimum: 1 }) })
const BranchForm = t.Object({ new_branch_name: t.String({ maxLength: 1024 }), old_ref_name: t.String({ maxLength: 1024 }) })

/** The branches of a repository, to look at, to begin and to delete. */
export function branchPages(context: Context) {
  const list = (viewer: Viewer, request: Request, repo: RepoAccess, error: string) =>
    showBranches(context, new Visit(context, viewer, request), repo, { view: 'active', text: '', page: pageOfSize(undefined, PAGE_SIZE) }, error)
  return new Elysia({ name: 'branches.pages' })
    .use(reflogPages(context))
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/branches',
      ({ viewer, repo, request, query }) => {
        const view = branchViews.find((one) => one === query.view) ?? 'active'
        return showBranches(context, new Visit(context, viewer, request), repo, { view, text: query.q?.trim() ?? '', page: pageOfSize(query.page, PAGE_SIZE) })
      },
      { repo: 'code:read', params: RepoParams, query: BranchesQuery, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/branches/delete',
      ({ viewer, repo, request, body }) => {
        const { user } = requireUser(viewer)
        const troubles = (body.name ?? []).flatMap((name) => troubleWith(name, () => deleteBranch(context, user, repo, name)))
        if (troubles.length > 0) return list(viewer, request, repo, troubles.join(' '))
        return answerDone(
          new Visit(context, viewer, request),
          (visit) => visit.to`/${repo.owner.name}/${repo.row.name}/branches`,
          countedBranches(body.name ?? []),
        )
      },
      { repo: 'code:write', params: RepoParams, body: ChosenForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/branches/restore',
      async ({ viewer, repo, request, body }) => {
        try {
          await restoreBranch(context, requireUser(viewer).user, repo, body.id)
          return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/${repo.owner.name}/${repo.row.name}/branches?view=all`, 'Branch restored')
        } catch (error) {
          return list(viewer, request, repo, mendable(error).message)
        }
      },
      { repo: 'code:write', params: RepoParams, body: RestoreForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/branches/new',
      async ({ viewer, repo, request, body }) => {
        try {
          const make = () => createBranch(context, requireUser(viewer).user, repo, body)
          await context.services.get(MadeLately).once(viewer, ['branch', repo.row.id, body], make)
          return answerDone(
            new Visit(context, viewer, request),
            (visit) => visit.to`/${repo.owner.name}/${repo.row.name}/src/branch/${body.new_branch_name}`,
            `Branch “${body.new_branch_name}” created`,
          )
        } catch (error) {
          return list(viewer, request, repo, mendable(error).message || `Cannot create the branch: “${body.old_ref_name}” is not a branch, tag or commit.`)
        }
      },
      { repo: 'code:write', params: RepoParams, body: BranchForm, detail: { hide: true } },
    )
}

function countedBranches(names: readonly string[]): string {
  return names.length === 1 ? `Branch “${names[0]}” deleted` : `${names.length} branches deleted`
}

/**
 * Where a branch has pointed, to look at and to go back to. What was pushed away may be a secret: only who may push is led to it. Why feeds
 * go on naming what they once told of stands at `PushCommits`.
 */
function reflogPages(context: Context) {
  return new Elysia({ name: 'branches.reflog' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/reflog/*',
      ({ viewer, repo, request, params, query }) => {
        const before = /^\d{1,15}$/.test(query.before ?? '') ? Number(query.before) : undefined
        return showReflog(context, new Visit(context, viewer, request), repo, decodePath(params['*']), { before })
      },
      { repo: 'code:write', params: BranchParams, query: t.Object({ before: Word }), detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/reflog/*',
      async ({ viewer, repo, request, params, body }) => {
        const name = decodePath(params['*'])
        const visit = new Visit(context, viewer, request)
        try {
          await putBack(context, requireUser(viewer).user, repo, name, body)
          return answerDone(visit, visit.to`/${repo.owner.name}/${repo.row.name}/reflog/${name}`, `Branch “${name}” reset`)
        } catch (error) {
          const { message, status } = mendable(error)
          return showReflog(context, visit, repo, name, { error: message, status })
        }
      },
      { repo: 'code:write', params: BranchParams, body: PlaceForm, detail: { hide: true } },
    )
}
