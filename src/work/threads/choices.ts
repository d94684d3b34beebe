import { lineOf, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Answers, nothingAsked, type Questions } from '#kernel/database/questions.ts'
import type { Db } from '#kernel/db.ts'
import { candidateNamesQuestion } from '#repositories/collaborators/index.ts'
import type { LabelRow } from '#repositories/labels/index.ts'
import type { Visit } from '#web/index.ts'
import { findChoosableLabels, listUsableLabels, planQuestions, presentIssueLabel } from '#work/issues/index.ts'
import { findMilestone, listMilestones, type MilestoneRow } from '#work/milestones/index.ts'
import type { ThreadView } from './view.ts'

/** As many labels, milestones and people are there to choose from. */
export const MAX_CHOICES = 200

interface Choices {
  labels: LabelRow
  milestones: MilestoneRow
  people: { name: string }
}

/** What an issue can be planned with; nothing for who plans none. */
export function choiceQuestions({ db }: Pick<Context, 'db'>, { viewer }: Visit, repo: RepoAccess, mayPlan: boolean): Questions<Choices> {
  if (!mayPlan) return { labels: nothingAsked, milestones: nothingAsked, people: nothingAsked }
  return { ...planQuestions(repo.row.id, repo.owner.id, MAX_CHOICES), people: candidateNamesQuestion(db, viewer, repo, 'issues', MAX_CHOICES) }
}

export function choicesOf(visit: Visit, repo: RepoAccess, { labels, milestones, people }: Answers<Choices>): NonNullable<ThreadView['choices']> {
  const here = { rootUrl: visit.root }
  return { labels: labels.map((row) => presentIssueLabel(here, repo, row)), milestones, people: people.map(({ name }) => name) }
}

/** What an issue is planned as, by the ids of labels and milestone and the names of people. */
export interface Planned {
  labels: readonly number[]
  milestone: number | undefined
  assignees: readonly string[]
}

/**
 * The same for an issue that is still to be made, with what it is planned as already.
 * @param find what labels, milestones and people are to have in their names; empty: the first ones
 */
export async function listChoices(
  { db }: Pick<Context, 'db'>,
  visit: Visit,
  repo: RepoAccess,
  planned: Planned,
  find: string,
): Promise<NonNullable<ThreadView['choices']>> {
  const found = find === '' ? db.askTogether(choiceQuestions({ db }, visit, repo, true)) : await findChoices({ db }, visit, repo, find)
  return choicesOf(visit, repo, withPlanned(db, repo, found, planned))
}

async function findChoices({ db }: Pick<Context, 'db'>, { viewer }: Visit, repo: RepoAccess, find: string): Promise<Answers<Choices>> {
  const { row, owner } = repo
  const first = { page: 1, limit: MAX_CHOICES, offset: 0 }
  const named = candidateNamesQuestion(db, viewer, repo, 'issues', MAX_CHOICES, find)
  const { people } = await db.askAside({ people: named }, lineOf(viewer))
  const labels = findChoosableLabels(db, row.id, owner.id, find, first).rows
  const { rows: milestones } = await listMilestones(db, viewer, row.id, { isClosed: false, name: find }, first)
  return { labels, milestones, people }
}

/** What is not shown would be lost with the form. */
function withPlanned(db: Db, { row, owner }: RepoAccess, { labels, milestones, people }: Answers<Choices>, planned: Planned): Answers<Choices> {
  const lacking = planned.labels.filter((id) => !labels.some((one) => one.id === id))
  const milestone = planned.milestone && !milestones.some(({ id }) => id === planned.milestone) ? findMilestone(db, row.id, planned.milestone) : undefined
  const names = planned.assignees.filter((name) => !people.some((one) => one.name === name))
  return {
    labels: [...(lacking.length > 0 ? listUsableLabels(db, row.id, owner.id, lacking) : []), ...labels],
    milestones: [...(milestone ? [milestone] : []), ...milestones],
    people: [...names.map((name) => ({ name })), ...people],
  }
}

/** Whether there may be more to choose from. */
export function isCut({ labels, milestones, people }: NonNullable<ThreadView['choices']>): boolean {
  return [labels, milestones, people].some(({ length }) => length >= MAX_CHOICES)
}
