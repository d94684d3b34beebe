import { Elysia, t } from 'elysia'
import { gate, operation, type RepoAccess, RepoParams, type RepoRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOid, type Oid } from '#git/objects/oid.ts'
import { type Peer, pacedStream } from '#kernel/answers/paced-stream.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { decodePath, uncheckedPages } from '#kernel/http.ts'
import { parsePage, totalHeaders } from '#kernel/page.ts'
import { findNamedObject, isTold, type RefRow, refPages } from '#repositories/refs/index.ts'
import { repoApiUrl } from '#repositories/repos/index.ts'
import { answerBlob, presentBlobs } from './blobs.ts'
import { People } from './people.ts'
import { AnnotatedTag, BlobsQuery, GitBlobList, GitBlobResponse, GitTreeResponse, type Reference, ReferenceList, TreeQuery } from './schema.ts'
import { verifyTag } from './verification.ts'
import { presentIdent, zeroTime } from './view.ts'

const ShaParams = t.Object({ ...RepoParams.properties, sha: t.String() })

/** Git's objects and refs as they are: `/repos/{owner}/{repo}/git/…`. */
export function objectRoutes(context: Context) {
  return new Elysia({ name: 'git-objects' })
    .use(gate(context))
    .get('/repos/:owner/:repo/git/refs', ({ repo, request, server }) => presentRefs(context, repo, '', { request, server }), {
      repo: 'code:read',
      params: RepoParams,
      response: { 200: ReferenceList },
      detail: operation('repoListAllGitRefs', 'Get all refs of a repository', 'repository'),
    })
    .get('/repos/:owner/:repo/git/refs/*', ({ repo, params, request, server }) => presentRefs(context, repo, decodePath(params['*']), { request, server }), {
      repo: 'code:read',
      params: t.Object({ ...RepoParams.properties, '*': t.String({ title: 'ref', description: 'part or full name of the ref' }) }),
      response: { 200: ReferenceList },
      detail: operation('repoListGitRefs', 'Get specified ref or filtered repository refs', 'repository'),
    })
    .get(
      '/repos/:owner/:repo/git/trees/:sha',
      async ({ repo, params, query, set }) => {
        const tree = await presentTree(context, repo, params.sha, query)
        Object.assign(set.headers, totalHeaders(tree.total_count))
        return tree
      },
      {
        repo: 'code:read',
        params: ShaParams,
        query: TreeQuery,
        response: { 200: GitTreeResponse },
        detail: { ...operation('GetTree', 'Gets the tree of a repository.', 'repository'), errors: [400, 413] },
      },
    )
    .get(
      '/repos/:owner/:repo/git/blobs',
      ({ repo, query, request, server }) => presentBlobs(context, repo, query.shas.split(',').map(getOid), { request, server }),
      {
        repo: 'code:read',
        params: RepoParams,
        query: BlobsQuery,
        response: { 200: GitBlobList },
        detail: { ...operation('GetBlobs', 'Gets multiple blobs of a repository.', 'repository'), errors: [400, 413] },
      },
    )
    .get('/repos/:owner/:repo/git/blobs/:sha', ({ repo, params, request, server }) => answerBlob(context, repo, getOid(params.sha), { request, server }), {
      repo: 'code:read',
      params: ShaParams,
      response: { 200: GitBlobResponse },
      detail: { ...operation('GetBlob', 'Gets the blob of a repository.', 'repository'), errors: [400, 413] },
    })
    .get('/repos/:owner/:repo/git/tags/:sha', ({ viewer, repo, params }) => presentTagObject(context, viewer, repo, getOid(params.sha)), {
      repo: 'code:read',
      params: ShaParams,
      response: { 200: AnnotatedTag },
      detail: { ...operation('GetAnnotatedTag', 'Gets the tag object of an annotated tag (not lightweight tags)', 'repository'), errors: [400] },
    })
}

/** Refs whose name starts with `refs/<filter>`. A filter that brings `refs/` along is taken too: that is how tea asks. */
async function presentRefs(
  context: Pick<Context, 'answerBroke' | 'config' | 'db' | 'git' | 'rootUrl' | 'services'>,
  repo: RepoAccess,
  filter: string,
  peer: Peer,
): Promise<Reference[]> {
  const prefix = filter.startsWith('refs/') ? filter : `refs/${filter}`
  const total = async () => {
    let count = 0
    for await (const page of refPages(context.db, repo.row.id, prefix)) count += page.filter(({ name }) => isTold(name, prefix)).length
    return count
  }
  return uncheckedPages(presentPages(context, repo, prefix), (source) => pacedStream(context, source, peer), { total })
}

