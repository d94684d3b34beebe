import { accessTo, atLeast, isWikiId, type Member, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { visible } from '#git/errors.ts'
import { SHA1 } from '#git/objects/oid.ts'
import type { PushReport } from '#git/protocol/receive-pack.ts'
import { HEADS } from '#git/refs/names.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Db } from '#kernel/db.ts'
import { encodePath } from '#kernel/http.ts'
import { repoUrl } from '#repositories/repos/index.ts'
import { findOpen } from '#work/pulls/index.ts'
import type { Landed, Push } from './land-push.ts'

/** Of a push of many branches nobody wants a pull request for each. */
const MOST_BRANCHES = 20
/** Commands looked at in one go. */
const SLICE = 1000

/** What a pusher reads in the terminal about pull requests of what was pushed, as Gitea words it; empty when there is nothing to say. */
export async function hintsOf(
  { context, viewer, repo: { id }, request }: Push,
  { results, proposals = [] }: Pick<PushReport, 'results'> & Partial<Landed>,
): Promise<string> {
  if (!context.config.git.PULL_REQUEST_PUSH_MESSAGE) return ''
  const told = proposals.map(({ isCreated, head, url }) => (isCreated ? invite(head, url) : visit(url)))
  const branches = await branchesIn(request, results)
  const repo = isWikiId(id) || branches.length === 0 ? undefined : accessTo(context.db, viewer, id)
  if (repo) told.push(...branches.flatMap((branch) => hintOf(context, viewer, repo, branch) ?? []))
  return told.join('')
}

/** What was pushed of branches; none where that is too many. The results are in the order of the commands. */
async function branchesIn({ commands }: Push['request'], results: PushReport['results']): Promise<string[]> {
  const branches: string[] = []
  for (const [i, { name, new: oid }] of commands.entries()) {
    if (i % SLICE === SLICE - 1 && isDue()) await breathe()
    if (oid === SHA1.zero || !name.startsWith(HEADS) || results[i]?.ok !== true) continue
    branches.push(name.slice(HEADS.length))
    if (branches.length > MOST_BRANCHES) return []
  }
  return branches
}

function hintOf(context: Pick<Context, 'db' | 'rootUrl'>, viewer: Member, repo: RepoAccess, branch: string): string | undefined {
  const base = repo.row.fork_of === null ? repo : findBase(context.db, viewer, repo.row.fork_of)
  if (!base || !atLeast(base.permission.of('pulls'), 'read')) return undefined
  const { default_branch: into, id } = base.row
  if (base === repo && branch === into) return undefined
  const pull = findOpen(context.db, { repo_id: id, base_branch: into, head_repo_id: repo.row.id, head_branch: branch, flow: 0 })
  const address = repoUrl(context, base.owner, base.row)
  if (pull) return visit(`${address}/pulls/${pull.number}`)
  const head = base === repo ? branch : `${repo.owner.name}:${branch}`
  return invite(head, `${address}/compare/${encodePath(into)}...${encodePath(head)}`)
}

/** What was forked, as far as the pusher may see it. */
function findBase(db: Db, viewer: Member, id: number): RepoAccess | undefined {
  const base = accessTo(db, viewer, id)
  return base && atLeast(base.permission.of('code'), 'read') ? base : undefined
}

const invite = (head: string, url: string) => `\nCreate a new pull request for '${visible(head)}':\n  ${url}\n\n`
const visit = (url: string) => `\nVisit the existing pull request:\n  ${url}\n\n`
