import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { addTopic, deleteTopic, normalizeTopic, replaceTopics } from './change-topics.ts'
import { APIInvalidTopicsError, RepoTopicOptions, TopicListResponse, TopicName, TopicSearchQuery } from './schema.ts'
import { countTopics, listTopics, searchTopics } from './store.ts'
import { presentTopic } from './view.ts'

const TopicParams = t.Object({ ...RepoParams.properties, topic: t.String({ description: 'Name of the topic' }) })

/** What repositories are about, in a few words. */
export function topics(context: Context) {
  return new Elysia({ name: 'topics' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/topics',
      ({ repo, page, total }) => {
        total(countTopics(context.db, repo.row.id))
        return { topics: listTopics(context.db, repo.row.id, page) }
      },
      {
        repo: 'read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: TopicName },
        detail: operation('repoListTopics', 'Get list of topics that a repository has', 'repository'),
      },
    )
    .put('/repos/:owner/:repo/topics', ({ repo, body }) => replaceTopics(context, repo.row.id, body.topics ?? []), {
      repo: 'admin',
      params: RepoParams,
      body: RepoTopicOptions,
      response: { ...noContent, 422: APIInvalidTopicsError },
      detail: operation('repoUpdateTopics', 'Replace list of topics for a repository', 'repository'),
    })
    .put('/repos/:owner/:repo/topics/:topic', ({ repo, params }) => addTopic(context, repo.row.id, params.topic), {
      repo: 'admin',
      params: TopicParams,
      response: { ...noContent, 422: APIInvalidTopicsError },
      detail: operation('repoAddTopic', 'Add a topic to a repository', 'repository'),
    })
    .delete('/repos/:owner/:repo/topics/:topic', ({ repo, params }) => deleteTopic(context, repo.row.id, params.topic), {
      repo: 'admin',
      params: TopicParams,
      response: { ...noContent, 422: APIInvalidTopicsError },
      detail: operation('repoDeleteTopic', 'Delete a topic from a repository', 'repository'),
    })
    .get(
      '/topics/search',
      async ({ viewer, query, page, total }) => {
        const found = await searchTopics(context.db, viewer, normalizeTopic(query.q ?? ''), page)
        total(found.total)
        return { topics: found.rows.map(presentTopic) }
      },
      {
        anyone: 'repository',
        list: true,
        query: TopicSearchQuery,
        response: { 200: TopicListResponse },
        detail: operation('topicSearch', 'Search for topics by keyword', 'repository'),
      },
    )
}
