import { HEADS, TAGS } from '#git/refs/names.ts'
import { encodePath } from '#kernel/http.ts'
import { countText } from '#web/index.ts'
import type { Activity } from './schema.ts'

/** Words, or words that lead somewhere: an address below the server's root, without a slash before it. */
export type Part = string | { text: string; path: string }

/** An activity as a sentence after the name of who did it, and what it says more. */
export interface Told {
  sentence: readonly Part[]
  /** Where it is best looked at. */
  path: string
  /** Pushed commits, the newest first, or what was written. */
  lines: readonly Part[]
}

const onIssues: Partial<Record<Activity['op_type'], string>> = {
  create_issue: 'opened issue',
  comment_issue: 'commented on issue',
  close_issue: 'closed issue',
  reopen_issue: 'reopened issue',
  create_pull_request: 'opened pull request',
  comment_pull: 'commented on pull request',
  close_pull_request: 'closed pull request',
  reopen_pull_request: 'reopened pull request',
  merge_pull_request: 'merged pull request',
  auto_merge_pull_request: 'auto-merged pull request',
  approve_pull_request: 'approved pull request',
  reject_pull_request: 'requested changes on pull request',
  pull_review_dismissed: 'dismissed a review of pull request',
}

/** What was done, in words. What the reader may not know is left out of the record already. */
export function tell(activity: Activity): Told {
  const repo = repoPart(activity)
  const verb = onIssues[activity.op_type]
  if (verb !== undefined) return tellOfIssue(activity, verb)
  switch (activity.op_type) {
    case 'create_repo':
      return told(repo.path, 'created', repo)
    case 'rename_repo':
      return told(repo.path, `renamed ${activity.content} to`, repo)
    case 'transfer_repo':
      return told(repo.path, `transferred ${activity.content} to`, repo)
    case 'delete_branch':
    case 'delete_tag':
      return told(repo.path, `deleted ${refWords(activity)} from`, repo)
    case 'publish_release':
      return tellOfRelease(activity)
    default:
      return tellOfPush(activity)
  }
}

/** The sentence without its links. */
export function sentenceText({ act_user }: Activity, { sentence }: Told): string {
  return [act_user.login, ...sentence.map((part) => (typeof part === 'string' ? part : part.text))].join(' ')
}

function repoPart({ repo }: Activity): { text: string; path: string } {
  return { text: repo.full_name, path: encodePath(repo.full_name) }
}

function told(path: string, ...sentence: Part[]): Told {
  return { sentence, path, lines: [] }
}

function tellOfIssue(activity: Activity, verb: string): Told {
  const repo = repoPart(activity)
  const bar = activity.content.indexOf('|')
  if (bar < 0) return told(repo.path, verb.replace(/ (issue|pull)/, ' an $1').replace('an pull', 'a pull'), 'in', repo)
  const number = activity.content.slice(0, bar)
  const path = `${repo.path}/${/issue$/.test(activity.op_type) ? 'issues' : 'pulls'}/${number}`
  const text = activity.content.slice(bar + 1).trim()
  return { sentence: [verb, { text: `${repo.text}#${number}`, path }], path, lines: text === '' ? [] : [text] }
}

function tellOfRelease(activity: Activity): Told {
  const { ref_name: tag, content: title } = activity
  const repo = repoPart(activity)
  if (tag === '') return told(repo.path, 'published a release in', repo)
  const path = `${repo.path}/releases/tag/${encodePath(tag)}`
  return told(path, 'published release', { text: title || tag, path }, 'in', repo)
}

interface Pushed {
  Commits?: { Sha1: string; Message: string }[] | null
  CompareURL?: string
  Len?: number
}

function tellOfPush(activity: Activity): Told {
  const repo = repoPart(activity)
  if (activity.ref_name === '') return told(repo.path, 'pushed to', repo)
  const isTag = activity.ref_name.startsWith(TAGS)
  const name = activity.ref_name.slice(isTag ? TAGS.length : HEADS.length)
  const ref = { text: name, path: `${repo.path}/src/${isTag ? 'tag' : 'branch'}/${encodePath(name)}` }
  if (isTag) return told(ref.path, 'pushed tag', ref, 'to', repo)
  if (activity.content === '') return told(ref.path, 'created branch', ref, 'in', repo)
  const { Commits, CompareURL = '', Len = 0 } = JSON.parse(activity.content) as Pushed
  const count = Len === 0 ? 'pushed to' : `pushed ${countText(Len, 'commit')} to`
  const lines = (Commits ?? []).map(({ Sha1, Message }) => ({ text: Message.trim().split('\n', 1)[0] || Sha1, path: `${repo.path}/commit/${Sha1}` }))
  return { sentence: [count, ref, 'in', repo], path: CompareURL || ref.path, lines }
}

function refWords({ op_type, ref_name }: Activity): string {
  const kind = op_type === 'delete_tag' ? 'tag' : 'branch'
  return ref_name === '' ? `a ${kind}` : `${kind} ${ref_name.slice(kind === 'tag' ? TAGS.length : HEADS.length)}`
}
