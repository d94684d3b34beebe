import { Elysia, t } from 'elysia'
import { gate, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { readsBody } from '#kernel/slice.ts'
import { Visit } from '#web/index.ts'
import {
  commitFields,
  type Editing,
  MAX_EDITED_BYTES,
  removeFile,
  restoreFile,
  saveFile,
  showDelete,
  showEdit,
  showNew,
  showUpload,
  uploadFiles,
} from './edit-in-browser.tsx'
import { refuseEditing } from './rules.ts'

const PlaceParams = t.Object({ ...RepoParams.properties, '*': t.String() })
const EditForm = t.Object({
  path: t.String({ maxLength: 4096 }),
  content: t.String({ maxLength: MAX_EDITED_BYTES * 2 }),
  sha: t.Optional(t.String({ maxLength: 64 })),
  is_crlf: t.Optional(t.Boolean()),
  /** What is done with it instead of committing it. */
  action: t.Optional(t.Union([t.Literal('commit'), t.Literal('preview'), t.Literal('changes')])),
  ...commitFields,
})
const DeleteForm = t.Object({ sha: t.String({ maxLength: 64 }), ...commitFields })
const RestoreForm = t.Object({ sha: t.String({ maxLength: 64 }) })

/** Files made, changed, deleted and uploaded in the browser, each form one commit: on the branch, or on a new one. */
export function editPages(context: Context) {
  const editing = ({
    viewer,
    repo,
    request,
    params,
  }: Pick<Editing, 'repo'> & { viewer: Visit['viewer']; request: Request; params: { '*': string } }): Editing => {
    refuseEditing(repo)
    return { viewer: requireUser(viewer), repo, visit: new Visit(context, viewer, request), rest: params['*'] }
  }
  const terms = { repo: 'code:write', params: PlaceParams, detail: { hide: true } } as const
  const edits = { ...terms, body: EditForm, bodyLimit: MAX_EDITED_BYTES * 4 }
  return new Elysia({ name: 'contents.edit-pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/_new/*', (asked) => showNew(context, editing(asked)), { ...terms, detail: { hide: true } })
    .post('/:owner/:repo/_new/*', (asked) => saveFile(context, editing(asked), asked.body), { ...edits, detail: { hide: true } })
    .get('/:owner/:repo/_edit/*', (asked) => showEdit(context, editing(asked)), { ...terms, detail: { hide: true } })
    .post('/:owner/:repo/_edit/*', (asked) => saveFile(context, editing(asked), asked.body), { ...edits, detail: { hide: true } })
    .get('/:owner/:repo/_delete/*', (asked) => showDelete(context, editing(asked)), { ...terms, detail: { hide: true } })
    .post('/:owner/:repo/_delete/*', (asked) => removeFile(context, editing(asked), asked.body), { ...terms, body: DeleteForm, detail: { hide: true } })
    .post('/:owner/:repo/_restore/*', (asked) => restoreFile(context, editing(asked), asked.body), { ...terms, body: RestoreForm, detail: { hide: true } })
    .get('/:owner/:repo/_upload/*', (asked) => showUpload(context, editing(asked)), { ...terms, detail: { hide: true } })
    .post('/:owner/:repo/_upload/*', (asked) => uploadFiles(context, editing(asked), asked.request), { ...terms, detail: { hide: true, ...readsBody } })
}
