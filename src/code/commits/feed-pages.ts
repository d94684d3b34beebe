import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerFeed, type FeedForm, Visit } from '#web/index.ts'
import { listCommits } from './list-commits.ts'
import { getRefPath } from './ref-path.ts'

const ITEMS = 20
const FeedParams = t.Object({ ...RepoParams.properties, kind: t.String(), '*': t.String() })

/** The commits of a branch, and those that touched a file or directory of it, for feed readers; at Gitea's paths. */
export function commitFeeds(context: Context) {
  const terms = { repo: 'code:read', params: FeedParams, detail: { hide: true } } as const
  return new Elysia({ name: 'commits.feeds' })
    .use(gate(context, 'either'))
    .get('/:owner/:repo/rss/:kind/*', ({ viewer, repo, request, params }) => serve(context, new Visit(context, viewer, request), repo, params, 'rss'), terms)
    .get('/:owner/:repo/atom/:kind/*', ({ viewer, repo, request, params }) => serve(context, new Visit(context, viewer, request), repo, params, 'atom'), terms)
}

async function serve(
  context: Pick<Context, 'db' | 'git' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  params: { kind: string; '*': string },
  form: FeedForm,
): Promise<Response> {
  if (params.kind !== 'branch') throw new NotFound()
  const place = await getRefPath(context, repo, params.kind, params['*'])
  const query = { sha: place.commit, path: place.path, stat: 'false', files: 'false' }
  const { commits } = await listCommits(context, repo, query, { page: 1, limit: ITEMS, offset: 0 })
  const name = `${repo.owner.name}/${repo.row.name}`
  const items = commits.map(({ oid, commit }) => {
    const link = visit.at`${name}/commit/${oid}`
    const title = commit.message.trim().split('\n', 1)[0] || oid
    return { id: link, title, link, author: commit.author.name, at: commit.committer.seconds, text: commit.message }
  })
  const what = place.path === '' ? place.name : `${place.path} in ${place.name}`
  return answerFeed({ title: `Commits in ${what}, ${name}`, link: visit.at`${name}/commits/branch/${place.name}/${place.path}`, self: visit.here, items }, form)
}
