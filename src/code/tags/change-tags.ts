import { type RepoAccess, recheckRepo, type UserRow } from '#access/index.ts'
import { findNamedCommit } from '#code/commits/index.ts'
import { findReleaseByTag } from '#code/releases/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { TAGS, tagRef } from '#git/refs/names.ts'
import { Conflict, Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { findRef, updateRefs, writeObjects } from '#repositories/refs/index.ts'
import type { CreateTagOption } from './schema.ts'
import type { TagRef } from './view.ts'

/**
 * Tags a commit: by itself, or with a message in an object of its own. Returns the row of the new ref.
 * @throws NotFound when there is no such target; Conflict when the name is taken or in the way; Unprocessable when it is protected, or cannot be used;
 *   Forbidden in mirrors
 */
export async function createTag(context: Context, actor: UserRow, repo: RepoAccess, body: CreateTagOption): Promise<TagRef> {
  const { row } = repo
  if (row.is_mirror === 1) throw new Forbidden('Git Repository is a mirror.')
  const name = tagRef(body.tag_name)
  const message = body.message?.trim()
  return writeObjects(context, row.id, async (writing) => {
    const target = await targetOf(context, repo, body.target || row.default_branch)
    if (findRef(context.db, row.id, name)) throw new Conflict(`tag already exists [name: ${body.tag_name}]`)
    const tagger = gitIdentity(context, actor)
    const oid = message ? await writing.make('annotatedTag', { target, name: body.tag_name, tagger, message }) : target
    if (!message) await writing.make('nothing', { tips: [target] })
    writing.land((tx, move) => {
      recheckRepo(tx, actor, row.id, 'code')
      if (findRef(tx, row.id, name)) throw new Conflict(`tag already exists [name: ${body.tag_name}]`)
      const [result] = move({ actorId: actor.id, message: 'tag: created through the API', updates: [{ name, old: SHA1.zero, new: oid, fastForward: true }] })
      if (result?.ok) return
      throw result?.isForbidden ? new Unprocessable('user not allowed to create protected tag') : new Conflict(`Cannot create the tag: ${result?.reason}`)
    })
    return { name, oid, peeled: message ? target : null }
  })
}

/** @throws NotFound when there is no such tag; Conflict when a release is of it; Unprocessable when it is protected; Forbidden in mirrors */
export function deleteTag(context: Context, actor: UserRow, { row }: RepoAccess, name: string): void {
  if (row.is_mirror === 1) throw new Forbidden('Git Repository is a mirror.')
  context.db.tx((tx) => {
    const ref = findRef(tx, row.id, TAGS + name)
    if (!ref) throw new NotFound(`tag doesn't exist: ${name.slice(0, 200)}`)
    if (findReleaseByTag(tx, row.id, name)) throw new Conflict('a tag attached to a release cannot be deleted directly')
    const update = { name: ref.name, old: ref.oid, new: SHA1.zero }
    const [result] = updateRefs(context, tx, { repoId: row.id, actorId: actor.id, message: 'tag: deleted through the API', updates: [update] })
    if (result?.ok) return
    throw result?.isForbidden ? new Unprocessable('user not allowed to delete protected tag') : new Conflict(`Cannot delete tag "${name}": ${result?.reason}`)
  })
}

async function targetOf(context: Pick<Context, 'db' | 'git'>, { row }: RepoAccess, target: string): Promise<Oid> {
  const oid = await findNamedCommit(context, row, target)
  if (oid === undefined) throw new NotFound(`target not found: ${target.slice(0, 200)}`)
  return oid
}
