import { accessStore, actingViewers, anonymous, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import { GitError } from '#git/errors.ts'
import type { PushedMessage, PushedRef } from '#git/history/pushed-commits.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import type { Concerns } from '#kernel/events.ts'
import { findIssueReferences } from '#markdown/index.ts'
import { listRefLines, type PushEvent, type RefChange } from '#repositories/refs/index.ts'
import { repoUrl } from '#repositories/repos/index.ts'
import { prepareWalks } from '#repositories/upkeep/index.ts'
import { accessTo, actOn, addEntry, type Deed, referencesIn } from '#work/issues/index.ts'
import { getPlace, hasActed, hasReference, setPlace } from './store.ts'

const EVENTS = 200
/** As many commits of one push are read, the newest. */
const MAX_COMMITS = 500
/** A new branch brings what other branches have not; among more than these nobody looks. */
const OTHER_BRANCHES = 1000
/** Refs of one push that are looked at in one go, while they bring no more than `MAX_COMMITS`. */
const REFS_AT_ONCE = 64
/** Commits that issues are told of in one transaction, while everybody waits. */
const TOLD_AT_ONCE = 25

const concerns: Concerns<ForgeEvent> = {
  repository: false,
  push: true,
  status: false,
  release: false,
  wiki: false,
  hook_test: false,
  issue: false,
  issue_comment: false,
  pull_review: false,
}

/** Reads what pushes bring as soon as they are there; what an earlier run left undone first. */
export function startFollowingPushes(context: Context): void {
  context.events.follow(context.tasks, { name: 'commit references', placeOf: () => getPlace(context.db), concerns, read: () => followPushes(context) })
}

/** Looks at all pushes there are, in order. What a crash interrupts is looked at again, and done once. */
export async function followPushes(context: Context): Promise<void> {
  for (;;) {
    const batch = context.events.after(getPlace(context.db), EVENTS)
    const last = batch.at(-1)
    if (last === undefined || context.tasks.isStopping) return
    for (const { id, event } of batch) {
      if (event.type === 'push' && (await follow(context, event))) context.db.provisional((tx) => setPlace(tx, id))
    }
    if (context.tasks.isStopping) return
    context.db.provisional((tx) => setPlace(tx, last.id))
  }
}

/** @returns whether anything came of it */
async function follow(context: Context, event: PushEvent): Promise<boolean> {
  const row = accessStore.findRepoById(context.db, event.repoId)
  const doer = accessStore.findUserById(context.db, event.actorId)
  if (!row || !doer) return false
  const changes = event.changes.filter((change) => change.name.startsWith(HEADS) && change.after !== SHA1.zero)
  const isNew = changes.some(({ before }) => before === SHA1.zero)
  if (isNew) await prepareWalks(context, row)
  const others = isNew ? listRefLines(context.db, row.id, HEADS, OTHER_BRANCHES) : ''
  let isTold = false
  for (let at = 0; at < changes.length && !context.tasks.isStopping; ) {
    const lists = await readMessages(context, row, changes.slice(at, at + REFS_AT_ONCE), others)
    for (const [i, commits] of lists.entries()) {
      const telling = await tellingOf(context, commits)
      if (telling.length > 0) isTold = (await tell(context, event, row, (changes[at + i] as RefChange).name, telling)) || isTold
    }
    at += lists.length
  }
  return isTold
}

/**
 * The disk is waited for with the last of them, and with each that may close issues: what the others do not leave behind in a crash is told again.
 * @returns false when the repository is gone, or the pusher may no longer read it
 */
async function tell(context: Context, event: PushEvent, { id }: RepoRow, name: string, commits: readonly PushedMessage[]): Promise<boolean> {
  for (let at = 0; at < commits.length; at += TOLD_AT_ONCE) {
    if (at > 0) await breathe()
    const doer = accessStore.findUserById(context.db, event.actorId)
    const repo = doer && accessTo(context.db, { ...anonymous, user: doer }, id)
    if (!repo) return at > 0
    const isDefault = name === HEADS + repo.row.default_branch
    const work = (tx: Tx) => {
      const deed = { context, doer, repo, at: context.clock.seconds(), elsewhere: event.acting && actingViewers(tx, event.acting) }
      for (const commit of commits.slice(at, at + TOLD_AT_ONCE)) apply(tx, deed, commit, isDefault)
    }
    if (isDefault || at + TOLD_AT_ONCE >= commits.length) context.db.tx(work)
    else context.db.provisional(work)
  }
  return true
}

/** Of as many of these refs as are read at once, what the push brought; what is no longer there, for it was pushed away since, says nothing. */
async function readMessages(context: Pick<Context, 'git'>, repo: RepoRow, changes: readonly RefChange[], others: string): Promise<PushedMessage[][]> {
  try {
    return await context.git.run('listPushedMessages', repo.id, { pushed: changes.map((change) => pushedRef(repo, change)), others, limit: MAX_COMMITS })
  } catch (error) {
    if (error instanceof GitError || error instanceof Problem) return changes.map(() => [])
    throw error
  }
}

/** Those that refer to something, oldest first. */
async function tellingOf({ rootUrl }: Pick<Context, 'rootUrl'>, commits: readonly PushedMessage[]): Promise<PushedMessage[]> {
  const telling: PushedMessage[] = []
  for (const commit of commits) {
    if (isDue()) await breathe()
    if (findIssueReferences(commit.message, rootUrl).length > 0) telling.push(commit)
  }
  return telling.reverse()
}

/** Of a repository's first push, all that its default branch holds is new. */
function pushedRef(repo: RepoRow, { name, before, after }: RefChange): PushedRef {
  return { name, before: before === SHA1.zero ? undefined : (before as Oid), after: after as Oid, bringsAll: name === HEADS + repo.default_branch }
}

/** Adds a commit to the timelines of the issues it names. On the default branch it also closes or reopens them, if all accounts it acts for have the right. */
function apply(tx: Tx, deed: Deed, commit: PushedMessage, isDefault: boolean): void {
  for (const reference of referencesIn(tx, deed, deed.repo.row.id, commit.message)) {
    if (!hasReference(tx, reference.target.id, commit.oid)) {
      addEntry(tx, deed, reference.target, 'commit_ref', { commit_oid: commit.oid, ref_repo_id: deed.repo.row.id, body: linkTo(deed, commit) })
    }
    if (isDefault && !hasActed(tx, reference.target.id, commit.oid)) actOn(tx, deed, deed.repo.row.id, reference, commit.oid)
  }
}

/** Gitea's form of the entry's text: a link to the commit, with the first line of its message. */
function linkTo({ context, repo }: Deed, { oid, message }: PushedMessage): string {
  return `<a href="${repoUrl(context, repo.owner, repo.row)}/commit/${oid}">${Bun.escapeHTML(message.split('\n', 1).join('').slice(0, 500))}</a>`
}
