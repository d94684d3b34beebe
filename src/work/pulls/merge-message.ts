import type { UserRow } from '#access/index.ts'
import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { CommitText } from '#git/merge/made-commit.ts'
import { encodeIdent, type Ident } from '#git/objects/ident.ts'
import type { Oid } from '#git/objects/oid.ts'
import { gitIdentity } from '#people/users/index.ts'
import type { Candidate } from './merge-rules.ts'
import type { MergeTerms } from './merge-schema.ts'
import { draftMessage } from './message-template.ts'

/**
 * What the commit of a merge says, and whose it is: of a squash its author's, with who merges as committer. Of a template in the repository
 * only the first line counts here, as in Gitea.
 */
export async function textOf(context: Context, doer: UserRow, candidate: Candidate, { style, title, message }: MergeTerms): Promise<CommitText> {
  const committer = gitIdentity(context, doer)
  const author = style === 'squash' ? authorOf(context, candidate, committer) : committer
  const first = title ?? ((await draftMessage(context, doer, candidate, style))?.title || defaultTitle(context, candidate, style))
  const text = [first, message].filter((part) => part !== undefined).join('\n\n')
  return { author, committer, message: author === committer ? text : `${text.trimEnd()}\n\n${trailers(committer)}` }
}

/** What the last commit of a rebase is to say, where the repository has a template for that, as in Gitea; undefined: what it said. */
export async function amendmentOf(context: Context, doer: UserRow, candidate: Candidate): Promise<string | undefined> {
  const { repo_id: repoId, head_oid: head } = candidate.pull
  const message = await context.git.look('message', repoId, { oid: head })
  const titleEnd = `${message}\n`.indexOf('\n')
  const said = { CommitTitle: message.slice(0, titleEnd).trim(), CommitBody: message.slice(titleEnd).trim() }
  const draft = await draftMessage(context, doer, candidate, 'rebase', said)
  if (!draft?.title) return undefined
  return draft.body === '' ? draft.title : `${draft.title}\n\n${draft.body}`
}

/** Styles that make a commit of their own, whose message can be given. */
const worded: readonly MergeTerms['style'][] = ['merge', 'rebase-merge', 'squash']

/** What the commits of these styles say first, unless somebody says otherwise. @param tip of the default branch, where templates are */
export async function proposedTitles(
  context: Context,
  doer: UserRow,
  candidate: Candidate,
  styles: readonly MergeTerms['style'][],
  tip: Oid | undefined,
): Promise<Partial<Record<MergeTerms['style'], string>>> {
  const titles: Partial<Record<MergeTerms['style'], string>> = {}
  for (const style of styles.filter((one) => worded.includes(one)))
    titles[style] = (await draftMessage(context, doer, candidate, style, {}, tip))?.title || defaultTitle(context, candidate, style)
  return titles
}

function defaultTitle(context: Pick<Context, 'db'>, { issue, pull, repo }: Candidate, style: MergeTerms['style']): string {
  if (style === 'squash') return `${issue.title} (#${issue.number})`
  return `Merge pull request '${issue.title}' (#${issue.number}) from ${headName(context, pull, repo)} into ${pull.base_branch}`
}

function headName({ db }: Pick<Context, 'db'>, { head_repo_id, head_branch }: Candidate['pull'], { row }: Candidate['repo']): string {
  if (head_repo_id === row.id) return head_branch
  const fork = head_repo_id === null ? undefined : accessStore.findRepoById(db, head_repo_id)
  const owner = fork && accessStore.findUserById(db, fork.owner_id)
  return fork && owner ? `${owner.name}/${fork.name}:${head_branch}` : `<deleted>:${head_branch}`
}

function authorOf(context: Pick<Context, 'db' | 'clock' | 'rootUrl'>, { issue }: Candidate, committer: Ident): Ident {
  const poster = issue.poster_id === null ? undefined : accessStore.findUserById(context.db, issue.poster_id)
  const author = poster && gitIdentity(context, poster)
  return author && author.email !== committer.email ? author : committer
}

/** Gitea's `repository.pull-request.ADD_CO_COMMITTER_TRAILERS`. */
function trailers(committer: Ident): string {
  const name = encodeIdent(committer).replace(/>.*$/, '>')
  return `Co-authored-by: ${name}\nCo-committed-by: ${name}`
}
