import { MadeLately, paceOf, requireUser, type Viewer } from '#access/index.ts'
import { BlobStore, cleanName, type Landed, readFormWithFiles, refuseType } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { checkForm } from '#web/index.ts'
import { keepAssets } from '#work/assets/index.ts'
import { listAttachmentsOf } from '#work/attachments/index.ts'
import { createComment, editComment, getComment } from '#work/comments/index.ts'
import { createIssue, editIssue, findIssueById, type IssueRow, requirePosterOrWriter } from '#work/issues/index.ts'
import type { Place } from './act.ts'
import { CommentEditForm, IssueEditForm, lineFeeds } from './forms.ts'
import { tick } from './ticks.ts'

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
  /** Names and texts of all its fields. */
  everything: readonly (readonly [string, readonly string[]])[]
  files: readonly LandedFile[]
}

/** Reads a form whose files go to disk as they come; they are gone again after `work`, unless it kept them. @throws as `readFormWithFiles`, TooLarge */
export async function withTextForm<T>(context: Pick<Context, 'config' | 'services'>, request: Request, work: (form: TextForm) => T): Promise<Awaited<T>> {
  const { attachment } = context.config
  const all: Landed[] = []
  const limits = { fields: MAX_FIELDS, fieldBytes: MAX_TEXT_BYTES, files: attachment.ENABLED ? attachment.MAX_FILES : 0 }
  try {
    // In the order in which they were sent, whichever has landed first.
    const { fields, files } = await readFormWithFiles(request, paceOf(context.config), limits, async (upload) => {
      const name = cleanName(upload.name)
      refuseType(name, attachment.ALLOWED_TYPES)
      const landed = await context.services.get(BlobStore).land(upload.bytes, attachment.MAX_SIZE * MIB)
      all.push(landed)
      return { name, landed }
    })
    return await work({ of: (name) => lineFeeds(fields.get(name)?.at(-1) ?? ''), all: (name) => fields.get(name) ?? [], everything: [...fields], files })
  } finally {
    for (const landed of all) landed.drop()
  }
}

const picture = /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i

interface NamedFile {
  name: string
  uuid: string
}

/** A text with its files: those that it names, `![what it shows](attachment:shot.png)`, stand there; the others at its end, pictures shown, others linked. */
function withLinks(text: string, files: readonly NamedFile[]): string {
  const placed = new Set<NamedFile>()
  const body = text.replace(/\]\(attachment:([^()\s]{1,1000})\)/g, (whole, told: string) => {
    const file = files.find(({ name }) => name === decoded(told))
    if (file === undefined) return whole
    placed.add(file)
    return `](/attachments/${file.uuid})`
  })
  const rest = files.filter((file) => !placed.has(file))
  const links = rest.map(({ name, uuid }) => `${picture.test(name) ? '!' : ''}[${name.replace(/[[\]\\]/g, '\\$&')}](/attachments/${uuid})`)
  return [links.length > 0 ? body.trimEnd() : body, ...links].filter((part) => part !== '').join('\n\n')
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function withIds(files: readonly LandedFile[]) {
  return files.map((file) => ({ ...file, uuid: crypto.randomUUID() }))
}

/** Makes what a form asks for, once also where it is sent twice at a time. @param place where it is made, and what */
export function asPosted<T>(context: Pick<Context, 'services'>, viewer: Viewer, place: readonly unknown[], form: TextForm, make: () => T): T {
  const files = form.files.map(({ name, landed }) => [name, landed.digest])
  return context.services.get(MadeLately).once(viewer, [...place, form.everything, files], make)
}

/** What was posted says which issue it is on; its text says nothing without files when it only closes or reopens. */
export function postComment(context: Context, { viewer, repo, issue }: Place, form: TextForm): number | undefined {
  const files = withIds(form.files)
  const body = withLinks(form.of('body').trimEnd(), files)
  const action = form.of('action')
  const state = action === 'close' ? 'closed' : action === 'reopen' ? 'open' : undefined
  if (body === '' && state === undefined) throw new Problem(422, 'The comment is empty. Enter some text first.')
  return context.db.tx((tx) => {
    const comment = body === '' ? undefined : createComment(context, viewer, repo, issue, { body })
    if (comment) keepAssets(tx, context, { issue, commentId: comment.id, uploaderId: requireUser(viewer).user.id }, files)
    if (state !== undefined) editIssue(context, viewer, repo, issue, { state })
    return comment?.id
  })
}

