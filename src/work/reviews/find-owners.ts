import { accessStore, anonymous, type RepoRow, type TeamRow, type UserRow, unlessLost } from '#access/index.ts'
import { diffLimits, readBlob } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import { findRef } from '#repositories/refs/index.ts'
import { accessTo, canRead, type Deed, findIssueById, type IssueRow, isDraft } from '#work/issues/index.ts'
import { MAX_MS, ownersThread } from './owners-thread.ts'
import { findPullEnds, type PullEnds, setOwnersAsked, wereOwnersAsked } from './pull-ends-store.ts'
import { askAll } from './request-reviews.ts'
import { reachesTeam } from './rules.ts'
import { findLast, findTeamRequest } from './store.ts'

/** The first of these that the default branch has counts. */
const FILES = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS', '.forgejo/CODEOWNERS']
/** A larger one is not read: Gitea's `ui.MAX_DISPLAY_FILE_SIZE`. */
const MAX_BYTES = 8 << 20
/** Of one pull request as many people and teams are asked. */
const MAX_OWNERS = 100

/**
 * Asks the owners of what an open pull request changes for reviews, once it is ready: when it was opened, or is no longer a draft. In the name of
 * its author; of those who may read it, and who have neither been asked nor said anything. In a fork nobody is, as in Gitea.
 */
export async function askCodeOwners(context: Context, issueId: number): Promise<void> {
  const ends = findPullEnds(context.db, issueId)
  const repo = ends && accessTo(context.db, anonymous, ends.repo_id)
  if (!ends || !repo || !isToBeAsked(context.db, issueId)) return
  const names = await findOwners(context, repo.row, ends)
  context.db.tx((tx) => {
    const issue = findIssueById(tx, issueId)
    const author = issue && issue.poster_id !== null ? accessStore.findUserById(tx, issue.poster_id) : undefined
    if (!issue || !isToBeAsked(tx, issueId)) return
    setOwnersAsked(tx, issueId)
    const now = accessTo(tx, anonymous, issue.repo_id)
    if (now && author) ask(tx, { context, doer: author, repo: now, at: context.clock.seconds() }, issue, names)
  })
}

function isToBeAsked(db: Db, issueId: number): boolean {
  const issue = findIssueById(db, issueId)
  return issue?.is_closed === 0 && !isDraft(issue.title) && !wereOwnersAsked(db, issueId)
}

/** Names of people, and `org/team`. What cannot be read owns nothing. */
async function findOwners(
  context: Pick<Context, 'config' | 'db' | 'git' | 'log'>,
  repo: RepoRow,
  { base_oid: base, head_oid: head }: PullEnds,
): Promise<string[]> {
  if (repo.fork_of !== null || base === null) return []
  const find = async () => {
    const text = await readOwnersFile(context, repo)
    if (text === '') return []
    const from = await context.git.run('mergeBase', repo.id, { a: base, b: head })
    const options = { ...diffLimits(context), detail: 'names', renames: false } as const
    const { files } = await context.git.run('diffFiles', repo.id, { from, to: head, options })
    const job = { text, paths: files.map(({ path }) => path) }
    return (await ownersThread.run(job, { line: `repository ${repo.id}`, milliseconds: MAX_MS })).owners
  }
  try {
    return await unlessLost(context, repo.id, find, [])
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

async function readOwnersFile(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<string> {
  const tip = findRef(context.db, repo.id, HEADS + repo.default_branch)?.oid
  if (tip === undefined) return ''
  const { tree } = await context.git.look('links', repo.id, { oid: tip })
  for (const path of FILES) {
    const found = await context.git.run('openPath', repo.id, { tree, path, maxBytes: 0 })
    if (found?.size === undefined || found.size > MAX_BYTES || !isFile(found.mode)) continue
    return Buffer.from(await readBlob(context, repo.id, found.oid, MAX_BYTES)).toString('utf8')
  }
  return ''
}

function isFile(mode: number): boolean {
  return (mode & 0o170000) === 0o100000
}

function ask(tx: Tx, deed: Deed, issue: IssueRow, names: readonly string[]): void {
  const asked = names.slice(0, MAX_OWNERS)
  const people = asked.flatMap((name) => personIn(tx, deed, issue, name) ?? [])
  const teams = asked.flatMap((name) => teamIn(tx, deed, issue, name) ?? [])
  askAll(tx, deed, issue, { people, teams })
}

function personIn(db: Db, { repo }: Deed, issue: IssueRow, name: string): UserRow | undefined {
  const person = name.includes('/') ? undefined : accessStore.findUserByName(db, name)
  if (person?.kind !== 'person' || person.is_active !== 1 || person.id === issue.poster_id) return undefined
  return canRead(db, person.id, repo, issue) && !findLast(db, issue.id, person.id) ? person : undefined
}

/** Only teams of the organization that the repository belongs to. */
function teamIn(db: Db, { repo }: Deed, issue: IssueRow, name: string): TeamRow | undefined {
  const [org, team = '', ...more] = name.split('/')
  if (team === '' || more.length > 0 || repo.owner.kind !== 'organization' || org?.toLowerCase() !== repo.owner.lower_name) return undefined
  const row = accessStore.findTeamByName(db, repo.owner.id, team)
  return row && reachesTeam(db, row, repo) && !findTeamRequest(db, issue.id, row.id) ? row : undefined
}
