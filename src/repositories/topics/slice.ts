import type { Slice } from '#kernel/slice.ts'
import topics from './1_topics.sql' with { type: 'text' }
import topicNames from './2_topic_names.sql' with { type: 'text' }

export const slice: Slice<unknown> = {
  name: 'topics',
  migrations: [
    { name: '1_topics', sql: topics, formerly: ['0004_repos'] },
    { name: '2_topic_names', sql: topicNames },
  ],
}
