import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import signOn from './1_sign_on.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'sign-on',
  migrations: [{ name: '1_sign_on', sql: signOn }],
  pages: async () => (await import('./pages.ts')).signOnPages,
}
