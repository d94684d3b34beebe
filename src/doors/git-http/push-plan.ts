import type { Member, RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { RefCommand, UpdateRequest } from '#git/protocol/update-request.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { mayPush } from '#repositories/refs/index.ts'
import { FOR, mayPropose, parseProposal } from '#work/pulls/index.ts'
import { BranchMoves, tipsOf } from './branch-moves.ts'

/** What a push asks for, sorted by what becomes of it. */
export interface PushPlan {
  /** Refs that are to move as they are named. */
  moves: RefCommand[]
  /** Commits that are to become pull requests, or further ones of them, and what those have now. */
  proposals: { command: RefCommand; head: Oid | undefined }[]
  /** Of those, where branches move. */
  branches: BranchMoves
  /** All that is to be there, each once. */
  tips: Oid[]
  /** Why not, by name: known before any object has come. */
  refused: ReadonlyMap<string, string>
}

export const DENIED = 'User permission denied for writing.'

/** Whoever may read can push these: each takes its time in the transaction, in which nobody else is answered. */
const MOST_PROPOSALS = 10

/** Judges by what holds before the pack is taken in, so that it need not be for what nobody would let pass. It all is judged again at the end. */
export async function planPush(
  context: Pick<Context, 'db' | 'services'>,
  viewer: Member,
  repo: RepoAccess,
  { commands, options }: UpdateRequest,
): Promise<PushPlan> {
  const plan = { moves: [] as RefCommand[], proposals: [] as PushPlan['proposals'], refused: new Map<string, string>() }
  let proposed = 0
  for (const command of commands) {
    if (isDue()) await breathe()
    if (!command.name.startsWith(FOR)) {
      if (mayPush(context, context.db, viewer, repo, command)) plan.moves.push(command)
      else plan.refused.set(command.name, DENIED)
      continue
    }
    const refusal = proposed++ < MOST_PROPOSALS ? undefined : `a push can create or update at most ${MOST_PROPOSALS} pull requests`
    const proposal = mayPropose(repo) ? (refusal ?? parseProposal(context.db, repo, viewer.user, command.name, options)) : DENIED
    if (typeof proposal === 'string') plan.refused.set(command.name, proposal)
    else plan.proposals.push({ command, head: proposal.pull?.head_oid })
  }
  const { moves, proposals } = plan
  return { ...plan, branches: await BranchMoves.of(moves), tips: await tipsOf(moves, proposals) }
}
