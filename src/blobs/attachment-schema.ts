import { type Static, t } from 'elysia'
import { Int, oneOf, Time } from '#kernel/schema.ts'

export const Attachment = t.Object(
  {
    id: Int(),
    name: t.String(),
    size: Int(),
    download_count: Int(),
    created_at: Time,
    uuid: t.String(),
    browser_download_url: t.String(),
    type: oneOf(['attachment']),
  },
  { $id: 'Attachment' },
)
export type Attachment = Static<typeof Attachment>
/** The upload form. Routes read it themselves, as a stream. */
export const AttachmentForm = t.Object({ attachment: t.File() })
export const AttachmentList = t.Array(Attachment, { $id: 'AttachmentList' })
