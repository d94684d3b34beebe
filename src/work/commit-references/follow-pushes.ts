import { accessStore, anonymous, type RepoRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import { GitError } from '#git/errors.ts'
import type { PushedRef } from '#git/history/pushed-commits.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import { findIssueReferences } from '#markdown/index.ts'
import { listRefs, type PushEvent, type RefChange } from '#repositories/refs/index.ts'
import { repoUrl } from '#repositories/repos/index.ts'
import { accessTo, addEntry, type Deed, mayAct, type Reference, referencesIn, setState } from '#work/issues/index.ts'
import { getPlace, hasActed, hasReference, setPlace } from './store.ts'

const EVENTS = 200
/** As many commits of one push are read, the newest. */
const MAX_COMMITS = 500
/** A new branch brings what other branches have not; among more than these nobody looks. */
const OTHER_BRANCHES = 1000
/** Refs of one push that are looked at in one go. */
const REFS_AT_ONCE = 64

const concerns = ({ type }: ForgeEvent) => type === 'push'

/** Reads what pushes bring as soon as they are there; what an earlier run left undone first. */
export function startFollowingPushes(context: Context): void {
  context.events.follow(context.jobs, { name: 'commit references', placeOf: () => getPlace(context.db), concerns, read: () => followPushes(context) })
}

/** Looks at all pushes there are, in order. What a crash interrupts is looked at again, and done once. */
export async function followPushes(context: Context): Promise<void> {
  for (;;) {
    const batch = context.events.after(getPlace(context.db), EVENTS)
    const last = batch.at(-1)
    if (last === undefined || context.jobs.isStopping) return
    for (const { id, event } of batch) {
      if (event.type === 'push' && (await follow(context, event))) context.db.provisional((tx) => setPlace(tx, id))
    }
    if (context.jobs.isStopping) return
    context.db.provisional((tx) => setPlace(tx, last.id))
  }
}

interface Told {
  oid: string
  message: string
}

/** @returns whether anything came of it */
async function follow(context: Context, event: PushEvent): Promise<boolean> {
  const row = accessStore.findRepoById(context.db, event.repoId)
  const doer = accessStore.findUserById(context.db, event.actorId)
  if (!row || !doer) return false
  const changes = event.changes.filter((change) => change.name.startsWith(HEADS) && change.after !== SHA1.zero)
  let isTold = false
  for (let at = 0; at < changes.length && !context.jobs.isStopping; at += REFS_AT_ONCE) {
    const some = changes.slice(at, at + REFS_AT_ONCE)
    for (const [i, commits] of (await readCommits(context, row, some)).entries()) {
      if (commits.length > 0) isTold = tell(context, doer, row, (some[i] as RefChange).name, commits) || isTold
    }
  }
  return isTold
}

/** @returns false when the repository is gone, or the pusher may no longer read it */
function tell(context: Context, doer: UserRow, { id }: RepoRow, name: string, commits: readonly Told[]): boolean {
  const repo = accessTo(context.db, { ...anonymous, user: doer }, id)
  if (!repo) return false
  const isDefault = name === HEADS + repo.row.default_branch
  context.db.tx((tx) => {
    for (const commit of commits) apply(tx, { context, doer, repo, at: context.clock.seconds() }, commit, isDefault)
  })
  return true
}

/** Of each ref those that refer to something, oldest first. What is no longer there, for it was pushed away since, says nothing. */
async function readCommits(context: Pick<Context, 'db' | 'git' | 'rootUrl'>, repo: RepoRow, changes: readonly RefChange[]): Promise<Told[][]> {
  const isNew = changes.some(({ before }) => before === SHA1.zero)
  const others = isNew ? listRefs(context.db, repo.id, { prefix: HEADS, limit: OTHER_BRANCHES }).map(({ name, oid }) => ({ name, oid })) : []
  try {
    const lists = await context.git.run('listPushed', repo.id, { pushed: changes.map((change) => pushedRef(repo, change)), others, limit: MAX_COMMITS })
    return lists.map((commits = []) =>
      commits
        .map(({ oid, commit: { message } }) => ({ oid, message }))
        .filter(isTelling(context))
        .reverse(),
    )
  } catch (error) {
    if (error instanceof GitError || error instanceof Problem) return []
    throw error
  }
}

/** Of a repository's first push, all that its default branch holds is new. */
function pushedRef(repo: RepoRow, { name, before, after }: RefChange): PushedRef {
  return { name, before: before === SHA1.zero ? undefined : (before as Oid), after: after as Oid, bringsAll: name === HEADS + repo.default_branch }
}

function isTelling({ rootUrl }: Pick<Context, 'rootUrl'>): (commit: Told) => boolean {
  return ({ message }) => findIssueReferences(message, rootUrl).length > 0
}

/** Tells issues of a commit that names them; on the default branch it also does what it says, as far as its pusher may. */
function apply(tx: Tx, deed: Deed, commit: Told, isDefault: boolean): void {
  for (const reference of referencesIn(tx, deed, deed.repo.row.id, commit.message)) {
    if (!hasReference(tx, reference.target.id, commit.oid)) {
      addEntry(tx, deed, reference.target, 'commit_ref', { commit_oid: commit.oid, ref_repo_id: deed.repo.row.id, body: linkTo(deed, commit) })
    }
    if (isDefault && !hasActed(tx, reference.target.id, commit.oid)) act(tx, deed, reference, commit.oid)
  }
}

function act(tx: Tx, deed: Deed, { target, action }: Reference, oid: string): void {
  const home = accessTo(tx, { ...anonymous, user: deed.doer }, target.repo_id)
  if (action === 'none' || !home || !mayAct(home, deed.doer, target)) return
  try {
    setState(tx, { ...deed, repo: home }, target, action === 'closes' ? 'closed' : 'open', oid)
  } catch (error) {
    // One that depends on open ones stays open.
    if (!(error instanceof Problem)) throw error
  }
}

/** Gitea's form of the entry's text: a link to the commit, with the first line of its message. */
function linkTo({ context, repo }: Deed, { oid, message }: Told): string {
  return `<a href="${repoUrl(context, repo.owner, repo.row)}/commit/${oid}">${Bun.escapeHTML(message.split('\n', 1).join('').slice(0, 500))}</a>`
}
