import { Elysia } from 'elysia'
import { gate, operation, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { presentRepoRow, Repository } from '#repositories/repos/index.ts'
import { TransferRepoOption } from './schema.ts'
import { acceptTransfer, rejectTransfer, transferRepo } from './transfer-repo.ts'

/** Repositories that change hands. */
export function transfers(context: Context) {
  return new Elysia({ name: 'transfers' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/transfer',
      ({ viewer, repo, body, set }) => {
        const done = transferRepo(context, requireUser(viewer), repo, body)
        set.status = done.isPending ? 201 : 202
        return presentRepoRow(context, viewer, done.repo)
      },
      {
        repo: 'owner',
        params: RepoParams,
        body: TransferRepoOption,
        response: { 201: Repository, 202: Repository },
        detail: {
          ...operation('repoTransfer', 'Transfer a repository to another owner. Returns 201 if the new owner must accept the transfer.', 'repository'),
          errors: [409],
        },
      },
    )
    .post('/repos/:owner/:repo/transfer/accept', ({ viewer, repo }) => presentRepoRow(context, viewer, acceptTransfer(context, requireUser(viewer), repo)), {
      repo: 'read',
      params: RepoParams,
      response: { 202: Repository },
      detail: { ...operation('acceptRepoTransfer', 'Accept a repository that is being transferred', 'repository'), errors: [409, 422] },
    })
    .post('/repos/:owner/:repo/transfer/reject', ({ viewer, repo }) => presentRepoRow(context, viewer, rejectTransfer(context, requireUser(viewer), repo)), {
      repo: 'read',
      params: RepoParams,
      response: { 200: Repository },
      detail: operation('rejectRepoTransfer', 'Reject a repository that is being transferred', 'repository'),
    })
}
