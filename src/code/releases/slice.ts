import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import releases from './1_releases.sql' with { type: 'text' }
import sqlite337 from './2_sqlite_3_37.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'releases',
  migrations: [
    { name: '1_releases', sql: releases },
    { name: '2_sqlite_3_37', sql: sqlite337 },
  ],
  routes: async () => (await import('./routes.ts')).releases,
  pages: async () => (await import('./pages.ts')).releasePages,
}
