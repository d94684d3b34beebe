import type { RepoAccess, UserRow } from '#access/index.ts'
import { findRevision, type Revision } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { mayFire } from './rules.ts'
import type { WebhookRow } from './store.ts'

/**
 * Has a hook told of a push of what `ref` names, the default branch by default. In a repository without commits there is nothing to tell.
 * @throws NotFound when `ref` names nothing; Unprocessable when nobody who may answers for the hook
 */
export function testHook(
  context: Pick<Context, 'db' | 'git' | 'events'>,
  actor: UserRow,
  { row: repo }: RepoAccess,
  hook: WebhookRow,
  ref: string | undefined,
): void {
  if (!mayFire(context.db, hook))
    throw new Unprocessable(
      'The creator of this webhook is no longer an administrator of the repository. To take over the webhook, activate it again with PATCH {"active": true} in the API.',
    )
  const found = findRevision(context, repo, ref ?? 'HEAD')
  if (!found && ref !== undefined) throw new NotFound(`ref not found [${ref.slice(0, 200)}]`)
  if (!found) return
  const event = { type: 'hook_test', actorId: actor.id, repoId: repo.id, hookId: hook.id, ref: fullName(found, repo.default_branch), oid: found.oid } as const
  context.db.tx((tx) => context.events.record(tx, event))
}

function fullName({ kind, name }: Revision, defaultBranch: string): string {
  return kind === 'tag' ? TAGS + name : HEADS + (kind === 'branch' ? name : defaultBranch)
}
