import { type Static, t } from 'elysia'
import { IdText } from '#access/index.ts'
import { AttachmentForm } from '#blobs/index.ts'
import { CommentParams } from '#work/comments/index.ts'
import { IssueParams } from '#work/issues/index.ts'

export const EditAttachmentOptions = t.Object({ name: t.Optional(t.String({ maxLength: 255 })) }, { $id: 'EditAttachmentOptions' })
export type EditAttachmentOptions = Static<typeof EditAttachmentOptions>

const attachment_id = IdText('ID of the attachment')
export const IssueAssetParams = t.Object({ ...IssueParams.properties, attachment_id })
export const CommentAssetParams = t.Object({ ...CommentParams.properties, attachment_id })
const updated_at = t.Optional(t.String({ documentedAs: 'date-time', description: 'creation time of the attachment' }))
export const UploadForm = t.Object({ ...AttachmentForm.properties, updated_at })
export const UploadQuery = t.Object({
  name: t.Optional(t.String({ description: 'name of the attachment (default: the name of the uploaded file)' })),
  updated_at,
})
export type UploadQuery = Static<typeof UploadQuery>
