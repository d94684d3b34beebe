import { Elysia, t } from 'elysia'
import { anonymous, gate, keepToOrigin, mustSignIn, RepoParams, type Viewer } from '#access/index.ts'
import { BlobStore } from '#blobs/index.ts'
import { findVisibleAsset, sendAsset } from '#code/releases/index.ts'
import type { Context } from '#context.ts'
import { type Connections, pacedStream } from '#kernel/answers/paced-stream.ts'
import { fileNames, serveContent } from '#kernel/answers/serve-content.ts'
import { NotFound } from '#kernel/errors.ts'
import { rawHeaders } from '#kernel/http.ts'
import { type AttachmentRow, countDownload, findAttachmentByUuid } from '#work/attachments/index.ts'
import { accessTo, findIssueById, mayRead } from '#work/issues/index.ts'

const UuidParams = t.Object({ uuid: t.String() })

/** What browsers show without running anything of it; all else is saved. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|(?:video|audio)\/[\w.+-]+|text\/plain)$/

interface Asked {
  viewer: Viewer
  params: { uuid: string }
  request: Request
  server: Connections
  set: { headers: Record<string, string | number> }
}

/** What `browser_download_url` leads to, for who may read what the file stands beside; texts of a repository link below it. */
export function downloads(context: Context) {
  const findFor = (viewer: Viewer, uuid: string) => {
    const found = /^[0-9a-f-]{36}$/.test(uuid) ? findAttachmentByUuid(context.db, uuid) : undefined
    const issue = found && findIssueById(context.db, found.issue_id)
    const repo = issue && accessTo(context.db, viewer, issue.repo_id)
    return issue && repo && mayRead(repo, issue) ? found : undefined
  }
  const isPublic = (uuid: string) =>
    !mustSignIn(context.config, anonymous) && (findVisibleAsset(context, anonymous, uuid) ?? findFor(anonymous, uuid)) !== undefined
  const download = ({ viewer, params, request, server }: Asked) => {
    const found = findFor(viewer, params.uuid)
    if (!found) throw new NotFound()
    return serve(context, found, request, server)
  }
  /** Clients put together this address of a release's file as of all others: in Gitea they are of one kind. */
  const downloadAny = (asked: Asked) => {
    keepToOrigin(asked, () => isPublic(asked.params.uuid))
    const ofRelease = findVisibleAsset(context, asked.viewer, asked.params.uuid)
    return ofRelease ? sendAsset(context, ofRelease, asked.request, asked.server) : download(asked)
  }
  return new Elysia({ name: 'assets.downloads' })
    .use(gate(context, 'either'))
    .get('/attachments/:uuid', (asked) => downloadAny(asked), { anyone: 'issue', params: UuidParams, detail: { hide: true } })
    .get('/:owner/:repo/attachments/:uuid', (asked) => download(asked), {
      repo: 'issues|pulls:read',
      params: t.Object({ ...RepoParams.properties, ...UuidParams.properties }),
      detail: { hide: true },
    })
}

function serve(
  context: Pick<Context, 'answerBroke' | 'config' | 'db' | 'services'>,
  row: AttachmentRow,
  request: Request,
  server: Connections,
): Promise<Response> {
  const [type = ''] = Bun.file(row.name.toLowerCase()).type.split(';')
  const isText = type.startsWith('text/') || type === 'application/json'
  const kind = shown.test(type) ? type : isText ? 'text/plain' : 'application/octet-stream'
  const disposition = kind === 'application/octet-stream' ? 'attachment' : 'inline'
  const headers = {
    ...rawHeaders,
    'Cache-Control': 'private, max-age=0, must-revalidate',
    'Access-Control-Expose-Headers': 'Content-Disposition',
    'Content-Type': kind === 'text/plain' ? 'text/plain; charset=utf-8' : kind,
    'Content-Disposition': `${disposition}; ${fileNames(row.name)}`,
    'Last-Modified': new Date(row.created_at * 1000).toUTCString(),
  }
  const read = async (start: number, end: number) => {
    const bytes = await context.services.get(BlobStore).open(row.digest, start, end)
    if (start === 0) context.db.note((tx) => countDownload(tx, row.id))
    return bytes
  }
  const open = (start: number, end: number) => pacedStream(context, () => read(start, end), { request, server })
  return serveContent(request, { size: row.size, etag: `"${row.digest}"`, headers, open })
}
