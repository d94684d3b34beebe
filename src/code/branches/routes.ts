import { Elysia, t } from 'elysia'
import { Answers, gate, noContent, operation, paging, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import { type PayloadCommitVerification, People, verifyCommits } from '#code/commits/index.ts'
import { describeBranches } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import { findRef, listBranches, type RefRow, searchBranches } from '#repositories/refs/index.ts'
import { createBranch, deleteBranch } from './change-branches.ts'
import { moveBranch, renameBranch } from './move-branches.ts'
import { Branch, BranchesQuery, BranchList, CreateBranchRepoOption, RenameBranchRepoOption, UpdateBranchRepoOption } from './schema.ts'
import { presentBranch } from './view.ts'

const BranchParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'branch', description: 'name of the branch' }) })

export function branches(context: Context) {
  const answers = context.services.get(Answers)
  return new Elysia({ name: 'branches' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/branches',
      ({ viewer, repo, query, page, total, request, set }) =>
        answers.keep({ viewer, request, set }, async () => {
          const found = await findBranches(context, repo, query.q, page)
          total(found.total)
          return repo.row.is_empty === 1 ? null : presentAll(context, viewer, repo, found.rows)
        }),
      {
        repo: 'code:read',
        list: true,
        params: RepoParams,
        query: BranchesQuery,
        response: { 200: BranchList },
        detail: operation('repoListBranches', "List a repository's branches", 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/branches',
      async ({ viewer, repo, body }) => {
        const oid = await createBranch(context, requireUser(viewer).user, repo, body)
        return presentOne(context, viewer, repo, body.new_branch_name, oid)
      },
      {
        repo: 'code:write',
        params: RepoParams,
        body: CreateBranchRepoOption,
        response: { 201: Branch },
        detail: { ...operation('repoCreateBranch', 'Create a branch', 'repository'), errors: [409] },
      },
    )
    .get(
      '/repos/:owner/:repo/branches/*',
      ({ viewer, repo, params, request, set }) =>
        answers.keep({ viewer, request, set }, () => {
          const name = decodePath(params['*'])
          const ref = findRef(context.db, repo.row.id, HEADS + name)
          if (!ref) throw new NotFound(`branch does not exist [repo_id: ${repo.row.id} name: ${name.slice(0, 200)}]`)
          return presentOne(context, viewer, repo, name, ref.oid)
        }),
      {
        repo: 'code:read',
        params: BranchParams,
        response: { 200: Branch },
        detail: operation('repoGetBranch', 'Retrieve a specific branch from a repository, including its effective branch protection', 'repository'),
      },
    )
    .patch(
      '/repos/:owner/:repo/branches/*',
      ({ viewer, repo, params, body }) => renameBranch(context, requireUser(viewer).user, repo, decodePath(params['*']), body.name),
      {
        repo: 'code:write',
        params: BranchParams,
        body: RenameBranchRepoOption,
        response: noContent,
        detail: operation('repoRenameBranch', 'Rename a branch', 'repository'),
      },
    )
    .put(
      '/repos/:owner/:repo/branches/*',
      async ({ viewer, repo, params, body }) => moveBranch(context, requireUser(viewer).user, repo, decodePath(params['*']), body),
      {
        repo: 'code:write',
        params: BranchParams,
        body: UpdateBranchRepoOption,
        response: noContent,
        detail: operation('repoUpdateBranch', 'Update a branch reference to a new commit', 'repository'),
      },
    )
    .delete('/repos/:owner/:repo/branches/*', ({ viewer, repo, params }) => deleteBranch(context, requireUser(viewer).user, repo, decodePath(params['*'])), {
      repo: 'code:write',
      params: BranchParams,
      response: noContent,
      detail: { ...operation('repoDeleteBranch', 'Delete a specific branch from a repository', 'repository'), errors: [409] },
    })
}

async function findBranches(
  context: Pick<Context, 'db'>,
  { row }: RepoAccess,
  keyword: string | undefined,
  page: Page,
): Promise<{ rows: RefRow[]; total: number }> {
  if (keyword) return searchBranches(context.db, row.id, keyword, page)
  return { rows: listBranches(context.db, row.id, page), total: row.branch_count }
}

async function presentAll(context: Context, viewer: Viewer, repo: RepoAccess, refs: readonly Pick<RefRow, 'name' | 'oid'>[]): Promise<Branch[]> {
  const people = new People(context, viewer)
  const tips = await context.git.look('commits', repo.row.id, { oids: refs.map(({ oid }) => oid) })
  const verifications = await verifyCommits(context, people, tips)
  const termsOf = describeBranches(context.db, viewer, repo)
  return refs.map((ref, i) => {
    const name = ref.name.slice(HEADS.length)
    const tip = { tip: tips[i] as CommitDetails, verification: verifications[i] as PayloadCommitVerification }
    return presentBranch(context, repo, people, { name, terms: termsOf(name), ...tip })
  })
}

async function presentOne(context: Context, viewer: Viewer, repo: RepoAccess, name: string, oid: Oid): Promise<Branch> {
  const [branch] = await presentAll(context, viewer, repo, [{ name: HEADS + name, oid }])
  return branch as Branch
}