async function* presentPages(context: Pick<Context, 'db' | 'git' | 'rootUrl'>, repo: RepoAccess, prefix: string): AsyncGenerator<Reference[]> {
  const base = `${repoApiUrl(context, repo.owner, repo.row)}/git`
  let isEmpty = true
  for await (const page of refPages(context.db, repo.row.id, prefix)) {
    const refs = page.filter(({ name }) => isTold(name, prefix))
    isEmpty &&= refs.length === 0
    const types = await typesOf(context, repo.row.id, refs)
    yield refs.map(({ name, oid }, i) => ({
      ref: name,
      url: `${base}/${name}`,
      object: { type: types[i] as string, sha: oid, url: `${base}/${types[i]}s/${oid}` },
    }))
  }
  if (isEmpty) throw new NotFound()
}

/** Branches hold commits and what can be peeled is a tag; only for the rest the store is asked. */
async function typesOf(context: Pick<Context, 'git'>, repoId: number, refs: readonly RefRow[]): Promise<string[]> {
  const types = refs.map(({ name, peeled }) => (peeled !== null ? 'tag' : name.startsWith('refs/heads/') ? 'commit' : undefined))
  const unknown = refs.filter((_, i) => types[i] === undefined).map((ref) => ref.oid)
  const answers = unknown.length === 0 ? [] : await context.git.run('objectTypes', repoId, { oids: unknown })
  let next = 0
  return types.map((type) => type ?? answers[next++] ?? 'commit')
}

/** What is called so, and the tree that it leads to. @throws BadRequest where there is none, as Gitea says it */
async function getTree(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, name: string): Promise<{ oid: Oid; tree: Oid }> {
  const oid = await findNamedObject(context, repo, name)
  const tree = oid && (await context.git.look('peel', repo.id, { oid, type: 'tree' }))
  if (!oid || !tree) throw new BadRequest(`sha not found [${name.slice(0, 200)}]`)
  return { oid, tree }
}

async function presentTree(context: Context, repo: RepoAccess, name: string, query: typeof TreeQuery.static) {
  const { oid, tree: root } = await getTree(context, repo.row, name)
  const most = context.config.api.DEFAULT_GIT_TREES_PER_PAGE
  const { page, limit, offset } = parsePage(query, { defaultLimit: most, maxLimit: most }, 'per_page')
  const recursive = query.recursive !== undefined && query.recursive !== '' && query.recursive !== '0' && query.recursive !== 'false'
  const { entries, total } = await context.git.run('listTree', repo.row.id, { tree: root, options: { recursive, offset, limit } })
  const base = `${repoApiUrl(context, repo.owner, repo.row)}/git`
  const tree = entries.map(({ path, mode, oid, size }) => {
    const type = mode === 0o040000 ? 'tree' : mode === 0o160000 ? 'commit' : 'blob'
    return { path, mode: mode.toString(8).padStart(6, '0'), type, size, sha: oid, url: type === 'commit' ? '' : `${base}/${type}s/${oid}` }
  })
  // Of what was asked for: a commit's tree answers to the commit's id.
  return { sha: oid, url: `${base}/trees/${oid}`, tree: tree.length === 0 ? null : tree, truncated: offset + tree.length < total, page, total_count: total }
}

async function presentTagObject(context: Context, viewer: Viewer, repo: RepoAccess, sha: Oid) {
  const found = context.git.storeOf(repo.row.id).findHeader(sha)
  if (!found) throw new BadRequest(`sha not found [${sha}]`)
  if (found.type !== 'tag') throw new BadRequest(`Cannot read ${sha} as an annotated tag: it is a ${found.type}`)
  const tag = await context.git.look('tag', repo.row.id, { oid: sha })
  const base = `${repoApiUrl(context, repo.owner, repo.row)}/git`
  return {
    tag: tag.name,
    sha,
    url: `${base}/tags/${sha}`,
    message: tag.message,
    tagger: tag.tagger ? presentIdent(tag.tagger) : { name: '', email: '', date: zeroTime },
    object: { type: tag.type, url: `${base}/${tag.type}s/${tag.object}`, sha: tag.object },
    verification: await verifyTag(context, new People(context, viewer), sha, tag),
  }
}

/** @throws BadRequest for what is no full object id */
function getOid(text: string): Oid {
  if (!isOid(text)) throw new BadRequest(`sha not found [${text.slice(0, 200)}]`)
  return text
}
