import { anonymous, isSiteAdmin, type RepoAccess, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { BadRequest, Conflict, Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { secondsOf } from '#kernel/schema.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { accessTo, addEntry, type Deed, findIssueById, type IssueRow, isAssigned, isRepoAdmin, isWriter } from '#work/issues/index.ts'
import { getWorker } from './list-times.ts'
import { takeBack } from './reset-times.ts'
import type { AddTimeOption } from './schema.ts'
import { deleteStopwatch, deleteTime, findStopwatch, findTime, insertStopwatch, insertTime, type StopwatchRow, type TimeRow } from './store.ts'

/** An issue that time is spent on, and who asks. */
export interface Spot {
  viewer: Viewer
  repo: RepoAccess
  issue: IssueRow
}

export function isTracking({ config }: Pick<Context, 'config'>, { row }: RepoAccess): boolean {
  return config.service.ENABLE_TIMETRACKING && settingsOf(row).internal_tracker.enable_time_tracker
}

/** @throws BadRequest where time is not tracked */
export function requireTracking(context: Pick<Context, 'config'>, repo: RepoAccess): void {
  if (!isTracking(context, repo)) throw new BadRequest('time tracking disabled')
}

/** Writers, and others where the repository lets them; those who are assigned to the issue may as well. */
export function mayTrackUnassigned({ repo, issue }: { repo: RepoAccess; issue: Pick<IssueRow, 'is_pull'> }): boolean {
  return !settingsOf(repo.row).internal_tracker.allow_only_contributors_to_track_time || isWriter(repo, issue)
}

/** @throws Unauthorized, Forbidden */
function requireTracker(db: Db, { viewer, repo, issue }: Spot): UserRow {
  const { user } = requireUser(viewer)
  if (!mayTrackUnassigned({ repo, issue }) && !isAssigned(db, issue.id, user.id))
    throw new Forbidden('Only contributors and assignees can track time on this issue.')
  return user
}

/** @throws BadRequest where time is not tracked; Forbidden for who may not; NotFound for a person who is not there */
export function addTime(context: Context, spot: Spot, asked: AddTimeOption): TimeRow {
  requireTracking(context, spot.repo)
  const doer = requireTracker(context.db, spot)
  if (asked.time === 0) throw new Unprocessable('[time]: the time must not be 0')
  return context.db.tx((tx) => {
    const worker = workerOf(tx, spot, doer, asked.user_name)
    const at = secondsOf(asked.created) ?? context.clock.seconds()
    const id = insertTime(tx, { issue_id: spot.issue.id, user_id: worker.id, seconds: asked.time, created_at: at })
    const deed = { context, doer, repo: spot.repo, at: context.clock.seconds() }
    addEntry(tx, deed, spot.issue, 'add_time_manual', { body: `|${asked.time}`, time_id: id })
    return findTime(tx, spot.issue.id, id) as TimeRow
  })
}

function workerOf(db: Db, { viewer, repo }: Spot, doer: UserRow, name: string | undefined): UserRow {
  return name && (isRepoAdmin(repo) || isSiteAdmin(viewer)) ? getWorker(db, viewer, repo, name) : doer
}

/** Takes back all that the viewer tracked. @throws NotFound when that is nothing */
export function resetTime(context: Context, spot: Spot): void {
  requireTracking(context, spot.repo)
  const doer = requireTracker(context.db, spot)
  context.db.tx((tx) => {
    const seconds = takeBack(context, tx, spot.issue.id, doer.id)
    if (seconds === undefined) throw new NotFound()
    addEntry(tx, deedOf(context, spot.repo, doer), spot.issue, 'delete_time_manual', { body: `|${seconds}` })
  })
}

/** @throws NotFound; Forbidden for somebody else's, unless the viewer administers the site */
export function removeTime(context: Context, spot: Spot, id: string): void {
  requireTracking(context, spot.repo)
  const { user: doer } = requireUser(spot.viewer)
  context.db.tx((tx) => {
    const time = findTime(tx, spot.issue.id, rowIdIn(id))
    if (!time) throw new NotFound()
    if (time.user_id !== doer.id && !isSiteAdmin(spot.viewer)) throw new Forbidden('You can only delete your own time entries.')
    deleteTime(tx, time.id)
    addEntry(tx, deedOf(context, spot.repo, doer), spot.issue, 'delete_time_manual', { body: `|${time.seconds}` })
  })
}

/** Another watch that is running is stopped, its time kept. @throws Conflict when this one runs already */
export function startWatch(context: Context, spot: Spot): void {
  const doer = requireWatchable(context, spot)
  context.db.tx((tx) => {
    const running = findStopwatch(tx, doer.id)
    if (running?.issue_id === spot.issue.id) throw new Conflict('cannot start a stopwatch again if it already exists')
    if (running) book(tx, context, doer, running)
    insertStopwatch(tx, { user_id: doer.id, issue_id: spot.issue.id, started_at: context.clock.seconds() })
    addEntry(tx, deedOf(context, spot.repo, doer), spot.issue, 'start_tracking')
  })
}

/** @throws Conflict when none is running */
export function stopWatch(context: Context, spot: Spot): void {
  const doer = requireWatchable(context, spot)
  context.db.tx((tx) => book(tx, context, doer, getRunning(tx, doer, spot.issue, 'cannot stop a non-existent stopwatch')))
}

/** Stops without keeping the time. @throws Conflict when none is running */
export function cancelWatch(context: Context, spot: Spot): void {
  const doer = requireWatchable(context, spot)
  context.db.tx((tx) => {
    getRunning(tx, doer, spot.issue, 'cannot cancel a non-existent stopwatch')
    deleteStopwatch(tx, doer.id)
    addEntry(tx, deedOf(context, spot.repo, doer), spot.issue, 'cancel_tracking')
  })
}

function requireWatchable(context: Pick<Context, 'config' | 'db'>, spot: Spot): UserRow {
  const doer = requireTracker(context.db, spot)
  if (!isTracking(context, spot.repo)) throw new Forbidden('Time tracking is disabled in this repository.')
  return doer
}

function getRunning(db: Db, doer: UserRow, issue: IssueRow, message: string): StopwatchRow {
  const running = findStopwatch(db, doer.id)
  if (running?.issue_id !== issue.id) throw new Conflict(message)
  return running
}

/** Ends a watch; the issue it ran for may be anywhere. */
function book(tx: Tx, context: Context, doer: UserRow, { issue_id: issueId, started_at }: StopwatchRow): void {
  deleteStopwatch(tx, doer.id)
  const issue = findIssueById(tx, issueId)
  const repo = issue && accessTo(tx, { ...anonymous, user: doer }, issue.repo_id)
  if (!issue || !repo) return
  const deed = deedOf(context, repo, doer)
  const seconds = Math.max(1, deed.at - started_at)
  const id = insertTime(tx, { issue_id: issueId, user_id: doer.id, seconds, created_at: deed.at })
  addEntry(tx, deed, issue, 'stop_tracking', { body: `|${seconds}`, time_id: id })
}

function deedOf(context: Context, repo: RepoAccess, doer: UserRow): Deed {
  return { context, doer, repo, at: context.clock.seconds() }
}
