import type { Context } from '#context.ts'
import { Backlog } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { deleteEnded, type EndedBranch, findFirstEnded, insertEnded, setLookedTo } from './ended-store.ts'
import { deleteOrphan, insertOrphans, listOrphans } from './orphan-store.ts'
import { finishRenames } from './rename-branch.ts'
import {
  closePull,
  findLastPull,
  findMergedInto,
  findOpen,
  findOpenById,
  hasBranch,
  insertMoveEntry,
  listOpenFrom,
  listOpenFromOutside,
  listOpenInto,
  type OpenPull,
  updatePull,
} from './store.ts'

/** Pull requests that follow a branch in one transaction: a few milliseconds. */
const SLICE = 20

/** Who makes pull requests follow, and when. */
export interface By {
  context: Pick<Context, 'config' | 'events'>
  actorId: number
  at: number
}

/** Closes what was on branches that are gone, or was to be merged into them, or has it merged elsewhere. */
export class EndedBranches extends Backlog {
  constructor(context: Pick<Context, 'config' | 'db' | 'events' | 'tasks'>) {
    super(context, 'follow branches that are gone', (tx) => followNext(context, tx))
  }
}

/** Closes what came from repositories that are gone. */
export class OrphanedPulls extends Backlog {
  constructor(context: Pick<Context, 'config' | 'db' | 'events' | 'tasks'>) {
    super(context, 'close what came from repositories that are gone', (tx) => closeNext(context, tx))
  }
}

/**
 * The first pull requests of a branch that goes follow it in this transaction, which is all there are of most; very many others a little later.
 * @param mergedInto where the branch goes; what was merged before went where its pull request says
 */
export function followDeletion(tx: Tx, by: By & { context: Context }, repo: { id: number; default_branch: string }, branch: string, mergedInto?: string): void {
  const target = mergedInto ?? findMergedInto(tx, repo.id, branch) ?? repo.default_branch
  const asked = { repo_id: repo.id, branch, target, actor_id: by.actorId, ended_at: by.at }
  const ended = { ...asked, last_issue_id: findLastPull(tx), from_looked_to: 0, into_looked_to: 0 }
  if (followSome(tx, by.context, ended)) return
  insertEnded(tx, ended)
  by.context.services.get(EndedBranches).begin(tx)
}

/** The same of a repository that goes: what comes from it is closed, wherever it was to be merged. */
export function closeFromOutside(tx: Tx, by: By & { context: Context }, repoId: number): void {
  const first = listOpenFromOutside(tx, repoId, SLICE)
  for (const pull of first) close(tx, by, pull, pull.head_branch)
  if (first.length === SLICE && insertOrphans(tx, repoId, by) > 0) by.context.services.get(OrphanedPulls).begin(tx)
}

/** @returns whether there may be more */
function closeNext(context: By['context'], tx: Tx): boolean {
  const orphans = listOrphans(tx, SLICE)
  for (const { issue_id: id, actor_id: actorId, orphaned_at: at } of orphans) {
    const pull = findOpenById(tx, id)
    if (pull) close(tx, { context, actorId, at }, pull, pull.head_branch)
    deleteOrphan(tx, id)
  }
  return orphans.length === SLICE
}

/** @returns whether there may be more */
function followNext(context: By['context'], tx: Tx): boolean {
  const ended = findFirstEnded(tx)
  if (!ended) return false
  finishRenames(tx, ended.repo_id)
  if (!hasBranch(tx, ended.repo_id, ended.target)) ended.target = ended.branch
  if (followSome(tx, context, ended)) deleteEnded(tx, ended.id)
  else setLookedTo(tx, ended)
  return true
}

/** Goes on from where it has looked to. @returns whether there was no more */
function followSome(tx: Tx, context: By['context'], ended: EndedBranch): boolean {
  const { repo_id: repoId, branch, target, last_issue_id: until } = ended
  const by = { context, actorId: ended.actor_id, at: ended.ended_at }
  const from = listOpenFrom(tx, repoId, branch, { after: ended.from_looked_to, until, limit: SLICE })
  for (const pull of from) close(tx, by, pull, branch)
  const into = listOpenInto(tx, repoId, branch, { after: ended.into_looked_to, until, limit: SLICE - from.length })
  for (const pull of into) if (!retarget(tx, by, pull, target)) close(tx, by, pull, branch)
  ended.from_looked_to = from.at(-1)?.issue_id ?? ended.from_looked_to
  ended.into_looked_to = into.at(-1)?.issue_id ?? ended.into_looked_to
  return from.length + into.length < SLICE
}

/** @param branch the one that is gone */
export function close(tx: Tx, by: By, pull: OpenPull, branch: string): void {
  closePull(tx, pull.issue_id, by.actorId, by.at)
  insertMoveEntry(tx, pull, { type: 'delete_branch', poster_id: by.actorId, at: by.at, old_text: branch })
  announce(tx, by, pull, 'closed')
}

/**
 * Gives a pull request another base branch of the same repository, because its own is deleted. The head can be in a fork.
 * @returns false when the setting is off, the new base is the head or the deleted branch, or another pull request between the two is open
 */
function retarget(tx: Tx, by: By, pull: OpenPull, base: string): boolean {
  const isOn = by.context.config['repository.pull-request'].RETARGET_CHILDREN_ON_MERGE
  const isHead = pull.head_repo_id === pull.repo_id && pull.head_branch === base
  if (!isOn || isHead || pull.base_branch === base) return false
  if (findOpen(tx, { ...pull, base_branch: base })) return false
  updatePull(tx, pull.issue_id, { base_branch: base })
  insertMoveEntry(tx, pull, { type: 'change_target_branch', poster_id: by.actorId, at: by.at, old_text: pull.base_branch, new_text: base })
  announce(tx, by, pull, 'retargeted')
  return true
}

export function announce(tx: Tx, { context, actorId }: By, pull: OpenPull, action: 'synchronized' | 'closed' | 'retargeted'): void {
  const { issue_id: issueId, repo_id: repoId, number, title } = pull
  context.events.record(tx, { type: 'issue', action, actorId, repoId, issueId, number, isPull: true, title })
}
