import type { Db } from '#kernel/db.ts'
import type { Unit } from './levels.ts'
import type { RepoRow } from './rows.ts'
import { findRepoById } from './store.ts'

/** The branch of a wiki in which nothing is yet. */
const FIRST_WIKI_BRANCH = 'main'

/**
 * A repository has a git store of its own, and its wiki another. Both go by the repository's id, the wiki's negated: it has no row of
 * its own, and so follows the repository wherever that goes.
 */
export function wikiIdOf(repoId: number): number {
  return -Math.abs(repoId)
}

export function isWikiId(storeId: number): boolean {
  return storeId < 0
}

/** The unit that decides who may read and write what is stored. */
export function unitOfStore(storeId: number): Unit {
  return isWikiId(storeId) ? 'wiki' : 'code'
}

export function wikiBranchOf(repo: RepoRow): string {
  return repo.wiki_branch || FIRST_WIKI_BRANCH
}

/** The repository as the store of its wiki: with the wiki's id and branch. */
export function wikiOf(repo: RepoRow): RepoRow {
  return { ...repo, id: wikiIdOf(repo.id), default_branch: wikiBranchOf(repo), is_empty: repo.wiki_branch === '' ? 1 : 0 }
}

/** The repository that a store belongs to, as that store sees it. */
export function findStoreById(db: Db, storeId: number): RepoRow | undefined {
  const repo = findRepoById(db, Math.abs(storeId))
  return repo && isWikiId(storeId) ? wikiOf(repo) : repo
}
