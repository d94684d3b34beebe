export { Attachment, AttachmentList } from './schema.ts'
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
  renameAttachment,
} from './store.ts'
export { presentAttachment } from './view.ts'