/** The text of a form for something new, with its files named in it, which it keeps once there is an issue or pull request to keep them beside. */
export function textWithFiles(context: Context, viewer: Viewer, form: TextForm): { body: string; keep: (tx: Tx, issue: IssueRow) => void } {
  const files = withIds(form.files)
  const body = withLinks(form.of('body').trimEnd(), files)
  return { body, keep: (tx, issue) => keepAssets(tx, context, { issue, commentId: null, uploaderId: requireUser(viewer).user.id }, files) }
}

/** Opens an issue with what a form says. @throws as `createIssue`, Unprocessable without a title */
export function postIssue(context: Context, { viewer, repo }: Omit<Place, 'issue'>, form: TextForm): IssueRow {
  const { body, keep } = textWithFiles(context, viewer, form)
  const title = titleIn(form)
  const ids = (name: string) => form.all(name).flatMap((text) => (/^\d{1,15}$/.test(text) ? Number(text) : []))
  return context.db.tx((tx) => {
    const plan = { labels: ids('labels'), milestone: ids('milestone')[0], assignees: [...form.all('assignees')] }
    const issue = createIssue(context, viewer, repo, { title, body, ref: form.of('ref').slice(0, 255), ...plan })
    keep(tx, issue)
    return findIssueById(tx, issue.id) as IssueRow
  })
}

/** @throws Unprocessable when there is none, or it is too long */
export function titleIn(form: TextForm): string {
  const title = form.of('title').trim()
  if (title === '') throw new Problem(422, 'Enter a title.')
  if (title.length > 4096) throw new Problem(422, `The title is too long: it has ${title.length} characters, and at most 4096 are allowed.`)
  return title
}

/** An issue's own text, or its title, with the files that come with it. @throws as `editIssue`, Unprocessable */
export function saveIssue(context: Context, { viewer, repo, issue }: Place, form: TextForm): void {
  const user = requirePosterOrWriter(viewer, repo, issue, issue.poster_id)
  const files = withIds(form.files)
  const [title, body, version] = ['title', 'body', 'content_version'].map((name) => form.all(name).at(-1))
  const asked = checkForm(IssueEditForm, { title, body: body && lineFeeds(body), content_version: versionIn(version) })
  context.db.tx((tx) => {
    const text = asked.body ?? (files.length > 0 ? issue.body : undefined)
    const edited = editIssue(context, viewer, repo, issue, { ...asked, body: text && withLinks(text, files) })
    refuseMore(context, listAttachmentsOf(tx, 'issue', [issue.id]).length + files.length)
    keepAssets(tx, context, { issue: edited, commentId: null, uploaderId: user.id }, files)
  })
}

/** Of the text that a form was opened with, if the form says so. */
function versionIn(text: string | undefined): number | undefined {
  return text ? Number(text) : undefined
}

/** The same for a comment. @throws as `editComment`, Unprocessable */
export function saveComment(context: Context, { viewer, repo }: Omit<Place, 'issue'>, id: string, form: TextForm): void {
  const files = withIds(form.files)
  const { body, content_version } = checkForm(CommentEditForm, {
    body: withLinks(form.of('body'), files),
    content_version: versionIn(form.of('content_version')),
  })
  context.db.tx((tx) => {
    const { comment, issue } = editComment(context, viewer, repo, id, { body }, content_version)
    refuseMore(context, listAttachmentsOf(tx, 'comment', [comment.id]).length + files.length)
    keepAssets(tx, context, { issue, commentId: comment.id, uploaderId: requireUser(viewer).user.id }, files)
  })
}

/** @throws Unprocessable */
function refuseMore({ config }: Pick<Context, 'config'>, files: number): void {
  const { MAX_FILES } = config.attachment
  if (files > MAX_FILES) throw new Unprocessable(`Too many files: at most ${MAX_FILES} can be attached.`)
}

/** Ticks a box in the text of an issue, or of one of its comments, as it is by now. @throws as `editIssue` and `editComment`, Conflict */
export function tickTask(context: Context, { viewer, repo, issue }: Place, commentId: string | undefined, task: string): void {
  context.db.tx((tx) => {
    if (commentId === undefined) editIssue(context, viewer, repo, issue, { body: tick(getText(tx, issue.id), task) })
    else editComment(context, viewer, repo, commentId, { body: tick(getComment({ db: tx }, viewer, repo, commentId).comment.body, task) })
  })
}

/** @throws NotFound */
function getText(tx: Tx, issueId: number): string {
  const issue = findIssueById(tx, issueId)
  if (!issue) throw new NotFound()
  return issue.body
}
