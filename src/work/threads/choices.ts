import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Answers, nothingAsked, type Questions } from '#kernel/questions.ts'
import { candidateNamesQuestion } from '#repositories/collaborators/index.ts'
import type { LabelRow } from '#repositories/labels/index.ts'
import type { Visit } from '#web/index.ts'
import { planQuestions, presentIssueLabel } from '#work/issues/index.ts'
import type { MilestoneRow } from '#work/milestones/index.ts'
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

/** The same for an issue that is still to be made. */
export function listChoices({ db }: Pick<Context, 'db'>, visit: Visit, repo: RepoAccess): NonNullable<ThreadView['choices']> {
  return choicesOf(visit, repo, db.askTogether(choiceQuestions({ db }, visit, repo, true)))
}
