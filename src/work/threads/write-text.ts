import { paceOf, requireUser } from '#access/index.ts'
import { BlobStore, cleanName, type Landed, readFormWithFiles, refuseType } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { keepAssets } from '#work/assets/index.ts'
import { createComment } from '#work/comments/index.ts'
import { createIssue, editIssue, findIssueById, type IssueRow } from '#work/issues/index.ts'
import type { Place } from './act.ts'
import { lineFeeds } from './forms.ts'

const MIB = 1_048_576
const MAX_TEXT_BYTES = 4 * MIB
/** Of a form for an issue: its plan may have many labels and assignees. */
const MAX_FIELDS = 300

interface LandedFile {
  name: string
  landed: Landed
}

/** What a form with a text and files says. */
export interface TextForm {
  of(name: string): string
  all(name: string): readonly string[]
  files: readonly LandedFile[]
}

/** Reads a form whose files go to disk as they come; they are gone again after `work`, unless it kept them. @throws as `readFormWithFiles`, TooLarge */
export async function withTextForm<T>(context: Context, request: Request, work: (form: TextForm) => T): Promise<Awaited<T>> {
  const { attachment } = context.config
  const files: LandedFile[] = []
  const limits = { fields: MAX_FIELDS, fieldBytes: MAX_TEXT_BYTES, files: attachment.ENABLED ? attachment.MAX_FILES : 0 }
  try {
    const { fields } = await readFormWithFiles(request, paceOf(context.config), limits, async (upload) => {
      const name = cleanName(upload.name)
      refuseType(name, attachment.ALLOWED_TYPES)
      files.push({ name, landed: await context.services.get(BlobStore).land(upload.bytes, attachment.MAX_SIZE * MIB) })
    })
    return await work({ of: (name) => lineFeeds(fields.get(name)?.at(-1) ?? ''), all: (name) => fields.get(name) ?? [], files })
  } finally {
    for (const { landed } of files) landed.drop()
  }
}

const picture = /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i

/** A text that ends with its files: pictures are shown, others linked. */
function withLinks(text: string, named: readonly { name: string; uuid: string }[]): string {
  const links = named.map(({ name, uuid }) => `${picture.test(name) ? '!' : ''}[${name.replace(/[[\]\\]/g, '\\$&')}](/attachments/${uuid})`)
  return [text.trimEnd(), ...links].filter((part) => part !== '').join('\n\n')
}

/** What was posted says which issue it is on; its text says nothing without files when it only closes or reopens. */
export function postComment(context: Context, { viewer, repo, issue }: Place, form: TextForm): number | undefined {
  const files = form.files.map((file) => ({ ...file, uuid: crypto.randomUUID() }))
  const body = withLinks(form.of('body'), files)
  const action = form.of('action')
  const state = action === 'close' ? 'closed' : action === 'reopen' ? 'open' : undefined
  if (body === '' && state === undefined) throw new Problem(422, 'There is nothing to post: write something first.')
  return context.db.tx((tx) => {
    const comment = body === '' ? undefined : createComment(context, viewer, repo, issue, { body })
    if (comment) keepAssets(tx, context, { issue, commentId: comment.id, uploaderId: requireUser(viewer).user.id }, files)
    if (state !== undefined) editIssue(context, viewer, repo, issue, { state })
    return comment?.id
  })
}

/** Opens an issue with what a form says. @throws as `createIssue`, Unprocessable without a title */
export function postIssue(context: Context, { viewer, repo }: Omit<Place, 'issue'>, form: TextForm): IssueRow {
  const files = form.files.map((file) => ({ ...file, uuid: crypto.randomUUID() }))
  const title = form.of('title').trim()
  if (title === '') throw new Problem(422, 'A title is needed.')
  if (title.length > 4096) throw new Problem(422, 'The title is too long.')
  const ids = (name: string) => form.all(name).flatMap((text) => (/^\d{1,15}$/.test(text) ? Number(text) : []))
  return context.db.tx((tx) => {
    const plan = { labels: ids('labels'), milestone: ids('milestone')[0], assignees: [...form.all('assignees')] }
    const issue = createIssue(context, viewer, repo, { title, body: withLinks(form.of('body'), files), ref: form.of('ref').slice(0, 255), ...plan })
    keepAssets(tx, context, { issue, commentId: null, uploaderId: requireUser(viewer).user.id }, files)
    return findIssueById(tx, issue.id) as IssueRow
  })
}
