import { recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { NotFound } from '#kernel/errors.ts'
import { loadPicture, removePicture, savePicture } from './files.ts'
import { type Picture, readPicture, readPictureBytes } from './picture.ts'
import { type AvatarOwner, findAvatar, setAvatar } from './store.ts'

/**
 * Gives the holder another picture; the one before goes once that is durable.
 * @param image base64
 * @throws BadRequest, TooLarge and Unprocessable as `readPicture` does; NotFound when the holder is gone meanwhile, Unauthorized when
 * the actor is. Then nothing is kept.
 */
export async function uploadAvatar(context: Pick<Context, 'config' | 'db' | 'log'>, actor: UserRow, holder: AvatarOwner, image: string): Promise<void> {
  const name = await savePicture(context, await readPicture(context.config, image))
  commitPicture(context, name, (tx) => {
    recheckAccount(tx, actor)
    replaceAvatar(context, tx, holder, name)
  })
}

/** Gives `to` a picture of its own like the one that `from` has; without one, or with one that cannot be read, nothing happens. @throws NotFound when `to` is gone meanwhile */
export async function copyAvatar(context: Pick<Context, 'config' | 'db' | 'log'>, from: AvatarOwner, to: AvatarOwner): Promise<void> {
  const original = findAvatar(context.db, from) ?? ''
  const isUnreadable = (error: unknown) => context.log.error('cannot copy an avatar', error)
  const bytes = original === '' ? undefined : await loadPicture(context, original).catch(isUnreadable)
  if (!bytes) return
  const name = await savePicture(context, { kind: original.slice(original.lastIndexOf('.') + 1) as Picture['kind'], bytes })
  commitPicture(context, name, (tx) => replaceAvatar(context, tx, to, name))
}

/**
 * Gives the holder the picture that a directory has of them, unless it is the one they have.
 * @throws TooLarge and Unprocessable as `readPicture` does; NotFound when the holder is gone meanwhile
 */
export async function setExternalAvatar(context: Pick<Context, 'config' | 'db' | 'log'>, holder: AvatarOwner, bytes: Uint8Array): Promise<void> {
  const present = findAvatar(context.db, holder)
  // One that cannot be read is replaced.
  const kept = present ? await loadPicture(context, present).catch(() => undefined) : undefined
  if (kept && Buffer.compare(kept, bytes) === 0) return
  const name = await savePicture(context, await readPictureBytes(context.config, bytes))
  commitPicture(context, name, (tx) => replaceAvatar(context, tx, holder, name))
}

/** Takes the holder's picture away, if there is one. @throws NotFound when the holder is gone meanwhile */
export function removeAvatar(context: Pick<Context, 'config' | 'db' | 'log'>, holder: AvatarOwner): void {
  context.db.tx((tx) => replaceAvatar(context, tx, holder, ''))
}

/** Has a row name the picture. Where that fails the file goes, unless the disk may have the commit: a later sweep sees whether anybody has it. */
function commitPicture(context: Pick<Context, 'config' | 'db' | 'log'>, name: string, work: (tx: Tx) => void): void {
  try {
    context.db.tx(work)
  } catch (error) {
    if (diskTroubleOf(error) !== 'lost') removePicture(context, name)
    throw error
  }
}

function replaceAvatar(context: Pick<Context, 'config' | 'log'>, tx: Tx, holder: AvatarOwner, name: string): void {
  const before = findAvatar(tx, holder)
  if (before === undefined) throw new NotFound()
  setAvatar(tx, holder, name)
  if (before !== '') tx.onCommit(() => removePicture(context, before))
}
