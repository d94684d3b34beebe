import type { Attachment } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import type { AttachmentRow } from './store.ts'

export function presentAttachment({ rootUrl }: Pick<Context, 'rootUrl'>, row: AttachmentRow): Attachment {
  return {
    id: row.id,
    name: row.name,
    size: row.size,
    download_count: row.download_count,
    created_at: rfc3339(row.created_at),
    uuid: row.uuid,
    browser_download_url: `${rootUrl}attachments/${row.uuid}`,
    type: 'attachment',
  }
}
