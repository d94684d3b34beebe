import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import registration from './1_registration.sql' with { type: 'text' }

const HOUR = 3600

export const slice: Slice<Context> = {
  name: 'registration',
  migrations: [{ name: '1_registration', sql: registration }],
  pages: async () => (await import('./pages.ts')).registrationPages,
  start: async (context) => {
    context.tasks.every(HOUR, 'delete_inactive_accounts', async () => (await import('./clean-up.ts')).deleteForgotten(context))
    context.tasks.later(0, 'recover_accounts', async () => (await import('./recover.ts')).answerRequests(context))
  },
}
