import { Elysia, t } from 'elysia'
import { accessStore, gate, noContent, operation, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Peer, pacedStream } from '#kernel/answers/paced-stream.ts'
import { NotFound } from '#kernel/errors.ts'
import { inParts, uncheckedPages } from '#kernel/http.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { isKnownCandidate, listCandidateIds, type Work } from './candidates-store.ts'
import { requireReviewAsker } from './rules.ts'

const AssigneeParams = t.Object({ ...RepoParams.properties, assignee: t.String({ description: 'Username of the assignee' }) })

/** Whom issues can be assigned to, and whom reviews can be asked of. */
export function candidates(context: Context) {
  const list = async (viewer: Viewer, repo: RepoAccess, work: Work, peer: Peer) => {
    const ids = await listCandidateIds(context.db, viewer, repo, work)
    const parts = inParts(ids, (part) => accessStore.listUsersById(context.db, part).map((row) => presentUser(context, viewer, row)))
    return uncheckedPages(parts, (source) => pacedStream(context, source, peer), { total: () => ids.length })
  }
  return new Elysia({ name: 'collaborators.candidates' })
    .use(gate(context))
    .get('/repos/:owner/:repo/assignees', ({ viewer, repo, request, server }) => list(requireUser(viewer), repo, 'issues', { request, server }), {
      repo: 'read',
      params: RepoParams,
      response: { 200: UserList },
      detail: operation('repoGetAssignees', 'Return all users that have write access and can be assigned to issues', 'repository'),
    })
    .get(
      '/repos/:owner/:repo/assignees/:assignee',
      ({ viewer, repo, params }) => {
        const asker = requireUser(viewer)
        const account = accessStore.findUserByName(context.db, params.assignee)
        if (!account || !isKnownCandidate(context.db, asker, repo, 'issues', account.id)) throw new NotFound()
      },
      {
        repo: 'read',
        params: AssigneeParams,
        response: noContent,
        detail: operation('repoCheckAssignee', 'Check if a user can be assigned to issues in this repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/reviewers',
      ({ viewer, repo, request, server }) => {
        requireReviewAsker(context.db, requireUser(viewer), repo)
        return list(viewer, repo, 'reviews', { request, server })
      },
      {
        repo: 'read',
        params: RepoParams,
        response: { 200: UserList },
        detail: operation('repoGetReviewers', 'Return all users that can be requested to review in this repo', 'repository'),
      },
    )
}
