import { paceOf, type RepoAccess, refuseArchived, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import { BlobStore, cleanName, type Landed, noteBlob, readUpload, refuseType } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { timeIn } from '#kernel/schema.ts'
import {
  type AttachmentRow,
  deleteAttachment,
  findAttachment,
  type HolderKind,
  insertAttachment,
  listAttachmentsOf,
  renameAttachment,
} from '#work/attachments/index.ts'
import { change, dateOf, findIssueById, type IssueRow } from '#work/issues/index.ts'
import type { UploadQuery } from './schema.ts'

/** What files are put beside, who asks, and what says that they may not. */
export interface Place {
  viewer: Viewer
  repo: RepoAccess
  issue: IssueRow
  holder: { kind: HolderKind; id: number }
  /** @throws Forbidden for who may not change the files there */
  requireOwner(): void
}

const MIB = 1_048_576

/** @throws NotFound where files are not attached; Unauthorized, Forbidden, Locked for who may not, and where nothing may be written */
function requireChanging(context: Pick<Context, 'config'>, { viewer, repo, requireOwner }: Place): UserRow {
  if (!context.config.attachment.ENABLED) throw new NotFound()
  const { user } = requireUser(viewer)
  requireOwner()
  refuseArchived(repo)
  return user
}

/**
 * Puts a file beside an issue or comment. It goes to disk as it comes; rights are looked at before any of it is read.
 * @param query the form may have `updated_at` instead
 * @throws Unprocessable for a type that is not allowed, and when there are too many; TooLarge; BadRequest for what is no upload
 */
export async function addAsset(context: Context, place: Place, request: Request, query: UploadQuery): Promise<AttachmentRow> {
  const { attachment } = context.config
  const user = requireChanging(context, place)
  const dated = (text: string | undefined) => dateOf(context, place.viewer, place.repo, place.issue, checkedTime(text))
  // A wrong date is refused before the file is read.
  dated(query.updated_at)
  const { file, fields } = await readUpload(request, paceOf(context.config), async (upload) => {
    const name = cleanName(query.name || upload.name)
    refuseType(name, attachment.ALLOWED_TYPES)
    return { name, landed: await context.services.get(BlobStore).land(upload.bytes, attachment.MAX_SIZE * MIB) }
  })
  const { name, landed } = file
  try {
    const at = dated(query.updated_at || fields.get('updated_at')?.[0])
    return context.db.tx((tx) => {
      const issue = findIssueById(tx, place.issue.id)
      if (!issue) throw new NotFound()
      if (listAttachmentsOf(tx, place.holder.kind, [place.holder.id]).length >= attachment.MAX_FILES) {
        throw new Unprocessable(`cannot attach more than ${attachment.MAX_FILES} files`)
      }
      const commentId = place.holder.kind === 'comment' ? place.holder.id : null
      const [id] = keepAssets(tx, context, { issue, commentId, uploaderId: user.id }, [{ name, landed, uuid: crypto.randomUUID() }], at)
      const columns = place.holder.kind === 'issue' ? { content_version: issue.content_version + 1 } : {}
      change(tx, { context, doer: user, repo: place.repo, at }, issue, columns)
      return findAttachment(tx, place.holder.kind, place.holder.id, id as number) as AttachmentRow
    })
  } finally {
    landed.drop()
  }
}

interface Holder {
  issue: Pick<IssueRow, 'id' | 'repo_id'>
  /** Of the comment that they stand beside; null for the issue's own text. */
  commentId: number | null
  uploaderId: number
}

/** Files that are on disk become attachments, with the transaction. @returns their ids */
export function keepAssets(
  tx: Tx,
  context: Pick<Context, 'clock'>,
  { issue, commentId, uploaderId }: Holder,
  files: readonly { name: string; landed: Landed; uuid: string }[],
  at = context.clock.seconds(),
): number[] {
  return files.map(({ name, landed, uuid }) => {
    landed.keep()
    noteBlob(tx, landed, context.clock.seconds())
    const { digest, size } = landed
    const place = { repo_id: issue.repo_id, issue_id: issue.id, comment_id: commentId, uploader_id: uploaderId }
    return insertAttachment(tx, { uuid, ...place, name, size, digest, created_at: at })
  })
}

/** @throws Unprocessable for what is not a time */
function checkedTime(text: string | undefined): string | undefined {
  return timeIn(text, 'updated_at') === undefined ? undefined : text?.replace(' ', '+')
}

/** @throws NotFound also for what stands beside something else */
export function getAsset({ db }: Pick<Context, 'db'>, { holder }: Pick<Place, 'holder'>, id: string): AttachmentRow {
  const found = findAttachment(db, holder.kind, holder.id, rowIdIn(id))
  if (!found) throw new NotFound()
  return found
}

/** @throws Unprocessable for a name of a type that is not allowed */
export function renameAsset(context: Pick<Context, 'config' | 'db'>, place: Place, id: string, asked: string | undefined): AttachmentRow {
  const before = getAsset(context, place, id)
  requireChanging(context, place)
  if (!asked) return before
  const name = cleanName(asked)
  refuseType(name, context.config.attachment.ALLOWED_TYPES)
  context.db.tx((tx) => renameAttachment(tx, before.id, name))
  return getAsset(context, place, id)
}

export function removeAsset(context: Pick<Context, 'config' | 'db'>, place: Place, id: string): void {
  const { id: attachmentId } = getAsset(context, place, id)
  requireChanging(context, place)
  context.db.tx((tx) => deleteAttachment(tx, attachmentId))
}
