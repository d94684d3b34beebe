import { t } from 'elysia'
import { MadeLately, type Member, paceOf, type RepoAccess } from '#access/index.ts'
import { readFormWithFiles } from '#blobs/index.ts'
import { ComingChanges, findDefaultPlace, getRefPath, type RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { NewText } from '#git/diff/diff-files.ts'
import { isBinary } from '#git/diff/line-stats.ts'
import type { FileEdit } from '#git/edit/edit-files.ts'
import type { Oid } from '#git/objects/oid.ts'
import { entryType } from '#git/objects/tree.ts'
import { Forbidden, NotFound, TooLarge, Unprocessable } from '#kernel/errors.ts'
import { betweenFor, pullBaseOf } from '#repositories/forks/index.ts'
import { answerPage, type Html, mendable, seeOther, sizeText, type Visit } from '#web/index.ts'
import { changeFiles } from './change-files.ts'
import { findDeletedFile, isRestorable } from './deleted-file.tsx'
import { DeletePage, EditPage, type EditView, UploadPage } from './edit-templates.tsx'
import { isMarkdown, renderDocument } from './show-document.tsx'

/** Larger files are not edited in a form. */
export const MAX_EDITED_BYTES = 1024 * 1024
/** Of one form, together: they are held until the commit is made. */
const MAX_UPLOADED_BYTES = 32 * 1024 * 1024
const MAX_UPLOADED_FILES = 100

const LINK = 0o120000
/** What of coming changes is shown. */
const SHOWN_CHANGES = { maxFileBytes: 16 * MAX_EDITED_BYTES, maxFileLines: 3000, decodes: true }

export const commitFields = {
  message: t.Optional(t.String({ maxLength: 65_536 })),
  new_branch: t.Optional(t.String({ maxLength: 1024 })),
}

interface CommitForm {
  message?: string
  new_branch?: string
}

interface EditForm extends CommitForm {
  path: string
  content: string
  /** The blob that the form was made of; absent for a new file. */
  sha?: string
  is_crlf?: boolean
  /** `preview` and `changes` show something of it first. */
  action?: 'commit' | 'preview' | 'changes'
}

/** Who edits what. */
export interface Editing {
  viewer: Member
  repo: RepoAccess
  visit: Visit
  /** What of the address follows the action: branch and path. */
  rest: string
}

/** Where a file is made. In a repository without commits the default branch begins with it. @throws NotFound */
async function placeOf(context: Pick<Context, 'db' | 'git'>, { repo, rest }: Editing): Promise<Omit<RefPath, 'commit'> & { commit?: Oid }> {
  if (repo.row.is_empty === 1 && findDefaultPlace(context, repo) === undefined) return { kind: 'branch', name: repo.row.default_branch, path: '' }
  return getRefPath(context, repo, 'branch', rest)
}

export async function showNew(context: Pick<Context, 'db' | 'git'>, editing: Editing): Promise<Response> {
  const { name, path } = await placeOf(context, editing)
  return show(editing, { action: '_new', branch: name, place: path, path: path === '' ? '' : `${path}/`, content: '' })
}

/** @throws Unprocessable for what is no text of a size that a form takes */
export async function showEdit(context: Pick<Context, 'db' | 'git'>, editing: Editing): Promise<Response> {
  const { place, oid, data, mode } = await getFile(context, editing)
  if (mode === LINK) throw new NotFound()
  if (data === undefined || isBinary(data))
    throw new Unprocessable(`This file cannot be edited in the browser: it is binary or larger than ${sizeText(MAX_EDITED_BYTES)}.`)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(data)
  if (!Buffer.from(text).equals(data)) throw new Unprocessable('This file cannot be edited in the browser: it is not encoded in UTF-8.')
  const isCrlf = /\r\n/.test(text)
  return show(editing, { action: '_edit', branch: place.name, place: place.path, path: place.path, content: text, sha: oid, isCrlf })
}

export async function showDelete(context: Pick<Context, 'db' | 'git'>, editing: Editing): Promise<Response> {
  const { place, oid } = await getFile(context, editing)
  return answerPage(<DeletePage visit={editing.visit} repo={editing.repo} branch={place.name} path={place.path} sha={oid} />)
}

export async function showUpload(context: Pick<Context, 'db' | 'git'>, editing: Editing): Promise<Response> {
  const { name, path } = await placeOf(context, editing)
  return answerPage(<UploadPage visit={editing.visit} repo={editing.repo} branch={name} path={path} />)
}

function show({ visit, repo }: Editing, view: EditView, status = 200): Response {
  return answerPage(<EditPage visit={visit} repo={repo} view={view} />, status)
}

async function getFile(context: Pick<Context, 'db' | 'git'>, { repo, rest }: Editing) {
  const place = await getRefPath(context, repo, 'branch', rest)
  const { tree } = await context.git.look('links', repo.row.id, { oid: place.commit })
  const found = await context.git.run('openPath', repo.row.id, { tree, path: place.path, maxBytes: MAX_EDITED_BYTES })
  if (!found || entryType(found.mode) !== 'blob') throw new NotFound()
  return { place, oid: found.oid, data: found.data, mode: found.mode }
}

/** The blob that the file is now; undefined where it was deleted meanwhile. */
async function findOid(context: Pick<Context, 'db' | 'git'>, editing: Editing): Promise<Oid | undefined> {
  try {
    return (await getFile(context, editing)).oid
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** Nothing that was typed is lost when it is not taken. */
export async function saveFile(context: Context, editing: Editing, form: EditForm): Promise<Response> {
  const place = await placeOf(context, editing)
  // Browsers send CRLF, whatever was typed.
  const content = form.is_crlf ? form.content : form.content.replaceAll('\r\n', '\n')
  // A slash before it means the same, and would be one too many in its address.
  const path = form.path.trim().replace(/^\/+/, '')
  const operation = form.sha === undefined ? 'create' : 'update'
  const fromPath = operation === 'update' && path !== place.path ? { fromPath: place.path } : {}
  const data = Buffer.from(content)
  const typed: EditView = {
    ...{ action: operation === 'create' ? '_new' : '_edit', branch: place.name, place: place.path, path, content },
    ...{ sha: form.sha, isCrlf: form.is_crlf, message: form.message, newBranch: form.new_branch },
  }
  if (form.action === 'preview') return show(editing, { ...typed, shown: await preview(context, editing, place, { path, content }) })
  if (form.action === 'changes') {
    const old = operation === 'create' ? undefined : await findOid(context, editing)
    return show(editing, { ...typed, shown: await comingChanges(context, editing, { path, old, data }) })
  }
  const edit: FileEdit = { operation, path, data, ...(form.sha === undefined ? {} : { sha: form.sha }), ...fromPath }
  try {
    const make = () => commit(context, editing, place.name, [edit], form, `${operation === 'create' ? 'Add' : 'Update'} ${path}`)
    return seeOther(await context.services.get(MadeLately).once(editing.viewer, ['file', editing.repo.row.id, editing.rest, form], make))
  } catch (error) {
    const problem = mendable(error)
    const stale = form.sha === undefined ? undefined : await staleEdit(context, editing, { ...typed, sha: form.sha }, data)
    return stale === undefined ? show(editing, { ...typed, error: problem.message }, problem.status) : show(editing, stale, 409)
  }
}

/** The form again, to commit what was typed after all, where the file is not what the form was made of any more. */
async function staleEdit(
  context: Pick<Context, 'db' | 'git'>,
  editing: Editing,
  typed: EditView & { sha: string },
  data: Uint8Array,
): Promise<EditView | undefined> {
  const oid = await findOid(context, editing)
  if (oid === typed.sha) return undefined
  if (oid === undefined)
    return {
      ...typed,
      action: '_new',
      place: '',
      sha: undefined,
      error: `Your changes are not saved: ${typed.place} was deleted after you opened it. Commit again to create it as a new file.`,
    }
  const shown = await comingChanges(context, editing, { path: typed.path, old: oid, data })
  return { ...typed, sha: oid, shown, error: changedMeanwhile }
}

const changedMeanwhile =
  'Your changes are not saved: someone else changed this file after you opened it. The diff above shows how your text differs from the current version. ' +
  'Copy the lines that you want to keep into your text, then commit again.'

/** A text as its file's page would show it. */
async function preview(
  context: Pick<Context, 'services'>,
  { visit, repo }: Editing,
  place: Pick<RefPath, 'kind' | 'name'>,
  { path, content }: Record<'path' | 'content', string>,
): Promise<Html> {
  const document = isMarkdown(path) ? await renderDocument(context, visit, repo, place, path, content) : undefined
  const none = isMarkdown(path) ? 'The preview took too long to render.' : 'Preview is available for Markdown files only.'
  return (
    <section aria-label="Preview">
      <h3>Preview</h3>
      {document ? <div class="text written">{document}</div> : <p class="remark">{none}</p>}
    </section>
  )
}

/** What a text changes of the file as the branch has it now, whatever the form was made of. */
async function comingChanges({ git }: Pick<Context, 'git'>, { repo }: Editing, text: NewText): Promise<Html> {
  const file = await git.run('diffText', repo.row.id, { ...text, options: SHOWN_CHANGES })
  return (
    <section aria-label="Changes">
      <h3>Changes</h3>
      <ComingChanges file={file} />
    </section>
  )
}

/** The next page offers the file back, where it was deleted on the branch itself. */
export async function removeFile(context: Context, editing: Editing, form: CommitForm & { sha: string }): Promise<Response> {
  const { name, path } = await placeOf(context, editing)
  const { visit, repo } = editing
  const address = await commit(context, editing, name, [{ operation: 'delete', path, sha: form.sha }], form, `Delete ${path}`)
  const undo = { action: visit.to`/${repo.owner.name}/${repo.row.name}/_restore/${name}/${path}`, fields: { sha: form.sha } }
  if (!isElsewhere(name, form)) visit.leaveNote({ text: `Deleted ${path}`, undo })
  return seeOther(address)
}

/**
 * A deleted file is there again, as it was last in the branch's own history, whatever else the form says.
 * @throws NotFound when nothing was there; Unprocessable when something is there again, or it is not what was last there
 */
export async function restoreFile(context: Context, editing: Editing, { sha }: { sha: string }): Promise<Response> {
  const { name, path, commit: tip } = await getRefPath(context, editing.repo, 'branch', editing.rest)
  const { visit, repo } = editing
  const { tree } = await context.git.look('links', repo.row.id, { oid: tip })
  if (await context.git.run('openPath', repo.row.id, { tree, path, maxBytes: 0 }))
    throw new Unprocessable(`Cannot restore ${path}: this path exists again on ${name}.`)
  const found = await findDeletedFile(context, repo.row.id, tip, path)
  if (!found || !isRestorable(found)) throw new NotFound()
  if (found.oid !== sha) throw new Unprocessable(`Cannot restore ${path}: its last version is not the one that you saw. Reload the page and try again.`)
  const entry = { mode: found.mode, oid: found.oid }
  const address = await commit(context, editing, name, [{ operation: 'restore', path, entry }], {}, `Restore ${path}`)
  visit.leaveNote({ text: `Restored ${path}` })
  return seeOther(address)
}

/** All files of a form in one commit. @throws TooLarge, BadRequest, Unprocessable without a file */
export async function uploadFiles(context: Context, editing: Editing, request: Request): Promise<Response> {
  const { name: branch, path: directory } = await placeOf(context, editing)
  const limits = { fields: 10, fieldBytes: 65_536, files: MAX_UPLOADED_FILES }
  let size = 0
  const { fields, files } = await readFormWithFiles(request, paceOf(context.config), limits, async ({ name, bytes }) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > MAX_UPLOADED_BYTES) throw new TooLarge(`Cannot upload the files: together they are larger than ${sizeText(MAX_UPLOADED_BYTES)}`)
      chunks.push(chunk)
    }
    return { name, data: Buffer.concat(chunks) }
  })
  if (files.length === 0) throw new Unprocessable('No files selected. Choose at least one file to upload.')
  const edits = files.map(({ name, data }): FileEdit => ({ operation: 'upload', path: directory === '' ? name : `${directory}/${name}`, data }))
  const of = (name: string) => fields.get(name)?.at(-1)
  const form = { message: of('message'), new_branch: of('new_branch') }
  return seeOther(await commit(context, editing, branch, edits, form, `Upload ${files.length === 1 ? files[0]?.name : `${files.length} files`}`))
}

