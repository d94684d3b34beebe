import { recheckAccount, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { FileDiff } from '#git/diff/diff-files.ts'
import { GitError } from '#git/errors.ts'
import { isOid } from '#git/objects/oid.ts'
import type { FileSides } from '#git/workers/version-tasks.ts'
import { Conflict, NotFound } from '#kernel/errors.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { deleteViewed, listViewed, putViewed, type ViewedFile } from './viewed-store.ts'

/** Whether somebody has looked at a file: `changed` since they did. */
export type Viewing = 'viewed' | 'changed' | 'new'

/** Marks that are kept of one person on one pull request. */
const MOST_MARKS = 3000

/** What a file's sides are told by in forms: a mode and an id each, empty where there is none. */
export function sidesOf({ old, new: now }: Pick<FileDiff, 'old' | 'new'>): Pick<ViewedFile, 'old_side' | 'new_side'> {
  const textOf = (side: FileDiff['old']) => (side ? `${side.mode.toString(8)} ${side.oid}` : '')
  return { old_side: textOf(old), new_side: textOf(now) }
}

/**
 * Notes that the viewer has looked at a file as it is now, or has not.
 * @param files what the pull request changes now
 * @throws NotFound when it changes no such file; Conflict when that has changed since the viewer was shown it
 */
export function markViewed(
  context: Pick<Context, 'db'>,
  viewer: Viewer,
  issue: IssueRow,
  files: readonly FileDiff[],
  seen: ViewedFile & { isViewed: boolean },
): void {
  const { user } = requireUser(viewer)
  const file = files.find(({ path }) => path === seen.path)
  if (!file) throw new NotFound(`This pull request does not change the file "${seen.path.slice(0, 200)}".`)
  const sides = sidesOf(file)
  const isAsSeen = sides.old_side === seen.old_side && sides.new_side === seen.new_side
  if (seen.isViewed && !isAsSeen) throw new Conflict('This file changed after you loaded the page. Review it again.')
  context.db.tx((tx) => {
    recheckAccount(tx, user)
    if (seen.isViewed) putViewed(tx, issue.id, user.id, { path: file.path, ...sides }, MOST_MARKS)
    else deleteViewed(tx, issue.id, user.id, file.path)
  })
}

class KnownSame extends KeptWork<boolean[]> {
  constructor() {
    super(20_000, (answers) => answers.length)
  }
}

/** Which of these files somebody has looked at. A file of which a rebase changed other lines than the pull request does counts as looked at. */
export async function viewingOf(
  context: Pick<Context, 'db' | 'git' | 'services'>,
  issue: IssueRow,
  userId: number,
  files: readonly FileDiff[],
): Promise<Map<string, Viewing>> {
  const marks = new Map(listViewed(context.db, issue.id, userId).map((mark) => [mark.path, mark]))
  const found = new Map<string, Viewing>()
  const moved: { path: string; pair: [FileSides, FileSides] }[] = []
  for (const file of files) {
    const mark = marks.get(file.path)
    const now = sidesOf(file)
    const isSame = mark?.old_side === now.old_side && mark.new_side === now.new_side
    found.set(file.path, mark === undefined ? 'new' : isSame ? 'viewed' : 'changed')
    if (mark && !isSame) moved.push({ path: file.path, pair: [sidesIn(mark), { old: file.old, new: file.new }] })
  }
  const same = await areSame(
    context,
    issue.repo_id,
    moved.map(({ pair }) => pair),
  )
  for (const [i, { path }] of moved.entries()) if (same[i]) found.set(path, 'viewed')
  return found
}

async function areSame(context: Pick<Context, 'git' | 'services'>, repoId: number, pairs: [FileSides, FileSides][]): Promise<boolean[]> {
  if (pairs.length === 0) return []
  try {
    return await context.services.get(KnownSame).answer(JSON.stringify([repoId, pairs]), () => context.git.run('areSameChanges', repoId, { pairs }))
  } catch (error) {
    if (error instanceof GitError) return []
    throw error
  }
}

function sidesIn({ old_side, new_side }: ViewedFile): FileSides {
  return { old: sideIn(old_side), new: sideIn(new_side) }
}

function sideIn(text: string): FileSides['old'] {
  const [mode = '', oid = ''] = text.split(' ')
  return isOid(oid) ? { mode: Number.parseInt(mode, 8), oid } : undefined
}
