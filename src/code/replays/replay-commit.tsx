import type { Member, RepoAccess } from '#access/index.ts'
import { getCommitRevision } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Ident } from '#git/objects/ident.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { NotFound, type Problem } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { listBranches } from '#repositories/refs/index.ts'
import { answerPage, mendable, RepoFrame, SubmitButton, seeOther, TextArea, TextField, Trouble, type Visit } from '#web/index.ts'
import { replay } from './replay.ts'

type Verb = 'revert' | 'cherry-pick'

/** Who takes which commit back or over. */
interface Asked {
  member: Member
  visit: Visit
  repo: RepoAccess
  sha: string
  verb: Verb
}

interface Form {
  branch: string
  new_branch?: string
  message?: string
}

const words: Record<Verb, { title: string; button: string }> = {
  revert: { title: 'Revert', button: 'Revert commit' },
  'cherry-pick': { title: 'Cherry-pick', button: 'Cherry-pick commit' },
}

/** Branches that are there to choose from. */
const MAX_BRANCHES = 200

/** The form that takes a commit back, or over to another branch. @throws NotFound for what is no commit */
export async function showReplay(context: Pick<Context, 'db' | 'git'>, asked: Asked, typed?: Form, problem?: Problem): Promise<Response> {
  const { visit, repo, verb } = asked
  const { oid, subject, message } = await readCommit(context, asked)
  const { title, button } = words[verb]
  const { owner, row } = repo
  const branches = listBranches(context.db, row.id, { limit: MAX_BRANCHES, offset: 0 }).map(({ name }) => name.slice(HEADS.length))
  const form = typed ?? { branch: row.default_branch, new_branch: `${verb}-${oid.slice(0, 10)}`, message: verb === 'revert' ? message : '' }
  const page = (
    <RepoFrame visit={visit} repo={repo} tab="commits" title={`${title} ${subject}`}>
      <h2>{title}</h2>
      <p>
        <a href={visit.to`/${owner.name}/${row.name}/commit/${oid}`}>{subject}</a>
      </p>
      <Trouble text={problem?.message} />
      <form class="fields" method="post" action={visit.to`/${owner.name}/${row.name}/commit/${oid}/${verb}`}>
        <label>
          Target branch
          <input name="branch" value={form.branch} list="branches" maxlength="1024" spellcheck="false" required />
        </label>
        <datalist id="branches">
          {branches.map((name) => (
            <option value={name} />
          ))}
        </datalist>
        <TextField
          name="new_branch"
          label="New branch for a pull request (leave empty to commit directly to the target branch)"
          value={form.new_branch}
          most={1024}
          isExact
        />
        <TextArea
          name="message"
          label={verb === 'revert' ? 'Commit message' : 'Commit message (leave empty to keep the original)'}
          value={form.message}
          rows={5}
        />
        <SubmitButton>{button}</SubmitButton>
      </form>
    </RepoFrame>
  )
  return answerPage(page, problem?.status ?? 200, visit.unindexed)
}

/** Nothing that was typed is lost when it is not done. */
export async function replayCommit(context: Context, asked: Asked, form: Form): Promise<Response> {
  const { member, visit, repo, verb } = asked
  const { oid, author, message: usual, mainline } = await readCommit(context, asked)
  const { owner, row } = repo
  const [branch, newBranch] = [form.branch.trim(), form.new_branch?.trim() || undefined]
  const committer = gitIdentity(context, member.user)
  const message = form.message?.replaceAll('\r\n', '\n').trim() ?? ''
  try {
    const target = { branch, newBranch, message: `${verb}: ${oid.slice(0, 10)}` }
    const commit = await replay(context, member, repo, target, (writing, onto) => {
      const request = { commit: oid, onto, ...mainline }
      if (verb === 'revert') return writing.make('revertCommit', { request, text: { message: message || usual, author: committer, committer } })
      return writing.make('cherryPick', { request, committer, ...(message === '' ? {} : { text: { message, author, committer } }) })
    })
    if (newBranch === undefined) return seeOther(visit.to`/${owner.name}/${row.name}/commit/${commit}`)
    return seeOther(visit.to`/${owner.name}/${row.name}/compare/${branch}...${newBranch}`)
  } catch (error) {
    return showReplay(context, asked, form, mendable(error))
  }
}

interface Read {
  oid: Oid
  author: Ident
  subject: string
  /** What a commit says that takes it back. */
  message: string
  /** Of a merge all is meant that it brought to its first parent. */
  mainline: { mainline?: number }
}

async function readCommit(context: Pick<Context, 'db' | 'git'>, { repo, sha }: Asked): Promise<Read> {
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new NotFound()
  const { oid } = await getCommitRevision(context, repo.row, sha.toLowerCase())
  const [told] = await context.git.look('commits', repo.row.id, { oids: [oid] })
  const { author, message, parents } = (told as CommitDetails).commit
  const subject = message.trimStart().split('\n', 1)[0] || oid.slice(0, 10)
  const said = `Revert "${subject}"\n\nThis reverts commit ${oid}${parents.length > 1 ? `, which merged into ${parents[0]}` : ''}.`
  return { oid, author, subject, message: said, mainline: parents.length > 1 ? { mainline: 1 } : {} }
}
