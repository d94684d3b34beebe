import type { Static } from 'elysia'
import { rfc3339 } from '#kernel/clock.ts'
import type { TopicResponse } from './schema.ts'
import type { TopicWordRow } from './store.ts'

export function presentTopic({ id, name, repo_count, created_at, updated_at }: TopicWordRow): Static<typeof TopicResponse> {
  return { id, topic_name: name, repo_count, created: rfc3339(created_at), updated: rfc3339(updated_at) }
}
