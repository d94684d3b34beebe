import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import oauth2 from './1_oauth2.sql' with { type: 'text' }
import { ApplicationTokens } from './application-tokens.ts'

export const slice: Slice<Context> = {
  name: 'oauth2',
  migrations: [{ name: '1_oauth2', sql: oauth2 }],
  routes: async () => (await import('./routes.ts')).oauth2,
  pages: async () => (await import('./pages.ts')).oauth2Pages,
  attach: (context) => {
    context.authenticator.plugs.accessTokens.push(new ApplicationTokens(context))
  },
  start: async (context) => (await import('./clients.ts')).dropDisabledClients(context),
}
