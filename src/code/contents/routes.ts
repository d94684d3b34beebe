import { Elysia, t } from 'elysia'
import { Answers, gate, operation, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { contentStatuses } from '#kernel/answers/serve-content.ts'
import { decodePath } from '#kernel/http.ts'
import { editing } from './edit-routes.ts'
import { answerContents, parseFilesBody, parseIncludes, readExtended, readSome } from './read-some.ts'
import {
  ContentsExtQuery,
  ContentsExtResponse,
  ContentsListResponse,
  ContentsResponse,
  FilesQuery,
  GetFilesOptions,
  MaybeContentsList,
  PathParams,
  RefQuery,
} from './schema.ts'
import { type RawRequest, serveRaw } from './serve-raw.ts'

const rawFile = (id: string, summary: string) => ({
  ...operation(id, summary, 'repository'),
  produces: ['application/octet-stream', 'text/plain', 'image/*'],
  ...contentStatuses,
})

/** Files and directories as a commit has them. */
export function contents(context: Context) {
  const raw = (repo: RepoAccess, asked: RawRequest) => serveRaw(context, repo, asked)
  const answers = context.services.get(Answers)
  return new Elysia({ name: 'contents' })
    .use(gate(context))
    .use(editing(context))
    .get(
      '/repos/:owner/:repo/contents',
      ({ viewer, repo, query, request, set, server }) =>
        answers.keep({ viewer, request, set }, () => answerContents(context, repo, { path: '', ref: query.ref, peer: { request, server } })),
      {
        repo: 'code:read',
        params: RepoParams,
        query: RefQuery,
        response: { 200: ContentsListResponse },
        detail: { ...operation('repoGetContentsList', 'Gets the metadata of all the entries of the root dir.', 'repository'), errors: [413] },
      },
    )
    .get(
      '/repos/:owner/:repo/contents/*',
      ({ viewer, repo, params, query, request, set, server }) =>
        answers.keep({ viewer, request, set }, () =>
          answerContents(context, repo, { path: decodePath(params['*']), ref: query.ref, peer: { request, server } }),
        ),
      {
        repo: 'code:read',
        params: PathParams,
        query: RefQuery,
        response: { 200: t.Union([ContentsResponse, ContentsListResponse]) },
        detail: {
          ...operation(
            'repoGetContents',
            'Gets the metadata and contents (if a file) of an entry in a repository, or a list of entries if a dir.',
            'repository',
          ),
          errors: [413],
        },
      },
    )
    .get(
      '/repos/:owner/:repo/contents-ext/*',
      ({ repo, params, query, request, server }) => {
        const asked = { path: decodePath(params['*']), ref: query.ref, peer: { request, server } }
        return readExtended(context, repo, asked, parseIncludes(query.includes))
      },
      {
        repo: 'code:read',
        params: PathParams,
        query: ContentsExtQuery,
        response: { 200: ContentsExtResponse },
        detail: {
          ...operation('repoGetContentsExt', 'Get a file or directory with the requested details', 'repository'),
          errors: [400, 413],
        },
      },
    )
    .get(
      '/repos/:owner/:repo/contents-ext',
      ({ repo, query, request, server }) => readExtended(context, repo, { path: '', ref: query.ref, peer: { request, server } }, parseIncludes(query.includes)),
      {
        repo: 'code:read',
        params: RepoParams,
        query: ContentsExtQuery,
        response: { 200: ContentsExtResponse },
        detail: { hide: true, ...operation('repoGetContentsExtRoot', 'Get the root directory with the requested details', 'repository') },
      },
    )
    .get(
      '/repos/:owner/:repo/file-contents',
      ({ repo, query, request, server }) => readSome(context, repo, { paths: parseFilesBody(query.body), ref: query.ref, peer: { request, server } }),
      {
        repo: 'code:read',
        params: RepoParams,
        query: FilesQuery,
        response: { 200: MaybeContentsList },
        detail: { ...operation('repoGetFileContents', 'Get the metadata and contents of requested files', 'repository'), errors: [400, 413] },
      },
    )
    .post(
      '/repos/:owner/:repo/file-contents',
      ({ repo, query, body, request, server }) => readSome(context, repo, { paths: body.files ?? [], ref: query.ref, peer: { request, server } }),
      {
        repo: 'code:read',
        params: RepoParams,
        query: RefQuery,
        writesNothing: true,
        body: GetFilesOptions,
        response: { 200: MaybeContentsList },
        detail: { ...operation('repoGetFileContentsPost', 'Get the metadata and contents of requested files', 'repository'), errors: [413] },
      },
    )
    .get(
      '/repos/:owner/:repo/raw/*',
      ({ repo, params, query, request, server }) => raw(repo, { path: decodePath(params['*']), ref: query.ref, request, server }),
      {
        repo: 'code:read',
        params: PathParams,
        query: RefQuery,
        detail: rawFile('repoGetRawFile', 'Get a file from a repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/media/*',
      ({ repo, params, query, request, server }) => raw(repo, { path: decodePath(params['*']), ref: query.ref, request, server }),
      {
        repo: 'code:read',
        params: PathParams,
        query: RefQuery,
        detail: rawFile('repoGetRawFileOrLFS', "Get a file or it's LFS object from a repository"),
      },
    )
}
