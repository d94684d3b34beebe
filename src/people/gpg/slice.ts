import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import gpgKeys from './1_gpg_keys.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'gpg',
  migrations: [{ name: '1_gpg_keys', sql: gpgKeys, formerly: ['0017_gpg_keys'] }],
  routes: async () => (await import('./routes.ts')).gpgKeys,
  pages: async () => (await import('./pages.tsx')).gpgPages,
}
