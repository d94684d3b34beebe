import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import attachments from './1_attachments.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'attachments',
  migrations: [{ name: '1_attachments', sql: attachments }],
}
