import { accessStore, type RepoAccess, type RepoRow, wikiOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { FoundPath } from '#git/browse/open-path.ts'
import type { Oid } from '#git/objects/oid.ts'
import { entryType } from '#git/objects/tree.ts'
import { branchRef } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { findRef } from '#repositories/refs/index.ts'
import { pathsOfName } from './page-names.ts'

/** A wiki as it is at its branch's tip. */
export interface WikiTree {
  /** The repository as the wiki's git store sees it. */
  wiki: RepoRow
  tip: Oid
  tree: Oid
}

/** A file of the wiki; without its bytes when they are more than were asked for. */
export interface WikiFile extends FoundPath {
  path: string
}

/** Undefined while nothing was written there. */
export async function findWikiTree(context: Pick<Context, 'db' | 'git'>, repoId: number): Promise<WikiTree | undefined> {
  const repo = accessStore.findRepoById(context.db, repoId)
  if (!repo) return undefined
  const wiki = wikiOf(repo)
  const tip = findTip(context.db, wiki)
  return tip && { wiki, tip, tree: (await context.git.look('links', wiki.id, { oid: tip })).tree }
}

/** Whether something was written there, as the refs say: its objects are not opened for it. */
export function isWritten({ db }: Pick<Context, 'db'>, { row }: RepoAccess): boolean {
  return findTip(db, wikiOf(row)) !== undefined
}

function findTip(db: Db, wiki: RepoRow): Oid | undefined {
  return findRef(db, wiki.id, branchRef(wiki.default_branch))?.oid
}

/** @throws NotFound */
export async function getWikiTree(context: Pick<Context, 'db' | 'git'>, repoId: number): Promise<WikiTree> {
  const found = await findWikiTree(context, repoId)
  if (!found) throw new NotFound()
  return found
}

/** The file of a page by the page's name. */
export async function findPageFile(context: Pick<Context, 'git'>, at: WikiTree, name: string, maxBytes: number): Promise<WikiFile | undefined> {
  for (const path of pathsOfName(name)) {
    const found = await findFile(context, at, path, maxBytes)
    if (found) return found
  }
  return undefined
}

/** Links lead nowhere in a wiki, and are no pages. */
export async function findFile(context: Pick<Context, 'git'>, { wiki, tree }: WikiTree, path: string, maxBytes: number): Promise<WikiFile | undefined> {
  const found = await context.git.run('openPath', wiki.id, { tree, path, maxBytes })
  return found && isPlain(found.mode) ? { ...found, path } : undefined
}

export function isPlain(mode: number): boolean {
  return entryType(mode) === 'blob' && mode !== LINK_MODE
}

const LINK_MODE = 0o120000
