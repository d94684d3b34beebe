import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import deployKeys from './1_deploy_keys.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'deploy-keys',
  migrations: [{ name: '1_deploy_keys', sql: deployKeys, formerly: ['0011_deploy_keys'] }],
  routes: async () => (await import('./routes.ts')).deployKeys,
  pages: async () => (await import('./pages.tsx')).deployKeyPages,
}
