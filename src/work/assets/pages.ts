import { Elysia, t } from 'elysia'
import { gate, RepoParams, type Viewer } from '#access/index.ts'
import { blobPath } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rawHeaders } from '#kernel/http.ts'
import { type AttachmentRow, countDownload, findAttachmentByUuid } from '#work/attachments/index.ts'
import { accessTo, findIssueById, mayRead } from '#work/issues/index.ts'

const UuidParams = t.Object({ uuid: t.String() })

/** What browsers show without running anything of it; all else is saved. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|(?:video|audio)\/[\w.+-]+|text\/plain)$/

/** What `browser_download_url` leads to, for who may read what the file stands beside; texts of a repository link below it. */
export function downloads(context: Context) {
  const download = ({ viewer, params, request }: { viewer: Viewer; params: { uuid: string }; request: Request }) => {
    const found = /^[0-9a-f-]{36}$/.test(params.uuid) ? findAttachmentByUuid(context.db, params.uuid) : undefined
    const issue = found && findIssueById(context.db, found.issue_id)
    const repo = issue && accessTo(context.db, viewer, issue.repo_id)
    if (!found || !issue || !repo || !mayRead(repo, issue)) throw new NotFound()
    return serve(context, found, request)
  }
  return new Elysia({ name: 'assets.downloads' })
    .use(gate(context, 'either'))
    .get('/attachments/:uuid', (asked) => download(asked), { anyone: 'issue', params: UuidParams, detail: { hide: true } })
    .get('/:owner/:repo/attachments/:uuid', (asked) => download(asked), {
      repo: 'issues|pulls:read',
      params: t.Object({ ...RepoParams.properties, ...UuidParams.properties }),
      detail: { hide: true },
    })
}

function serve(context: Context, row: AttachmentRow, request: Request): Response {
  const etag = `"${row.digest}"`
  const headers = { ...rawHeaders, ETag: etag, 'Cache-Control': 'private, max-age=0, must-revalidate', 'Access-Control-Expose-Headers': 'Content-Disposition' }
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  context.db.tx((tx) => countDownload(tx, row.id))
  const [type = ''] = Bun.file(row.name.toLowerCase()).type.split(';')
  const isText = type.startsWith('text/') || type === 'application/json'
  const kind = shown.test(type) ? type : isText ? 'text/plain' : 'application/octet-stream'
  const disposition = kind === 'application/octet-stream' ? 'attachment' : 'inline'
  return new Response(Bun.file(blobPath(context.config.dataPath, row.digest)), {
    headers: {
      ...headers,
      'Content-Type': kind === 'text/plain' ? 'text/plain; charset=utf-8' : kind,
      'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(row.name)}`,
    },
  })
}
