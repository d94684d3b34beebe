import { accessStore, accessTo, anonymous, findAccount, holdsScope, isNamedBy, maySignIn, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import { findIssueReferences, type IssueReference } from '#markdown/index.ts'
import { setState } from './change-state.ts'
import { addEntry, type Deed } from './deed.ts'
import { findReadable, findWhereMoved } from './find-issue.ts'
import { deleteReferences, listActing, listReferencesFrom, updateReference } from './reference-store.ts'
import { mayAct, mayRead } from './rules.ts'
import { findIssueById, type IssueRow } from './store.ts'

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
 * Adds an entry for each reference in a text to the timeline of the issue it names, and removes the entries of references that are gone. Entries keep
 * their date. An entry in another repository says that the text closes or reopens the issue only if its writer may do so now.
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
    const isAllowed = target.repo_id === issue.repo_id || placeToAct(tx, deed, issue.repo_id, target) !== undefined
    const ref_action = type === 'pull_ref' && isAllowed ? action : 'none'
    const known = before.find((one) => one.issue_id === target.id)
    if (!known) addEntry(tx, deed, target, type, { ref_issue_id: issue.id, ref_comment_id: commentId ?? null, ref_action })
    else {
      const poster_id = ref_action !== 'none' && target.repo_id !== issue.repo_id ? deed.doer.id : known.poster_id
      if (known.ref_action !== ref_action || known.poster_id !== poster_id) updateReference(tx, known.id, { ref_action, poster_id })
    }
  }
}

/** Closes or reopens an issue that a text refers to, if all accounts that the text acts for have the right. An issue that depends on open issues stays open. */
export function actOn(tx: Tx, deed: Deed, repoId: number, { target, action }: Reference, commitOid: string): void {
  const home = action === 'none' ? undefined : placeToAct(tx, deed, repoId, target)
  if (!home) return
  try {
    setState(tx, { ...deed, repo: home }, target, action === 'closes' ? 'closed' : 'open', commitOid)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

/** Closes or reopens issues of other repositories that a pull request's text refers to, if its last writer had the right when writing it and still has it. */
export function actElsewhere(tx: Tx, deed: Deed, issue: IssueRow, commitOid: string): void {
  for (const { issue_id, poster_id, ref_action } of listActing(tx, issue)) {
    const [target, writer] = [findIssueById(tx, issue_id), accessStore.findUserById(tx, poster_id)]
    if (!target || !writer || !maySignIn(writer)) continue
    const elsewhere = [{ ...anonymous, user: writer }]
    actOn(tx, { ...deed, doer: writer, elsewhere }, issue.repo_id, { target, action: ref_action }, commitOid)
  }
}

/** Returns the repository of an issue if all accounts that a text acts for may close the issue. @param repoId the repository of the text */
function placeToAct(db: Db, { doer, elsewhere = [] }: Deed, repoId: number, target: IssueRow): RepoAccess | undefined {
  const viewers = target.repo_id === repoId ? [{ ...anonymous, user: doer }] : elsewhere
  const homes = viewers.map((viewer) => {
    const home = accessTo(db, viewer, target.repo_id)
    return home && viewer.user && mayAct(home, viewer.user, target) ? home : undefined
  })
  return homes.includes(undefined) ? undefined : homes[0]
}

/** Returns the issues that a text in a repository refers to, each once, if `doer` may read them and, in other repositories, so may all accounts that the text acts for. */
export function referencesIn(db: Db, { context, doer, elsewhere }: Pick<Deed, 'context' | 'doer' | 'elsewhere'>, repoId: number, text: string): Reference[] {
  const references = new Map<number, Reference>()
  const known = new Map<string, IssueRow | undefined>()
  const targetOf = (one: IssueReference) =>
    known.getOrInsertComputed(`${one.repo?.toLowerCase() ?? ''}#${one.number}`, () => resolve(db, { ...anonymous, user: doer }, repoId, one))
  for (const one of findIssueReferences(text, context.rootUrl)) {
    const target = targetOf(one)
    if (!target || (target.repo_id !== repoId && !reachesAll(db, elsewhere, target))) continue
    const action = actionOf(context, one.lead)
    if (!references.has(target.id) || action !== 'none') references.set(target.id, { target, action })
  }
  return [...references.values()]
}

/** Returns whether all viewers can read an issue and their tokens can write issues in its repository. */
function reachesAll(db: Db, viewers: readonly Viewer[] = [], target: IssueRow): boolean {
  return (
    viewers.length > 0 &&
    viewers.every((viewer) => {
      const home = accessTo(db, viewer, target.repo_id)
      return holdsScope(viewer, ['issue'], 'write') && isNamedBy(viewer.grant, target.repo_id) && home !== undefined && mayRead(home, target)
    })
  )
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
