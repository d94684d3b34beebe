import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import users from './1_users.sql' with { type: 'text' }
import proofs from './2_email_proofs.sql' with { type: 'text' }
import lists from './3_lists.sql' with { type: 'text' }
import administrators from './4_administrators.sql' with { type: 'text' }
import reservedNames from './5_reserved_names.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'users',
  migrations: [
    { name: '1_users', sql: users, formerly: ['0002_users', '0008_star_counts', '0026_email_claims'] },
    { name: '2_email_proofs', sql: proofs },
    { name: '3_lists', sql: lists },
    { name: '4_administrators', sql: administrators },
    { name: '5_reserved_names', sql: reservedNames },
  ],
  attach: (context) => {
    context.authenticator.plugs.proxyAccounts = {
      register: async (person) => (await import('./register-by-proxy.ts')).registerByProxy(context, person),
    }
  },
  routes: async () => (await import('./routes.ts')).users,
  pages: async () => (await import('./pages.ts')).userPages,
}
