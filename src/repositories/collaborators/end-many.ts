import type { Context } from '#context.ts'
import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { clearEnded, deleteEnded, findFirstEnded, insertEnded } from './ended-store.ts'

/** Rows looked at in one transaction: a few milliseconds. */
const SLICE = 50

type Services = Pick<Context, 'services'>

/** Clears away collaborations that count for nothing any more. */
export class EndedCollaborations extends Backlog {
  constructor(context: Pick<Context, 'db' | 'tasks'>) {
    super(context, 'clear ended collaborations', (tx) => fillSlice(SLICE, () => clearNext(tx)))
  }
}

/** Who owns the repository, or is a member of the organization that does, has their rights from that: what they were given by name ends. */
export function endForOwners({ services }: Services, tx: Tx, repoId: number, ownerId: number): void {
  insertEnded(tx, { owner_id: ownerId, repo_id: repoId })
  services.get(EndedCollaborations).begin(tx)
}

/** What a person was given ends in all repositories of an owner. */
export function endWithOwner({ services }: Services, tx: Tx, ownerId: number, userId: number): void {
  insertEnded(tx, { owner_id: ownerId, user_id: userId })
  services.get(EndedCollaborations).begin(tx)
}

/** @returns about how many rows were looked at; undefined when nothing was left to clear */
function clearNext(tx: Tx): number | undefined {
  const ended = findFirstEnded(tx)
  if (!ended) return undefined
  const looked = clearEnded(tx, ended, SLICE)
  if (looked < SLICE) deleteEnded(tx, ended.id)
  return 1 + looked
}
