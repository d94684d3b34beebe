export { accessTo, refuseArchived } from '#access/index.ts'
export { addLabels, clearLabels, removeLabel, replaceLabels } from './change-labels.ts'
export { setState } from './change-state.ts'
export { trimTitle } from './change-text.ts'
export { createIssue, open, plan } from './create-issue.ts'
export { dateOf } from './dates.ts'
export { addEntry, announce, announceComment, change, type Deed } from './deed.ts'
export { deleteIssue } from './delete-issue.ts'
export { depend, findOther, type Placed } from './depend.ts'
export { type DependencyRow, dependenciesQuestion } from './dependency-store.ts'
export { asDraft, asReady, isDraft } from './drafts.ts'
export { editIssue } from './edit-issue.ts'
export { type CommentRow, type EntryType, findEntry, hasHistory, insertHistory } from './entry-store.ts'
export type { CommentEvent, IssueEvent } from './events.ts'
export { type Asked, findReadable, getIssue, getPull } from './find-issue.ts'
export { countInRepo, findEverywhere, findInRepo, findWaiting } from './find-issues.ts'
export { findChoosableLabels, listLabelsNamed, listLabelsOf, listUsableLabels } from './label-store.ts'
export { actElsewhere, actOn, linkFrom, type Reference, referencesIn } from './link-references.ts'
export { canRead, noteMentions } from './mentions.ts'
export { isFollowing } from './moved-store.ts'
export { listAuthors } from './people-store.ts'
export { pinIssue, unpinIssue } from './pin-issues.ts'
export { listPinned } from './pin-store.ts'
export { assign, setLock, unassign } from './plan-issue.ts'
export { planQuestions } from './plan-store.ts'
export { presentAnywhere, reposOf } from './present-anywhere.ts'
export { MAX_QUERY_LENGTH, parseQuery, type QueryNode, qualifiers, quotedWhereNeeded } from './query-syntax.ts'
export { type IssueSearch, readSearch, type SearchNote, sortNamed } from './read-search.ts'
export { issues } from './routes.ts'
export { isPoster, isRepoAdmin, isWriter, mayAct, mayRead, refuseLocked, requirePosterOrWriter, requireWriter } from './rules.ts'
export {
  CommentText,
  CreateIssueOption,
  EditIssueOption,
  Issue,
  IssueParams,
  type IssuesQuery,
  type SearchQuery,
  Text,
  TimeQuery,
  UpdatedAt,
  WatchInfo,
} from './schema.ts'
export { countUnindexed, indexComment, rebuildIndex } from './search-index-store.ts'
export { findIssue, findIssueById, type IssueRow, isAssigned, listAssigneeIds, listIssuesById } from './store.ts'
export { isSubscribed, putSubscription, subscriptionQuestion } from './subscription-store.ts'
export {
  type Facts,
  gatherFacts,
  grouped,
  issueApiUrl,
  issueHtmlUrl,
  peopleOf,
  presentIssue,
  presentIssueLabel,
  presentIssues,
  type RepoPlace,
  type ViewContext,
} from './view.ts'
