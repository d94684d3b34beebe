import { accessStore, anonymous, atLeast, permissionIn, type RepoAccess, type UserRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { findMentions } from '#markdown/index.ts'
import type { Deed } from './deed.ts'
import { listTeamPeople } from './people-store.ts'
import { unitOf } from './rules.ts'
import { type IssueRow, insertMentions } from './store.ts'

/** As many people are told by one text, however many teams it names. */
const MAX_MENTIONED = 500

/**
 * Notes whom a text mentions, people and teams of the repository's organization: only those who can read the issue.
 * @param before what the text was: whom that mentioned has been told. @returns the ids of whom it mentions newly
 */
export function noteMentions(tx: Tx, { doer, repo }: Deed, issue: IssueRow, text: string, before = ''): number[] {
  const known = new Set(before === '' ? [] : idsIn(tx, repo, before))
  const mentioned = idsIn(tx, repo, text)
    .filter((id) => id !== doer.id && !known.has(id) && canRead(tx, id, repo, issue))
    .slice(0, MAX_MENTIONED)
  insertMentions(tx, issue.id, mentioned)
  return mentioned
}

function idsIn(db: Db, { owner }: RepoAccess, text: string): number[] {
  if (!text.includes('@')) return []
  const { names, teams } = findMentions(text)
  const people = names.flatMap((name) => personId(accessStore.findUserByName(db, name)))
  const inTeams = teams.flatMap((team) => {
    const [org, name = ''] = team.split('/')
    return owner.kind === 'organization' && org === owner.lower_name ? listTeamPeople(db, owner.id, name) : []
  })
  return [...new Set([...people, ...inTeams])]
}

function personId(user: UserRow | undefined): number[] {
  return user?.kind === 'person' && user.is_active === 1 ? [user.id] : []
}

/** Whether the person, by a password say, could read it. */
export function canRead(db: Db, userId: number, { row, owner }: Pick<RepoAccess, 'row' | 'owner'>, issue: Pick<IssueRow, 'is_pull'>): boolean {
  const user = accessStore.findUserById(db, userId)
  return user !== undefined && atLeast(permissionIn(db, { ...anonymous, user }, row, owner).of(unitOf(issue)), 'read')
}
