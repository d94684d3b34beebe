import { t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, Time, wordList } from '#kernel/schema.ts'

export const TopicName = t.Object({ topics: t.Array(t.String()) }, { $id: 'TopicName' })

/** What a topic may be is said with `invalidTopics`; these limits only bound the work of looking. */
const Topics = wordList(t.String({ maxLength: 1024 }), {
  maxItems: 1000,
  description: 'New list of topics: up to 25, each with up to 35 characters (a to z, digits, dashes and dots)',
})
export const RepoTopicOptions = t.Object({ topics: t.Optional(Topics) }, { $id: 'RepoTopicOptions' })

const invalidTopics = t.Union([t.Array(t.String()), t.String(), t.Null()], {
  description: 'The invalid topics: a list, or the name if only one was sent; null if there are too many topics',
})
export const APIInvalidTopicsError = t.Object(
  { message: t.String(), url: t.String(), invalidTopics: t.Optional(invalidTopics) },
  { $id: 'APIInvalidTopicsError' },
)

export const TopicResponse = t.Object(
  {
    id: Int(),
    topic_name: t.String(),
    repo_count: Int({ description: 'Number of repositories with this topic that the caller can see' }),
    created: Time,
    updated: Time,
  },
  { $id: 'TopicResponse' },
)

/** In an envelope, though Gitea's document says otherwise. */
export const TopicListResponse = t.Object({ topics: t.Array(TopicResponse) }, { $id: 'TopicListResponse' })

export const TopicSearchQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 1024, description: 'Part of the topic name' })) })
