import { Elysia, t } from 'elysia'
import { gate, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { replayCommit, showReplay } from './replay-commit.tsx'

const CommitParams = t.Object({ ...RepoParams.properties, sha: t.String() })
const ReplayForm = t.Object({
  branch: t.String({ maxLength: 1024 }),
  new_branch: t.Optional(t.String({ maxLength: 1024 })),
  message: t.Optional(t.String({ maxLength: 65_536 })),
})

/** Commits taken back, and taken over to other branches. */
export function replayPages(context: Context) {
  return new Elysia({ name: 'replays.pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/commit/:sha/revert',
      ({ viewer, repo, request, params: { sha } }) =>
        showReplay(context, { member: requireUser(viewer), visit: new Visit(context, viewer, request), repo, sha, verb: 'revert' }),
      { repo: 'code:read', params: CommitParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/commit/:sha/revert',
      ({ viewer, repo, request, params: { sha }, body }) =>
        replayCommit(context, { member: requireUser(viewer), visit: new Visit(context, viewer, request), repo, sha, verb: 'revert' }, body),
      { repo: 'code:read', params: CommitParams, body: ReplayForm, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/commit/:sha/cherry-pick',
      ({ viewer, repo, request, params: { sha } }) =>
        showReplay(context, { member: requireUser(viewer), visit: new Visit(context, viewer, request), repo, sha, verb: 'cherry-pick' }),
      { repo: 'code:read', params: CommitParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/commit/:sha/cherry-pick',
      ({ viewer, repo, request, params: { sha }, body }) =>
        replayCommit(context, { member: requireUser(viewer), visit: new Visit(context, viewer, request), repo, sha, verb: 'cherry-pick' }, body),
      { repo: 'code:read', params: CommitParams, body: ReplayForm, detail: { hide: true } },
    )
}
