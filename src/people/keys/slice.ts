import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import publicKeys from './1_public_keys.sql' with { type: 'text' }
import principals from './2_principals.sql' with { type: 'text' }
import keySources from './3_key_sources.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'keys',
  migrations: [
    { name: '1_public_keys', sql: publicKeys, formerly: ['0006_public_keys'] },
    { name: '2_principals', sql: principals },
    { name: '3_key_sources', sql: keySources },
  ],
  routes: async () => (await import('./routes.ts')).keys,
  pages: async () => (await import('./pages.tsx')).keyPages,
}
