import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import attachments from './1_attachments.sql' with { type: 'text' }
import sqlite337 from './2_sqlite_3_37.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'attachments',
  migrations: [
    { name: '1_attachments', sql: attachments },
    { name: '2_sqlite_3_37', sql: sqlite337 },
  ],
}
