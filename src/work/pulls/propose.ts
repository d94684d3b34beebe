import { actingAlone, type Member, type RepoAccess, refuseArchived, refuseBlocked } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { writeActing } from '#kernel/acting.ts'
import type { Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import type { MoveRefs } from '#repositories/refs/index.ts'
import { repoUrl } from '#repositories/repos/index.ts'
import { findIssueById, open } from '#work/issues/index.ts'
import { askCodeOwners } from '#work/reviews/index.ts'
import { addFirstPush, keepHead } from './create-pull.ts'
import { moveHead } from './follow-refs.ts'
import { hidingOf } from './hiding.ts'
import { mayPropose, type Proposal, parseProposal } from './proposal.ts'
import { headRef } from './refs.ts'
import { findOpenById, insertPull } from './store.ts'

/** A commit that is pushed to `refs/for/`, whose objects are there. */
export interface Proposed {
  viewer: Member
  repo: RepoAccess
  ref: string
  oid: Oid
  options: readonly string[]
  /** The commit's message; undefined for what is no commit. */
  message: string | undefined
  /** The head that the commit was found to contain, if it was looked for. */
  contains: Oid | undefined
}

export interface ProposalResult {
  /** The ref as it was pushed. */
  name: string
  ok: true
  issueId: number
  /** The ref that moved. */
  ref: string
  before: Oid
  after: Oid
  isForced: boolean
  isCreated: boolean
  /** What stands for its branch. */
  head: string
  /** Of its page. */
  url: string
}

/** What a pull request that was proposed has yet to be done for, once its objects are there. */
export async function welcome(context: Context, { isCreated, issueId }: ProposalResult): Promise<void> {
  if (isCreated) await askCodeOwners(context, issueId)
}

/** Makes or updates the pull request that a push to `refs/for/` asks for, in the transaction of the push. @returns why it cannot be, as text */
export function propose(context: Context, tx: Tx, proposed: Proposed, move: MoveRefs): ProposalResult | string {
  const refusal = refusalOf(tx, proposed)
  if (refusal !== undefined) return refusal
  const proposal = parseProposal(tx, proposed.repo, proposed.viewer.user, proposed.ref, proposed.options)
  if (typeof proposal === 'string') return proposal
  return proposal.pull ? update(context, tx, proposed, proposal, move) : create(context, tx, proposed, proposal, move)
}

/** @throws only what nobody expects */
function refusalOf(tx: Tx, { viewer, repo, oid, message }: Proposed): string | undefined {
  if (oid === SHA1.zero) return "Can't delete not exist branch"
  if (!mayPropose(repo)) return 'User permission denied for writing.'
  if (message === undefined) return 'only commits can be pushed to refs/for/'
  try {
    refuseArchived(repo)
    refuseBlocked(tx, repo.owner.id, viewer.user.id)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

function create(context: Context, tx: Tx, proposed: Proposed, { base, head, ...asked }: Proposal, move: MoveRefs): ProposalResult {
  const { viewer, repo, oid, message = '' } = proposed
  const [first = '', ...rest] = message.trim().split('\n')
  const title = asked.title || first.trim() || head
  const body = asked.description || rest.join('\n').trim() || title
  const deed = { context, doer: viewer.user, repo, at: context.clock.seconds(), elsewhere: [viewer] }
  const issue = open(tx, deed, { title, body, ref: '', is_pull: 1 })
  const acting = writeActing(actingAlone(viewer))
  const ends = { repo_id: repo.row.id, base_branch: base, head_repo_id: repo.row.id, head_branch: head, head_oid: oid, acting }
  insertPull(tx, { issue_id: issue.id, ...ends, flow: 1, head_hiding: hidingOf(tx, repo.row), allow_maintainer_edit: 0, edits_allowed_by: null })
  keepHead(move, viewer.user.id, issue, oid)
  addFirstPush(tx, deed, issue, oid)
  const { number } = findIssueById(tx, issue.id) ?? issue
  return resultOf(context, proposed, head, { number, issueId: issue.id, before: SHA1.zero, isForced: false, isCreated: true })
}

function update(context: Context, tx: Tx, proposed: Proposed, { head, isForced, pull: seen }: Proposal, move: MoveRefs): ProposalResult | string {
  const { viewer, oid, contains } = proposed
  const pull = seen && findOpenById(tx, seen.issue_id)
  if (!pull) return 'the pull request was closed during the push'
  const before = pull.head_oid
  if (before === oid) return 'new commit is same with old commit'
  const forced = contains !== before
  if (forced && !isForced) return 'the commits were rewritten: request `force-push` push option'
  const updates = moveHead(tx, { context, actorId: viewer.user.id, acting: actingAlone(viewer), at: context.clock.seconds() }, pull, {
    before,
    after: oid,
    forced,
  })
  move({ actorId: viewer.user.id, message: 'push to a pull request', updates, isOwn: true })
  return resultOf(context, proposed, head, { number: pull.number, issueId: pull.issue_id, before, isForced: forced, isCreated: false })
}

function resultOf(
  context: Pick<Context, 'rootUrl'>,
  { repo, ref: name, oid: after }: Proposed,
  head: string,
  { number, ...rest }: { number: number; issueId: number; before: Oid; isForced: boolean; isCreated: boolean },
): ProposalResult {
  const url = `${repoUrl(context, repo.owner, repo.row)}/pulls/${number}`
  return { name, ok: true, ref: headRef(number), after, head, url, ...rest }
}
