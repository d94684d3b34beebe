import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import languages from './1_languages.sql' with { type: 'text' }
import countedBy from './2_counted_by.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'languages',
  migrations: [
    { name: '1_languages', sql: languages },
    { name: '2_counted_by', sql: countedBy },
  ],
  routes: async () => (await import('./routes.ts')).languages,
  start: async (context) => (await import('./survey-repos.ts')).startSurveys(context),
}
