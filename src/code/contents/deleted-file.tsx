import { atLeast, type RepoAccess } from '#access/index.ts'
import { MadeBy, People, type RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Ident } from '#git/objects/ident.ts'
import type { Oid } from '#git/objects/oid.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { answerPage, Icon, RepoFrame, SubmitButton, Time, type Visit } from '#web/index.ts'
import { Crumbs } from './place-bar.tsx'
import { contentType } from './view.ts'

/** How long may be looked for the end of a file, in milliseconds: any address can be asked for. */
const SEARCH_MS = 300
/** Characters of what a commit says. */
const MOST_SHOWN = 200

/** What a path held last. */
export interface DeletedFile {
  /** The commit that took it away, whose it is, and the first line of what it says. */
  end: Oid
  author: Ident
  subject: string
  /** That one's parent, which still has it. */
  last: Oid
  mode: number
  oid: Oid
}

interface Search {
  file: DeletedFile | undefined
  /** Whether there was no time to look through the whole history. */
  isCut: boolean
}

/** Any address can be asked for again and again: also what was not found is known. */
class DeletedFiles extends KeptWork<Search> {
  constructor() {
    super(
      500,
      () => 1,
      ({ isCut }) => !isCut,
    )
  }
}

/** What was at a path of a history that holds nothing now; undefined when nothing was, or it could not be found in time. */
export async function findDeletedFile(context: Pick<Context, 'git' | 'services'>, repoId: number, tip: Oid, path: string): Promise<DeletedFile | undefined> {
  const known = context.services.get(DeletedFiles)
  const { file } = await known.answer(`${repoId} ${tip} ${path}`, () => search(context, repoId, tip, path))
  return file
}

async function search({ git }: Pick<Context, 'git'>, repoId: number, tip: Oid, path: string): Promise<Search> {
  const question = { start: { tips: [tip] }, filter: { by: '', saying: '', path }, skip: 0, limit: 1, isAlone: true, maxLanes: 0, milliseconds: SEARCH_MS }
  const { rows, isCut } = await git.run('readLog', repoId, question)
  const [end] = rows
  for (const last of end?.commit.parents ?? []) {
    const { tree } = await git.look('links', repoId, { oid: last })
    const found = await git.run('openPath', repoId, { tree, path, maxBytes: 0 })
    if (!found || !end) continue
    const { author, message } = end.commit
    const subject = message.slice(0, MOST_SHOWN).split('\n', 1)[0] as string
    return { file: { end: end.oid, author, subject, last, mode: found.mode, oid: found.oid }, isCut: false }
  }
  return { file: undefined, isCut }
}

/** Whether it is a file that can be put back; a directory's files are restored one by one. */
export function isRestorable({ mode }: DeletedFile): boolean {
  return ['file', 'symlink'].includes(contentType(mode))
}

interface Props {
  visit: Visit
  repo: RepoAccess
  place: RefPath
  deleted: DeletedFile
}

/** The answer for a path that held something once, instead of only that there is nothing. */
export function showDeletedFile(context: Pick<Context, 'db' | 'rootUrl'>, props: Props): Response {
  const people = new People(context, props.visit.viewer)
  people.meet([props.deleted.author.email])
  return answerPage(<DeletedFilePage {...props} people={people} />, 404, props.visit.unindexed)
}

function DeletedFilePage({ visit, repo, place, deleted, people }: Props & { people: People }) {
  const { end, author, subject, last } = deleted
  const base = `${repo.owner.name}/${repo.row.name}`
  const kind = contentType(deleted.mode) === 'dir' ? 'directory' : 'file'
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={`${place.path} was deleted`}>
      <div class="bar">
        <Crumbs visit={visit} repo={repo} place={place} />
      </div>
      <div class="notice">
        <h2>
          <Icon visit={visit} name="trash" /> {`This ${kind} was deleted`}
        </h2>
        <p>
          <MadeBy visit={visit} people={people} who={author} />
          {` deleted or renamed this ${kind} `}
          <Time at={author.seconds} />
          {' in '}
          <a href={visit.to`/${base}/commit/${end}`}>
            <code>{end.slice(0, 10)}</code> {subject}
          </a>
          .
        </p>
        <p>
          <a href={visit.to`/${base}/src/commit/${last}/${place.path}`}>{`View the last version of this ${kind}`}</a>
          {' · '}
          <a href={visit.to`/${base}/commits/${place.kind}/${place.name}/${place.path}`}>History</a>
        </p>
        {mayRestore(repo, place) && isRestorable(deleted) && (
          <form method="post" action={visit.to`/${base}/_restore/${place.name}/${place.path}`}>
            <input type="hidden" name="sha" value={deleted.oid} />
            <SubmitButton>{`Restore file on ${place.name}`}</SubmitButton>
          </form>
        )}
      </div>
    </RepoFrame>
  )
}

function mayRestore({ row, permission }: RepoAccess, place: RefPath): boolean {
  return place.kind === 'branch' && row.archived_at === null && row.is_mirror === 0 && atLeast(permission.of('code'), 'write')
}
