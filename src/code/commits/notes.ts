import { type Member, type RepoAccess, recheckRepo } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { findRef, writeObjects } from '#repositories/refs/index.ts'

const NOTES = 'refs/notes/commits'
const MAX_NOTE_BYTES = 1024 * 1024
/** Others who may come in the way of one change. */
const MAX_ROUNDS = 5

/** What `git notes show` says of a commit, if anything. */
export async function findNoteText(context: Pick<Context, 'db' | 'git'>, { row: { id } }: RepoAccess, of: Oid): Promise<string | undefined> {
  const tip = findRef(context.db, id, NOTES)?.oid
  if (!tip) return undefined
  const { tree } = await context.git.look('links', id, { oid: tip })
  const found = await context.git.run('readNote', id, { tree, of, maxBytes: MAX_NOTE_BYTES })
  return found && Buffer.from(found.data).toString()
}

/** What `git notes show` says of a commit, and the commit that last changed it. @throws NotFound when it says nothing */
export async function readNote(context: Pick<Context, 'db' | 'git'>, { row: { id } }: RepoAccess, of: Oid): Promise<{ message: string; commit: Oid }> {
  const tip = findRef(context.db, id, NOTES)?.oid
  if (!tip) throw new NotFound()
  const { tree } = await context.git.look('links', id, { oid: tip })
  const found = await context.git.run('readNote', id, { tree, of, maxBytes: MAX_NOTE_BYTES })
  if (!found) throw new NotFound()
  const slash = found.path.lastIndexOf('/')
  const name = found.path.slice(slash + 1)
  const last = await context.git.run('lastCommits', id, { tip, dir: found.path.slice(0, Math.max(0, slash)), names: [name] })
  return { message: Buffer.from(found.data).toString(), commit: last.get(name)?.oid ?? tip }
}

/**
 * Notes something of a commit, in place of what was noted before, or takes the note away, as `git notes add -f` and `git notes remove` do.
 * @param text undefined: the note goes
 * @throws NotFound when there is none to take away; Forbidden for mirrors, and when a policy refuses
 */
export async function changeNote(context: Context, viewer: Member, { row }: RepoAccess, of: Oid, text: string | undefined): Promise<void> {
  if (row.is_mirror === 1) throw new Forbidden('Git Repository is a mirror.')
  const who = gitIdentity(context, viewer.user)
  const message = text === undefined ? "Notes removed by 'git notes remove'" : "Notes added by 'git notes add'"
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const old = findRef(context.db, row.id, NOTES)?.oid
    const hasMoved = await writeObjects(context, row.id, async (writing) => {
      const oid = await writing.make('note', { parent: old, of, text: text === undefined ? undefined : `${text.trimEnd()}\n`, who, message })
      if (oid === undefined) throw new NotFound()
      return writing.land((tx, move) => {
        recheckRepo(tx, viewer.user, row.id, 'code')
        const update = { name: NOTES, old: old ?? SHA1.zero, new: oid, fastForward: true }
        const [moved] = move({ actorId: viewer.user.id, message: `notes: ${message}`, updates: [update] })
        if (moved && !moved.ok && moved.isForbidden) throw new Forbidden(moved.reason)
        return moved?.ok === true
      })
    })
    if (hasMoved) return
  }
  throw new Conflict('Cannot save the note: other people changed the notes at the same time. Try again later.')
}
