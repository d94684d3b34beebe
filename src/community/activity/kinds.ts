import { type ActivityRow, opTypes } from './store.ts'

type OpType = ActivityRow['op_type']

/** What a feed can be narrowed down to, in the order in which it is offered. */
export const feedKinds = ['pushes', 'issues', 'pulls', 'releases', 'repositories'] as const
export type FeedKind = (typeof feedKinds)[number]

/** A kind of things that happen belongs to one of them, or does not compile. */
const kindOf: Record<OpType, FeedKind> = {
  create_repo: 'repositories',
  rename_repo: 'repositories',
  transfer_repo: 'repositories',
  commit_repo: 'pushes',
  push_tag: 'pushes',
  delete_tag: 'pushes',
  delete_branch: 'pushes',
  create_issue: 'issues',
  comment_issue: 'issues',
  close_issue: 'issues',
  reopen_issue: 'issues',
  create_pull_request: 'pulls',
  comment_pull: 'pulls',
  close_pull_request: 'pulls',
  reopen_pull_request: 'pulls',
  merge_pull_request: 'pulls',
  auto_merge_pull_request: 'pulls',
  approve_pull_request: 'pulls',
  reject_pull_request: 'pulls',
  pull_review_dismissed: 'pulls',
  publish_release: 'releases',
}

export function findFeedKind(text: string | undefined): FeedKind | undefined {
  return feedKinds.find((kind) => kind === text)
}

export function opTypesOf(kind: FeedKind): OpType[] {
  return opTypes.filter((type) => kindOf[type] === kind)
}
