import { accessStore, accessTo, anonymous, findAccount } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { findIssueReferences, type IssueReference } from '#markdown/index.ts'
import { addEntry, type Deed } from './deed.ts'
import { findReadable, findWhereMoved } from './find-issue.ts'
import { deleteReferences, listReferencesFrom } from './reference-store.ts'
import type { IssueRow } from './store.ts'

export type RefAction = 'none' | 'closes' | 'reopens'

/** Where a text stands: it is an issue's own, or a comment's. */
export interface Source {
  text: string
  commentId?: number
}

/** An issue that a text refers to, and what the words before say is to be done to it. */
export interface Reference {
  target: IssueRow
  action: RefAction
}

/**
 * Tells in the timelines of issues that a text refers to them, as far as its author may read them; what it refers to no more is
 * told no longer. Those that were told of already keep their date.
 */
export function linkFrom(tx: Tx, deed: Deed, issue: IssueRow, { text, commentId }: Source): void {
  const found = referencesIn(tx, deed, issue.repo_id, text).filter(({ target }) => target.id !== issue.id)
  const before = listReferencesFrom(tx, issue.id, commentId ?? null)
  deleteReferences(
    tx,
    before.filter((one) => !found.some(({ target }) => target.id === one.issue_id)).map(({ id }) => id),
  )
  const type = issue.is_pull === 1 && commentId === undefined ? 'pull_ref' : commentId === undefined ? 'issue_ref' : 'comment_ref'
  for (const { target, action } of found) {
    if (before.some((one) => one.issue_id === target.id)) continue
    const ref_action = issue.is_pull === 1 && commentId === undefined ? action : 'none'
    addEntry(tx, deed, target, type, { ref_issue_id: issue.id, ref_comment_id: commentId ?? null, ref_action })
  }
}

/** The issues that a text standing in a repository refers to and that `doer` may read, each once. */
export function referencesIn(db: Db, { context, doer }: Pick<Deed, 'context' | 'doer'>, repoId: number, text: string): Reference[] {
  const references = new Map<number, Reference>()
  const known = new Map<string, IssueRow | undefined>()
  const targetOf = (one: IssueReference) =>
    known.getOrInsertComputed(`${one.repo?.toLowerCase() ?? ''}#${one.number}`, () => resolve(db, { ...anonymous, user: doer }, repoId, one))
  for (const one of findIssueReferences(text, context.rootUrl)) {
    const target = targetOf(one)
    if (!target) continue
    const action = actionOf(context, one.lead)
    if (!references.has(target.id) || action !== 'none') references.set(target.id, { target, action })
  }
  return [...references.values()]
}

function resolve(db: Db, viewer: typeof anonymous, repoId: number, { repo: name, number }: IssueReference): IssueRow | undefined {
  const id = name === undefined ? repoId : findRepoId(db, name)
  const repo = id === undefined ? undefined : accessTo(db, viewer, id)
  return repo && (findReadable(db, repo, number) ?? findWhereMoved(db, viewer, repo, number))
}

function findRepoId(db: Db, fullName: string): number | undefined {
  const [ownerName = '', name = ''] = fullName.split('/')
  const owner = findAccount(db, ownerName)
  return owner && (accessStore.findRepo(db, owner.id, name) ?? accessStore.findMovedRepo(db, owner.id, name))?.id
}

/** What the last word before a reference asks for. */
export function actionOf({ config }: Pick<Context, 'config'>, lead: string): RefAction {
  const word = /(?:^|[^\p{L}\p{M}\p{N}_])([\p{L}\p{M}\p{N}_]+):?[ \t]+$/u.exec(lead)?.[1]?.toLowerCase()
  if (word === undefined) return 'none'
  const { CLOSE_KEYWORDS, REOPEN_KEYWORDS } = config['repository.pull-request']
  const isOne = (words: readonly string[]) => words.some((one) => one.toLowerCase() === word)
  return isOne(CLOSE_KEYWORDS) ? 'closes' : isOne(REOPEN_KEYWORDS) ? 'reopens' : 'none'
}
