import { Elysia, t } from 'elysia'
import { gate, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { contentStatuses } from '#kernel/answers/serve-content.ts'
import { decodePath } from '#kernel/http.ts'
import { several } from '#kernel/schema.ts'
import { type ArchiveKind, contentTypes } from './archive-name.ts'
import { type AskedByPath, serveArchive, serveNamed } from './serve-archive.ts'

/** Addresses of older clients, which name the kind first. */
const byKind = { tarball: 'tar.gz', zipball: 'zip', bundle: 'bundle' } as const satisfies Record<string, ArchiveKind>

const ArchiveParams = t.Object({
  ...RepoParams.properties,
  '*': t.String({ title: 'archive', description: 'branch, tag or commit, followed by .zip, .tar, .tar.gz, .tar.zst or .bundle' }),
})
const ArchiveQuery = t.Object({
  path: several('only these files and directories; not supported for bundles'),
  tag: t.Optional(t.String({ description: 'tag of the commit to show in files with `export-subst`; default: the tag in the path' })),
})
const RefParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'ref', description: 'branch, tag or commit' }) })

/** All that a repository holds at one commit, as one file. */
export function archives(context: Context) {
  const ofKind =
    (kind: ArchiveKind) =>
    ({ repo, params, request, server }: AskedByPath) =>
      serveArchive(context, { repo, request, server, kind, revision: decodePath(params['*']) })
  const named = ({ repo, params, request, server }: AskedByPath) => serveNamed(context, params['*'], { repo, request, server })
  const term = { repo: 'code:read', params: RefParams, detail: { hide: true } } as const
  return new Elysia({ name: 'archives' })
    .use(gate(context))
    .get('/repos/:owner/:repo/archive/*', named, {
      repo: 'code:read',
      params: ArchiveParams,
      query: ArchiveQuery,
      detail: {
        ...operation('repoGetArchive', 'Get an archive of a repository', 'repository'),
        ...contentStatuses,
        errors: [400, ...contentStatuses.errors],
        produces: Object.values(contentTypes),
      },
    })
    .get('/repos/:owner/:repo/tarball/*', ofKind(byKind.tarball), term)
    .get('/repos/:owner/:repo/zipball/*', ofKind(byKind.zipball), term)
    .get('/repos/:owner/:repo/bundle/*', ofKind(byKind.bundle), term)
}
