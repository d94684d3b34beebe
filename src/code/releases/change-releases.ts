import { type Member, type RepoAccess, recheckRepo, type UserRow } from '#access/index.ts'
import { getNamedCommit } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { isRefName, TAGS } from '#git/refs/names.ts'
import type { Db, Row, Tx } from '#kernel/db.ts'
import { Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { placeholderEmail } from '#people/users/index.ts'
import { findRef, type MoveRefs, writeObjects } from '#repositories/refs/index.ts'
import type { ReleaseEvent } from './events.ts'
import type { CreateReleaseOption, EditReleaseOption } from './schema.ts'
import { deleteReleaseRow, findRelease, findReleaseByTag, insertRelease, type ReleaseRow, updateRelease } from './store.ts'

/** Who changes releases of which repository. */
export interface Place {
  viewer: Member
  repo: RepoAccess
}

/**
 * Makes a release and, unless it is a draft, its tag where there is none: both or neither.
 * @throws Unprocessable for a name that is none for a tag, and while nothing was pushed; NotFound when the target is not there; Conflict
 * when the tag has a release already
 */
export async function createRelease(context: Context, place: Place, asked: CreateReleaseOption): Promise<ReleaseRow> {
  const { row: repo } = place.repo
  const { user } = place.viewer
  if (repo.is_empty === 1) throw new Unprocessable('repo is empty')
  const row = {
    repo_id: repo.id,
    tag_name: checkTagName(asked.tag_name),
    target: asked.target_commitish || repo.default_branch,
    title: (asked.name || asked.tag_name).slice(0, 255),
    note: asked.body ?? '',
    is_draft: Number(asked.draft === true),
    is_prerelease: Number(asked.prerelease === true),
    publisher_id: user.id,
    created_at: context.clock.seconds(),
  }
  refuseTaken(context.db, row)
  const insert = (tx: Tx) => {
    recheckRepo(tx, user, repo.id, 'releases')
    refuseTaken(tx, row)
    const made = insertRelease(tx, row)
    announce(context, tx, user, made, 'published')
    return made
  }
  return withTag(context, place, { ...row, message: asked.tag_message }, insert)
}

/**
 * Changes what is given; what is empty counts as not given, as in Gitea. Publishing a draft makes its tag, and dates it anew.
 * @throws as `createRelease` does
 */
export async function editRelease(context: Context, place: Place, before: ReleaseRow, asked: EditReleaseOption): Promise<ReleaseRow> {
  const { user } = place.viewer
  const isPublished = before.is_draft === 1 && asked.draft === false
  const change = {
    ...(asked.tag_name ? { tag_name: checkTagName(asked.tag_name) } : {}),
    ...(asked.target_commitish ? { target: asked.target_commitish } : {}),
    ...(asked.name ? { title: asked.name.slice(0, 255) } : {}),
    ...(asked.body ? { note: asked.body } : {}),
    ...(asked.draft === undefined ? {} : { is_draft: Number(asked.draft) }),
    ...(asked.prerelease === undefined ? {} : { is_prerelease: Number(asked.prerelease) }),
    ...(isPublished ? { created_at: context.clock.seconds() } : {}),
  } satisfies Row & Partial<ReleaseRow>
  const after = { ...before, ...change }
  return withTag(context, place, after, (tx) => {
    recheckRepo(tx, user, before.repo_id, 'releases')
    if (!findRelease(tx, before.repo_id, before.id)) throw new NotFound()
    if (after.tag_name !== before.tag_name) refuseTaken(tx, after)
    updateRelease(tx, before.id, change)
    announce(context, tx, user, after, isPublished ? 'published' : 'updated')
    return after
  })
}

/** Its files go with it; the tag stays. */
export function deleteRelease(context: Pick<Context, 'db' | 'events'>, { viewer }: Place, release: ReleaseRow): void {
  context.db.tx((tx) => {
    deleteReleaseRow(tx, release.id)
    announce(context, tx, viewer.user, release, 'deleted')
  })
}

interface WantedTag {
  tag_name: string
  target: string
  is_draft: number
  /** Makes it an annotated one. */
  message?: string
}

/** Runs `change` in the transaction that makes the tag, where one is to be made: not for drafts, nor where it is there already. */
async function withTag<T>(context: Context, place: Place, wanted: WantedTag, change: (tx: Tx) => T extends PromiseLike<unknown> ? never : T): Promise<T> {
  const { row: repo } = place.repo
  const name = TAGS + wanted.tag_name
  if (wanted.is_draft === 1 || findRef(context.db, repo.id, name)) return context.db.tx(change)
  const commit = await getNamedCommit(context, repo, wanted.target)
  return writeObjects(context, repo.id, async (writing) => {
    const tagger = taggerOf(context, place.viewer.user)
    const oid = wanted.message
      ? await writing.make('annotatedTag', { target: commit, name: wanted.tag_name, tagger, message: wanted.message })
      : await writing.make('nothing', { tips: [commit] }).then(() => commit)
    return writing.land<T>((tx, move) => {
      moveTag(tx, move, { place, name, oid })
      return change(tx)
    })
  })
}

/** What somebody else made meanwhile is as good. */
function moveTag(tx: Tx, move: MoveRefs, { place, name, oid }: { place: Place; name: string; oid: Oid }): void {
  if (findRef(tx, place.repo.row.id, name)) return
  const [result] = move({ actorId: place.viewer.user.id, message: 'release', updates: [{ name, old: SHA1.zero, new: oid, fastForward: true }] })
  if (!result?.ok) throw new Unprocessable(`Cannot create the tag: ${result?.reason}`)
}

function taggerOf(context: Pick<Context, 'clock' | 'rootUrl'>, user: UserRow) {
  const email = user.hide_email === 1 ? placeholderEmail(user, context.rootUrl) : user.email
  return { name: user.full_name || user.name, email, seconds: context.clock.seconds(), zone: '+0000' }
}

function checkTagName(name: string): string {
  if (!isRefName(TAGS + name)) throw new Unprocessable(`[TagName]: Cannot use "${name.slice(0, 100)}": it is not a valid tag name`)
  return name
}

function refuseTaken(db: Db, { repo_id, tag_name }: Pick<ReleaseRow, 'repo_id' | 'tag_name'>): void {
  if (findReleaseByTag(db, repo_id, tag_name)) throw new Conflict(`A release for tag "${tag_name}" already exists`)
}

function announce(context: Pick<Context, 'events'>, tx: Tx, actor: UserRow, release: ReleaseRow, action: ReleaseEvent['action']): void {
  if (release.is_draft === 1) return
  const { id: releaseId, repo_id: repoId, tag_name: tagName, title } = release
  context.events.record(tx, { type: 'release', action, actorId: actor.id, repoId, releaseId, tagName, title })
}
