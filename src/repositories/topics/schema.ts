import { t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, Time, wordList } from '#kernel/schema.ts'

export const TopicName = t.Object({ topics: t.Array(t.String()) }, { $id: 'TopicName' })

/** What a topic may be is said with `invalidTopics`; these limits only bound the work of looking. */
const Topics = wordList(t.String({ maxLength: 1024 }), {
  maxItems: 1000,
  description: 'all topics the repository is to have; up to 25, each up to 35 letters a to z, digits, dashes and dots',
})
export const RepoTopicOptions = t.Object({ topics: t.Optional(Topics) }, { $id: 'RepoTopicOptions' })

const invalidTopics = t.Union([t.Array(t.String()), t.String(), t.Null()], {
  description: 'those that are none: of one alone the name; null when there are too many',
})
export const APIInvalidTopicsError = t.Object(
  { message: t.String(), url: t.String(), invalidTopics: t.Optional(invalidTopics) },
  { $id: 'APIInvalidTopicsError' },
)

export const TopicResponse = t.Object(
  { id: Int(), topic_name: t.String(), repo_count: Int({ description: 'among the repositories that the caller may see' }), created: Time, updated: Time },
  { $id: 'TopicResponse' },
)

/** In an envelope, though Gitea's document says otherwise. */
export const TopicListResponse = t.Object({ topics: t.Array(TopicResponse) }, { $id: 'TopicListResponse' })

export const TopicSearchQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 1024, description: 'part of the topic' })) })
