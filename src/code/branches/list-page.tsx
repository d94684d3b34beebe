import { decorate, KeptPages, type RepoAccess } from '#access/index.ts'
import { MadeBy, People, subjectOf } from '#code/commits/index.ts'
import { type StatusMarks, statusMarks } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import type { ComparedTip } from '#git/workers/browse-tasks.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import type { Page } from '#kernel/page.ts'
import { doneWithin } from '#kernel/wait-at-most.ts'
import { findRef, listBranches, type RefRow, searchRefs } from '#repositories/refs/index.ts'
import {
  answerPage,
  countText,
  DeletedLately,
  type DeletedThing,
  Empty,
  Icon,
  NextPages,
  RepoFrame,
  SubmitButton,
  Time,
  Trouble,
  type Visit,
} from '#web/index.ts'
import { findDeleted, mayChangeBranches } from './deleted.tsx'
import { mayReadMoves } from './reflog-page.tsx'

/** Branches whose last commit is older are stale, in seconds. */
const STALE_SECONDS = 90 * 86_400
/** Milliseconds that a page waits for how far its branches are from the default one. */
const SOON = 300

export const branchViews = ['active', 'stale', 'all'] as const
export type BranchView = (typeof branchViews)[number]

export interface BranchQuestion {
  view: BranchView
  /** A part of their names; with it the view does not count. */
  text: string
  page: Page
}

interface ShownBranch extends Partial<ComparedTip> {
  name: string
}

class KeptTips extends KeptWork<ComparedTip[]> {
  constructor() {
    super(
      8 * 1024 * 1024,
      (tips) => tips.reduce((sum, { details }) => sum + 500 + details.commit.message.length, 0),
      (tips) => tips.every(({ distance }) => distance !== undefined),
    )
  }
}

/** The branches of a repository: the default one, then the others, the newest commit first, each with how far it is from the default one. */
export async function showBranches(context: Context, visit: Visit, repo: RepoAccess, question: BranchQuestion, error?: string): Promise<Response> {
  const { view, text, page } = question
  const found = await find(context, repo, question)
  const refs = found.slice(0, page.limit)
  const main = page.page === 1 && text === '' ? findRef(context.db, repo.row.id, HEADS + repo.row.default_branch) : undefined
  const branches = await compare(context, repo, main ? [main, ...refs.filter(({ name }) => name !== main.name)] : refs)
  const people = new People(context, visit.viewer)
  people.meet(branches.flatMap(({ details }) => details?.commit.author.email ?? []))
  const deleted = page.page === 1 && text === '' ? await decorate(context, 'deleted branches', () => findDeleted(context, visit, repo), []) : []
  const oids = branches.flatMap(({ details }) => details?.oid ?? [])
  const marks = await statusMarks(context, visit, repo, oids)
  const props = { visit, repo, branches, marks, deleted, people, view, text, page, hasMore: found.length > page.limit, error }
  return answerPage(<BranchesPage {...props} />, error === undefined ? 200 : 409, visit.unindexed)
}

/** One more than the page has tells that there are further ones. */
async function find({ db, clock }: Pick<Context, 'db' | 'clock'>, { row }: RepoAccess, { view, text, page }: BranchQuestion): Promise<RefRow[]> {
  if (text !== '') return searchRefs(db, row.id, { prefix: HEADS, text, limit: page.limit })
  const edge = clock.seconds() - STALE_SECONDS
  const times = { active: { from: edge }, stale: { before: edge }, all: {} }[view]
  return listBranches(db, row.id, { limit: page.limit + 1, offset: page.offset, ...times })
}

async function compare(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, { row }: RepoAccess, refs: readonly RefRow[]): Promise<ShownBranch[]> {
  const base = findRef(context.db, row.id, HEADS + row.default_branch)?.oid
  const tips = refs.map(({ oid }) => oid)
  const key = JSON.stringify([row.id, base, tips])
  const kept = context.services.get(KeptTips)
  const find = () => kept.answer(key, () => context.git.run('compareTips', row.id, { tips, base, milliseconds: SOON }))
  const work = decorate(context, 'tips of branches', find, [])
  const compared = await doneWithin(work, 10 * SOON, [])
  if (compared.length < tips.length) context.services.get(KeptPages).leaveOut()
  return refs.map(({ name }, i) => ({ name: name.slice(HEADS.length), ...compared[i] }))
}

interface Props {
  visit: Visit
  repo: RepoAccess
  branches: readonly ShownBranch[]
  deleted: readonly DeletedThing[]
  people: People
  marks: StatusMarks
  view: BranchView
  text: string
  page: Page
  hasMore: boolean
  error: string | undefined
}

const viewNames: Record<BranchView, string> = { active: 'Active', stale: 'Stale', all: 'All' }