/** Whether a commit goes to a new branch. */
function isElsewhere(branch: string, form: { new_branch?: string | undefined }): boolean {
  const name = form.new_branch?.trim() ?? ''
  return name !== '' && name !== branch
}

/** Of a fork's default branch, a new branch is meant for what it was forked from; of others, for the branch that it came from. */
function comparisonOf({ db }: Pick<Context, 'db'>, { viewer, repo }: Pick<Editing, 'viewer' | 'repo'>, branch: string, newBranch: string): string {
  const base = branch === repo.row.default_branch ? pullBaseOf(db, viewer, repo) : repo
  const between = base === repo ? `${branch}...${newBranch}` : betweenFor(base, repo, newBranch)
  return `/${base.owner.name}/${base.row.name}/compare/${between}`
}

/** Whether a commit was refused because of the target branch; the API says so in Gitea's words. */
function isRefusedByRule(error: unknown): boolean {
  const words = /^(?:user cannot commit to repo|user should have a permission to write to the target branch|Not allowed to push to protected branch)/
  return error instanceof Forbidden && words.test(error.message)
}

/** @returns the address of the file, or where a new branch is asked to be merged. */
async function commit(
  context: Context,
  { viewer, repo, visit }: Editing,
  branch: string,
  edits: FileEdit[],
  form: { message?: string | undefined; new_branch?: string | undefined },
  message: string,
): Promise<string> {
  const newBranch = isElsewhere(branch, form) ? form.new_branch?.trim() : undefined
  const text = form.message?.replaceAll('\r\n', '\n').trim()
  const options = { branch, ...(newBranch === undefined ? {} : { new_branch: newBranch }), ...(text ? { message: text } : {}) }
  await changeFiles(context, viewer, repo, { change: { edits }, options, message }).catch((error) => {
    throw isRefusedByRule(error) ? new Forbidden(`Cannot commit to ${newBranch ?? branch}: the branch is protected. Commit to a new branch instead.`) : error
  })
  const base = [repo.owner.name, repo.row.name].join('/')
  if (newBranch !== undefined) return visit.to`${comparisonOf(context, { viewer, repo }, branch, newBranch)}`
  const [first] = edits
  const isShown = edits.length === 1 && first?.operation !== 'delete'
  return isShown ? visit.to`/${base}/src/branch/${branch}/${first?.path ?? ''}` : visit.to`/${base}/src/branch/${branch}`
}
