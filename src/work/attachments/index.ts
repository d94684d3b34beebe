export { Attachment, AttachmentList } from '#blobs/index.ts'
export {
  type AttachmentRow,
  countDownload,
  deleteAttachment,
  findAttachment,
  findAttachmentByUuid,
  type HolderKind,
  insertAttachment,
  listAttachmentsOf,
  moveAttachments,
  moveAttachmentsOf,
  renameAttachment,
} from './store.ts'
export { presentAttachment } from './view.ts'
