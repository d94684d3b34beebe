import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import deletions from './1_deletions.sql' with { type: 'text' }
import unsettled from './2_unsettled.sql' with { type: 'text' }
import issues from './3_issues.sql' with { type: 'text' }
import goneIssues from './4_gone_issues.sql' with { type: 'text' }
import sqlite337 from './5_sqlite_3_37.sql' with { type: 'text' }
import jobs from './6_jobs.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'deletions',
  migrations: [
    { name: '1_deletions', sql: deletions },
    { name: '2_unsettled', sql: unsettled },
    { name: '3_issues', sql: issues },
    { name: '4_gone_issues', sql: goneIssues },
    { name: '5_sqlite_3_37', sql: sqlite337 },
    { name: '6_jobs', sql: jobs },
  ],
  start: async (context) => (await import('./purge-expired.ts')).startPurging(context),
}
