import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import sources from './1_sources.sql' with { type: 'text' }
import sourceChanges from './2_source_changes.sql' with { type: 'text' }
import sourceMoves from './3_source_moves.sql' with { type: 'text' }
import { passwordSources } from './password-sources.ts'

export const slice: Slice<Context> = {
  name: 'sources',
  migrations: [
    { name: '1_sources', sql: sources },
    { name: '2_source_changes', sql: sourceChanges },
    { name: '3_source_moves', sql: sourceMoves },
  ],
  attach: (context) => {
    context.authenticator.plugs.passwordSources = passwordSources(context)
  },
  start: async (context) => (await import('./start-sync.ts')).startSync(context),
  routes: async () => (await import('./routes.ts')).sources,
  pages: async () => (await import('./pages.tsx')).sourcePages,
}
