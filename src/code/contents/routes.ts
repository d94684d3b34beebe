import { Elysia, t } from 'elysia'
import { gate, RepoParams } from '#access/index.ts'
import { decodePath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { readContents } from './read-contents.ts'
import { ContentsListResponse, ContentsResponse, RefQuery } from './schema.ts'
import { serveRaw } from './serve-raw.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['repository'] })
const rawDetail = (operationId: string, summary: string) => ({ ...detail(operationId, summary), produces: ['application/octet-stream'] })
const PathParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'filepath', description: 'path of the file or directory' }) })

/** Files and directories as a commit has them. */
export function contents(context: Context) {
  return new Elysia({ name: 'contents' })
    .use(gate(context))
    .get('/repos/:owner/:repo/contents', async ({ repo, query }) => (await readContents(context, repo, '', query.ref)) as ContentsResponse[], {
      repo: 'code:read',
      params: RepoParams,
      query: RefQuery,
      response: { 200: ContentsListResponse },
      detail: detail('repoGetContentsList', 'Gets the metadata of all the entries of the root dir.'),
    })
    .get('/repos/:owner/:repo/contents/*', ({ repo, params, query }) => readContents(context, repo, decodePath(params['*']), query.ref), {
      repo: 'code:read',
      params: PathParams,
      query: RefQuery,
      response: { 200: t.Union([ContentsResponse, ContentsListResponse]) },
      detail: detail('repoGetContents', 'Gets the metadata and contents (if a file) of an entry in a repository, or a list of entries if a dir.'),
    })
    .get('/repos/:owner/:repo/raw/*', ({ repo, params, query, request }) => serveRaw(context, repo, decodePath(params['*']), query.ref, request), {
      repo: 'code:read',
      params: PathParams,
      query: RefQuery,
      detail: rawDetail('repoGetRawFile', 'Get a file from a repository'),
    })
    .get('/repos/:owner/:repo/media/*', ({ repo, params, query, request }) => serveRaw(context, repo, decodePath(params['*']), query.ref, request), {
      repo: 'code:read',
      params: PathParams,
      query: RefQuery,
      detail: rawDetail('repoGetRawFileOrLFS', "Get a file or it's LFS object from a repository"),
    })
}
