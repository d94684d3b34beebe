import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import topics from './1_topics.sql' with { type: 'text' }
import topicNames from './2_topic_names.sql' with { type: 'text' }
import topicWords from './3_topic_words.sql' with { type: 'text' }
import sqlite337 from './4_sqlite_3_37.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'topics',
  migrations: [
    { name: '1_topics', sql: topics, formerly: ['0004_repos'] },
    { name: '2_topic_names', sql: topicNames },
    { name: '3_topic_words', sql: topicWords },
    { name: '4_sqlite_3_37', sql: sqlite337 },
  ],
  routes: async () => (await import('./routes.ts')).topics,
  pages: async () => (await import('./pages.tsx')).topicPages,
}