function BranchesPage({ visit, repo, branches, deleted, people, marks, view, text, page, hasMore, error }: Props) {
  const { owner, row } = repo
  const address = visit.to`/${owner.name}/${row.name}/branches`
  const mayChange = mayChangeBranches(repo)
  return (
    <RepoFrame visit={visit} repo={repo} tab="branches" title="Branches">
      <div class="bar">
        <h2>Branches</h2>
        <nav class="switch" aria-label="Filter branches">
          {branchViews.map((one) => (
            <a href={`${address}?view=${one}`} aria-current={one === view && text === '' ? 'true' : undefined}>
              {viewNames[one]}
            </a>
          ))}
        </nav>
      </div>
      <form class="search" method="get" action={address}>
        <input type="search" name="q" value={text} aria-label="Search branches" placeholder="Search branches" maxlength="1024" />
        <button type="submit">Search</button>
      </form>
      {mayChange && <NewBranch visit={visit} repo={repo} />}
      <Trouble text={error} />
      {branches.length === 0 && <Empty visit={visit} icon="git-branch" title="No branches found" />}
      <form method="post" action={`${address}/delete`}>
        {branches.length > 0 && (
          <ul class="list">
            {branches.map((branch) => (
              <BranchRow visit={visit} repo={repo} people={people} marks={marks} branch={branch} mayChange={mayChange} />
            ))}
          </ul>
        )}
        {mayChange && branches.some(({ name }) => name !== row.default_branch) && (
          <p>
            <button class="danger" type="submit">
              Delete selected branches
            </button>
          </p>
        )}
      </form>
      <NextPages visit={visit} page={page} hasMore={hasMore} />
      <DeletedLately visit={visit} action={`${address}/restore`} deleted={deleted} icon="git-branch" />
    </RepoFrame>
  )
}

function NewBranch({ visit, repo: { owner, row } }: { visit: Visit; repo: RepoAccess }) {
  return (
    <details class="written">
      <summary>New branch</summary>
      <form class="fields" method="post" action={visit.to`/${owner.name}/${row.name}/branches/new`}>
        <label>
          Branch name
          <input name="new_branch_name" maxlength="255" autocapitalize="none" spellcheck="false" required />
        </label>
        <label>
          From (branch, tag or commit)
          <input name="old_ref_name" value={row.default_branch} maxlength="1024" autocapitalize="none" spellcheck="false" required />
        </label>
        <div>
          <SubmitButton>Create branch</SubmitButton>
        </div>
      </form>
    </details>
  )
}

function BranchRow({
  visit,
  repo,
  people,
  marks,
  branch,
  mayChange,
}: Pick<Props, 'visit' | 'repo' | 'people' | 'marks'> & { branch: ShownBranch; mayChange: boolean }) {
  const { owner, row } = repo
  const { name, details, distance } = branch
  const base = `${owner.name}/${row.name}`
  const isDefault = name === row.default_branch
  return (
    <li class="entry">
      {mayChange && !isDefault && <input type="checkbox" name="name" value={name} aria-label={`Select ${name}`} />}
      <div class="what grows">
        <a href={visit.to`/${base}/src/branch/${name}`}>
          <Icon visit={visit} name="git-branch" /> {name}
        </a>
        {isDefault && <span class="mark">Default</span>} {details && marks(details.oid)}
        {details && (
          <p class="faint">
            <MadeBy visit={visit} people={people} who={details.commit.author} />{' '}
            <a class="subject" href={visit.to`/${base}/commit/${details.oid}`}>
              {subjectOf(details.commit)}
            </a>{' '}
            <Time at={details.commit.committer.seconds} />
          </p>
        )}
      </div>
      {!isDefault && distance && <Distance {...distance} />}
      <span class="buttons">
        {!isDefault && <a href={visit.to`/${base}/compare/${row.default_branch}...${name}`}>Compare</a>}
        <a href={visit.to`/${base}/commits/branch/${name}`}>History</a>
        {mayReadMoves(repo) && <a href={visit.to`/${base}/reflog/${name}`}>Reflog</a>}
      </span>
    </li>
  )
}

/** Bars are as long as that many commits, up to here. */
const WIDEST = 40

function Distance({ ahead, behind }: { ahead: number; behind: number }) {
  const widthOf = (count: number) => (count === 0 ? 0 : Math.max(2, Math.min(WIDEST, Math.round(8 * Math.log2(count + 1)))))
  return (
    <span class="distance" title={`${countText(behind, 'commit')} behind and ${countText(ahead, 'commit')} ahead of the default branch`}>
      <span>{`${behind} behind`}</span>
      <svg width={2 * WIDEST + 2} height="8" aria-hidden="true">
        <rect class="bar-behind" x={WIDEST - widthOf(behind)} width={widthOf(behind)} height="8" />
        <rect class="bar-middle" x={WIDEST} width="2" height="8" />
        <rect class="bar-ahead" x={WIDEST + 2} width={widthOf(ahead)} height="8" />
      </svg>
      <span>{`${ahead} ahead`}</span>
    </span>
  )
}
