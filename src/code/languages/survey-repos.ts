import { accessStore, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import { GitError, isLoss } from '#git/errors.ts'
import type { Oid } from '#git/objects/oid.ts'
import { branchRef } from '#git/refs/names.ts'
import type { Survey } from '#git/survey/survey-tree.ts'
import { Stopping } from '#git/workers/pool.ts'
import type { EarlierSurvey } from '#git/workers/survey-tasks.ts'
import type { Concerns } from '#kernel/events.ts'
import { findRef } from '#repositories/refs/index.ts'
import { version } from '#version.ts'
import { findSurveyed, forgetDue, listDue, type Surveyed, setSurvey } from './store.ts'

const NAME = 'languages'
/** So many are asked for at a time. */
const BATCH = 50
/** A burst of pushes is looked at once. */
const DELAY_MS = 1000
const RETRY_SECONDS = 60

/** Events after which a default branch may have other files: it moves, or another branch takes its place. */
const concerns: Concerns<ForgeEvent> = {
  repository: true,
  push: true,
  status: false,
  release: false,
  wiki: false,
  hook_test: false,
  issue: false,
  issue_comment: false,
  pull_review: false,
}

/** Looks at what default branches hold in the background, once they have moved; what an earlier run left undone first. */
export function startSurveys(context: Context): void {
  const { tasks } = context
  let isWoken = false
  tasks.every(RETRY_SECONDS, NAME, () => surveyRepos(context))
  const wake = () => {
    if (isWoken) return
    isWoken = true
    tasks.later(DELAY_MS, NAME, () => {
      isWoken = false
      tasks.runTask(NAME)
    })
  }
  context.events.onRecord(concerns, wake)
  wake()
}

/** One repository after another. What a crash or the end of the server interrupts is still due. */
export async function surveyRepos(context: Context): Promise<void> {
  try {
    await surveyDue(context)
  } catch (error) {
    if (!(error instanceof Stopping)) throw error
  }
}

async function surveyDue(context: Context): Promise<void> {
  for (let due = listDue(context.db, BATCH); due.length > 0; due = listDue(context.db, BATCH)) {
    for (const id of due) {
      if (context.tasks.isStopping) return
      await surveyRepo(context, id)
    }
  }
}

async function surveyRepo(context: Pick<Context, 'db' | 'git' | 'log'>, repoId: number): Promise<void> {
  const oid = tipOf(context, repoId)
  const last = findSurveyed(context.db, repoId)
  const found = oid === last?.oid ? undefined : await survey(context, repoId, oid, last && earlierOf(last))
  context.db.provisional((tx) => {
    if (found) setSurvey(tx, repoId, { ...found, oid, countedBy: found.isWhole ? version : '' })
    // It may have moved meanwhile.
    if (tipOf(context, repoId) === oid) forgetDue(tx, repoId)
  })
}

/** The commit that the default branch ends at; empty: there is none. */
function tipOf({ db }: Pick<Context, 'db'>, repoId: number): string {
  const repo: RepoRow | undefined = accessStore.findRepoById(db, repoId)
  return (repo && findRef(db, repoId, branchRef(repo.default_branch))?.oid) ?? ''
}

/** What can be gone on from: it was found by the same rules. */
function earlierOf({ oid, languages, licenses, countedBy }: Surveyed): EarlierSurvey | undefined {
  return countedBy === version ? { commit: oid as Oid, languages, licenses } : undefined
}

/** What is damaged, gone or beyond measure has nothing to tell: it is not tried again until it changes. */
async function survey(context: Pick<Context, 'db' | 'git' | 'log'>, repoId: number, oid: string, earlier: EarlierSurvey | undefined): Promise<Survey> {
  const nothing: Survey = { languages: [], licenses: [], isWhole: false }
  if (oid === '') return nothing
  try {
    return await context.git.run('surveyCommit', repoId, { commit: oid as Oid, earlier })
  } catch (error) {
    if (error instanceof Stopping) throw error
    const isBeyondMeasure = error instanceof GitError && !isLoss(error)
    if (!isBeyondMeasure && accessStore.findRepoById(context.db, repoId)) context.log.error('language statistics failed', error, { repo: repoId })
    return nothing
  }
}
