import { accessStore, anonymous, type RepoAccess, type RepoRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import { listRefs, type PushEvent, type RefChange } from '#repositories/refs/index.ts'
import { repoUrl } from '#repositories/repos/index.ts'
import { accessTo, addEntry, type Deed, isWriter, type Reference, referencesIn, setState } from '#work/issues/index.ts'
import { getPlace, hasActed, hasReference, setPlace } from './store.ts'

const EVENTS = 200
const FOLLOW_SECONDS = 5
/** As many commits of one push are read, the newest. */
const MAX_COMMITS = 500
/** A new branch brings what other branches have not; among more than these nobody looks. */
const OTHER_BRANCHES = 1000
const NAME = 'commit references'

/** Reads what pushes bring as soon as they are there; what an earlier run left undone first. */
export function startFollowingPushes(context: Context): void {
  context.events.addReader(() => getPlace(context.db))
  context.jobs.every(FOLLOW_SECONDS, NAME, () => followPushes(context))
  context.events.onRecord(() => void context.jobs.runTask(NAME))
}

/** Looks at all pushes there are, in order. What a crash interrupts is looked at again, and done once. */
export async function followPushes(context: Context): Promise<void> {
  for (;;) {
    const batch = context.events.after(getPlace(context.db), EVENTS)
    const last = batch.at(-1)
    if (last === undefined || context.jobs.isStopping) return
    for (const { id, event } of batch) {
      if (event.type === 'push') await follow(context, event, id)
    }
    context.db.tx((tx) => setPlace(tx, last.id))
  }
}

interface Told {
  oid: string
  message: string
}

async function follow(context: Context, event: PushEvent, eventId: number): Promise<void> {
  const row = accessStore.findRepoById(context.db, event.repoId)
  const doer = accessStore.findUserById(context.db, event.actorId)
  if (!row || !doer) return
  for (const change of event.changes) {
    if (!change.name.startsWith(HEADS) || change.after === SHA1.zero) continue
    const commits = await readCommits(context, row, change)
    const repo = accessTo(context.db, { ...anonymous, user: doer }, row.id)
    if (!repo) return
    const isDefault = change.name === HEADS + repo.row.default_branch
    context.db.tx((tx) => {
      for (const commit of commits) apply(tx, { context, doer, repo, at: context.clock.seconds() }, commit, isDefault)
    })
  }
  context.db.tx((tx) => setPlace(tx, eventId))
}

/** Oldest first. What is no longer there, for it was pushed away since, says nothing. */
async function readCommits(context: Context, repo: RepoRow, { name, before, after }: RefChange): Promise<Told[]> {
  const exclude = before === SHA1.zero ? otherTips(context, repo, name) : [before as Oid]
  try {
    const range = { include: [after as Oid], exclude }
    const commits = await context.git.run('listCommits', repo.id, { range, skip: 0, limit: MAX_COMMITS, details: { files: false, stat: false } })
    return commits.map(({ oid, commit }) => ({ oid, message: commit.message })).reverse()
  } catch (error) {
    if (error instanceof GitError || error instanceof Problem) return []
    throw error
  }
}

function otherTips({ db }: Context, repo: RepoRow, name: string): Oid[] {
  // Of a repository's first push, all that its default branch holds is new.
  if (name === HEADS + repo.default_branch) return []
  const others = listRefs(db, repo.id, { prefix: HEADS, limit: OTHER_BRANCHES }).filter((ref) => ref.name !== name)
  return [...new Set(others.map(({ oid }) => oid))]
}

/** Tells issues of a commit that names them; on the default branch it also does what it says, as far as its pusher may. */
function apply(tx: Tx, deed: Deed, commit: Told, isDefault: boolean): void {
  for (const reference of referencesIn(tx, deed, deed.repo.row.id, commit.message)) {
    if (!hasReference(tx, reference.target.id, commit.oid)) {
      addEntry(tx, deed, reference.target, 'commit_ref', { commit_oid: commit.oid, body: linkTo(deed, commit) })
    }
    if (isDefault && !hasActed(tx, reference.target.id, commit.oid)) act(tx, deed, reference, commit.oid)
  }
}

function act(tx: Tx, deed: Deed, { target, action }: Reference, oid: string): void {
  const home = accessTo(tx, { ...anonymous, user: deed.doer }, target.repo_id)
  if (action === 'none' || !home || !mayAct(home, deed.doer, target) || target.merged_at !== null) return
  try {
    setState(tx, { ...deed, repo: home }, target, action === 'closes' ? 'closed' : 'open', oid)
  } catch (error) {
    // One that depends on open ones stays open.
    if (!(error instanceof Problem)) throw error
  }
}

function mayAct(home: RepoAccess, doer: UserRow, target: Reference['target']): boolean {
  return home.row.archived_at === null && (target.poster_id === doer.id || isWriter(home, target))
}

/** Gitea's form of the entry's text: a link to the commit, with the first line of its message. */
function linkTo({ context, repo }: Deed, { oid, message }: Told): string {
  return `<a href="${repoUrl(context, repo.owner, repo.row)}/commit/${oid}">${Bun.escapeHTML(message.split('\n', 1).join('').slice(0, 500))}</a>`
}
