import { accessStore, type Member, type RepoAccess, type RepoRow, recheckRepo, wikiOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { FileEdit } from '#git/edit/edit-files.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { branchRef } from '#git/refs/names.ts'
import { decodeBase64 } from '#kernel/base64.ts'
import { BadRequest, Conflict, Locked, NotFound } from '#kernel/errors.ts'
import { KeyedMutex } from '#kernel/keyed-mutex.ts'
import { gitIdentity } from '#people/users/index.ts'
import { writeObjects } from '#repositories/refs/index.ts'
import { makeWikiStore, undoWikiStore } from '#repositories/repos/index.ts'
import type { WikiEvent } from './events.ts'
import { isReserved, nameInAddress, nameOfTitle, pathOfName } from './page-names.ts'
import type { CreateWikiPageOptions } from './schema.ts'
import { findPageFile, findWikiTree, type WikiTree } from './wiki-tree.ts'

/** Who changes pages of which repository. */
export interface Place {
  viewer: Member
  repo: RepoAccess
}

/** One change of a page, as it is to be made on top of the wiki as it is. */
interface PlannedChange {
  action: WikiEvent['action']
  edits: FileEdit[]
  /** The page's name after it, and in the commit's message. */
  name: string
  message: string
}

/** Pushes to the wiki that may come in the way of one change. */
const MAX_ROUNDS = 4

/** By repository: people who change pages at once wait for each other. */
class PageMutex extends KeyedMutex {}

/** @returns the page's name. @throws BadRequest for a title that cannot be had or is taken, and content that is no base64; Locked */
export async function createPage(context: Context, place: Place, body: CreateWikiPageOptions): Promise<string> {
  const title = body.title?.trim() ?? ''
  if (title === '') throw new BadRequest('the page has no title')
  const name = checkName(nameOfTitle(title))
  const data = await contentOf(body)
  return change(context, place, async (at) => {
    if (at && (await findPageFile(context, at, name, 0))) throw taken(name)
    return { action: 'created', edits: [{ operation: 'create', path: pathOfName(name), data }], name, message: body.message || `Add "${name}"` }
  })
}

/**
 * Changes a page, or makes it where it is not there; another title moves it. Without content it stays as it is.
 * @param raw its name, as the address has it
 * @returns the page's name. @throws BadRequest as `createPage` does, and when the new title is another page's; Locked
 */
export async function editPage(context: Context, place: Place, raw: string, body: CreateWikiPageOptions): Promise<string> {
  const before = checkName(nameInAddress(raw))
  const title = body.title?.trim() ?? ''
  const name = title === '' ? before : checkName(nameOfTitle(title))
  const data = body.content_base64 === undefined ? undefined : await contentOf(body)
  return change(context, place, async (at) => {
    const file = at && (await findPageFile(context, at, before, 0))
    const holder = at && (await findPageFile(context, at, name, 0))
    if (holder && holder.path !== file?.path) throw taken(name)
    const message = body.message || `Update "${name}"`
    if (!file) return { action: 'created', edits: [{ operation: 'create', path: pathOfName(name), data: data ?? new Uint8Array() }], name, message }
    const path = holder ? file.path : pathOfName(name)
    const edit: FileEdit = { operation: 'update', path, fromPath: file.path, sha: file.oid, ...(data && { data }) }
    return { action: 'edited', edits: [edit], name, message }
  })
}

/** @param raw its name, as the address has it. @throws NotFound; Locked */
export async function deletePage(context: Context, place: Place, raw: string): Promise<void> {
  const name = nameInAddress(raw)
  await change(context, place, async (at) => {
    const file = at && (await findPageFile(context, at, name, 0))
    if (!file) throw new NotFound()
    return { action: 'deleted', edits: [{ operation: 'delete', path: file.path, sha: file.oid }], name, message: `Delete page "${name}"` }
  })
}

async function change(context: Context, place: Place, plan: (at: WikiTree | undefined) => Promise<PlannedChange>): Promise<string> {
  refuseArchived(place.repo, place.repo.row)
  return context.services.get(PageMutex).run(place.repo.row.id, () => changeInRounds(context, place, plan))
}

async function changeInRounds(context: Context, place: Place, plan: (at: WikiTree | undefined) => Promise<PlannedChange>): Promise<string> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const repo = accessStore.findRepoById(context.db, place.repo.row.id)
    if (!repo) throw new NotFound()
    const at = await findWikiTree(context, repo.id)
    const planned = await plan(at)
    if (await commit(context, place, wikiOf(repo), at, planned)) return planned.name
  }
  throw new Conflict('Cannot save the page: other people updated the wiki at the same time. Try again later.')
}

/** @returns whether it landed; when not, somebody pushed meanwhile */
async function commit(context: Context, { viewer, repo }: Place, wiki: RepoRow, at: WikiTree | undefined, planned: PlannedChange): Promise<boolean> {
  const who = gitIdentity(context, viewer.user)
  const message = `${planned.message.trimEnd()}\n`
  try {
    return await writeObjects(context, wiki.id, async (writing) => {
      makeWikiStore(context, wiki)
      const { oid } = await writing.make('commitEdits', { parent: at?.tip, edits: planned.edits, author: who, committer: who, message })
      return writing.land((tx, move) => {
        recheckRepo(tx, viewer.user, repo.row.id, 'wiki')
        refuseArchived(repo, accessStore.findRepoById(tx, repo.row.id) ?? repo.row)
        const update = { name: branchRef(wiki.default_branch), old: at?.tip ?? SHA1.zero, new: oid, fastForward: true }
        const [moved] = move({ actorId: viewer.user.id, message: `commit: ${message.split('\n', 1)[0]}`, updates: [update] })
        if (!moved?.ok) return false
        const { action, name: page } = planned
        context.events.record(tx, { type: 'wiki', action, actorId: viewer.user.id, repoId: repo.row.id, page, comment: message.trimEnd() })
        return true
      })
    })
  } finally {
    if (!at) undoWikiStore(context, wiki)
  }
}

function refuseArchived({ owner }: RepoAccess, row: RepoRow): void {
  if (row.archived_at !== null) throw new Locked(`${owner.name}/${row.name} is archived`)
}

function checkName(name: string): string {
  if (isReserved(name)) throw new BadRequest(`wiki title is reserved: ${name}`)
  return name
}

function taken(name: string): BadRequest {
  return new BadRequest(`wiki page already exists [title: ${name}]`)
}

/** @throws BadRequest */
async function contentOf({ content_base64: content = '' }: CreateWikiPageOptions): Promise<Uint8Array> {
  const data = await decodeBase64(content)
  if (!data) throw new BadRequest('invalid base64 encoding of content')
  return data
}
