import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { countTopics, insertTopic, keepTopics, listTopics, removeTopic } from './store.ts'

/** As many as a repository can have. */
export const MAX_TOPICS = 25
const isTopic = /^[a-z0-9][-.a-z0-9]{0,34}$/

type TopicContext = Pick<Context, 'db'>

/** Topics are compared in this form. */
export function normalizeTopic(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * Gives the repository these topics and no others; blanks and repetitions do not count.
 * @throws Unprocessable with `invalidTopics`: null when there are too many, else those that are none
 */
export function replaceTopics({ db }: TopicContext, repoId: number, asked: readonly string[]): void {
  const names = [...new Set(asked.map(normalizeTopic))].filter((name) => name !== '')
  if (names.length > MAX_TOPICS) throw new Unprocessable('Exceeding maximum number of topics per repo', { extra: { invalidTopics: null } })
  const invalidTopics = names.filter((name) => !isTopic.test(name))
  if (invalidTopics.length > 0) throw new Unprocessable('Topic names are invalid', { extra: { invalidTopics } })
  db.tx((tx) => {
    keepTopics(tx, repoId, names)
    for (const name of names) insertTopic(tx, repoId, name)
  })
}

/** @throws Unprocessable when it is no topic, and when the repository has as many as it may */
export function addTopic({ db }: TopicContext, repoId: number, asked: string): void {
  const name = getTopicName(asked)
  db.tx((tx) => {
    if (listTopics(tx, repoId, { limit: MAX_TOPICS, offset: 0 }).includes(name)) return
    if (countTopics(tx, repoId) >= MAX_TOPICS) throw new Unprocessable('Exceeding maximum allowed topics per repo.', { extra: { invalidTopics: null } })
    insertTopic(tx, repoId, name)
  })
}

/** @throws Unprocessable when it is no topic; NotFound when the repository does not have it */
export function deleteTopic({ db }: TopicContext, repoId: number, asked: string): void {
  const name = getTopicName(asked)
  db.tx((tx) => {
    if (!removeTopic(tx, repoId, name)) throw new NotFound()
  })
}

function getTopicName(asked: string): string {
  const name = normalizeTopic(asked)
  if (!isTopic.test(name)) throw new Unprocessable('Topic name is invalid', { extra: { invalidTopics: name.slice(0, 100) } })
  return name
}
