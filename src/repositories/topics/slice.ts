import type { Slice } from '#kernel/slice.ts'
import topics from './1_topics.sql' with { type: 'text' }

export const slice: Slice<unknown> = {
  name: 'topics',
  migrations: [{ name: '1_topics', sql: topics, formerly: ['0004_repos'] }],
}
