import { accessStore, anonymous, atLeast, permissionIn, type RepoAccess, type Unit, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { BadRequest, Forbidden, Locked, NotFound, Unprocessable } from '#kernel/errors.ts'
import { findKnownPerson } from '#repositories/collaborators/index.ts'
import { sortRules } from './find-rule.ts'
import type { CreateBranchProtectionOption, EditBranchProtectionOption } from './schema.ts'
import {
  type AllowList,
  type BranchRule,
  findRuleByName,
  insertRule,
  listRules,
  reachesRepo,
  removeRule,
  replaceTeams,
  replaceUsers,
  setPriority,
  updateRule,
} from './store.ts'

type Changing = Pick<Context, 'db' | 'clock'>

/** As many rules as a repository may have: each may be asked about on every change of a branch. */
const MAX_RULES = 200

/**
 * @throws Locked when the repository is archived; BadRequest without a name; Forbidden when there is a rule of that name; Unprocessable on names of
 *   nobody whom the viewer may know
 */
export function addRule({ db, clock }: Changing, viewer: Viewer, repo: RepoAccess, body: CreateBranchProtectionOption): BranchRule {
  const name = body.rule_name || body.branch_name
  if (!name) throw new BadRequest('both rule_name and branch_name are empty')
  const at = clock.seconds()
  return db.tx((tx) => {
    refuseArchived(tx, repo)
    if (findRuleByName(tx, repo.row.id, name)) throw new Forbidden('Branch protection already exist')
    if (listRules(tx, repo.row.id).length >= MAX_RULES) throw new Unprocessable(`A repository can have at most ${MAX_RULES} branch protection rules`)
    const lists = listsIn(tx, viewer, repo, body)
    const settings = { ...fresh, ...settingsIn(body) }
    const id = insertRule(tx, { ...onlyEnabled(settings), repo_id: repo.row.id, rule_name: name, created_at: at, updated_at: at })
    replaceLists(tx, id, lists)
    return getRule(tx, repo, name)
  })
}

/** What the body leaves out stays. @throws NotFound, and as `addRule` */
export function editRule({ db, clock }: Changing, viewer: Viewer, repo: RepoAccess, name: string, body: EditBranchProtectionOption): BranchRule {
  return db.tx((tx) => {
    refuseArchived(tx, repo)
    const row = getRule(tx, repo, name)
    const lists = listsIn(tx, viewer, repo, body)
    const { id, repo_id: _, ...rest } = row
    const changed = { ...rest, ...settingsIn(body) }
    updateRule(tx, id, {
      ...(changed.enable_push === 1 ? changed : withoutPush(changed)),
      priority: body.priority ?? row.priority,
      updated_at: clock.seconds(),
    })
    replaceLists(tx, id, lists)
    return getRule(tx, repo, name)
  })
}

/** @throws NotFound; Locked in an archived repository */
export function deleteRule({ db }: Changing, repo: RepoAccess, name: string): void {
  db.tx((tx) => {
    refuseArchived(tx, repo)
    removeRule(tx, getRule(tx, repo, name).id)
  })
}

/** The rules are asked in this order from now on; ids of others' are left out. @throws Locked in an archived repository */
export function orderRules({ db }: Changing, repo: RepoAccess, ids: readonly number[]): void {
  db.tx((tx) => {
    refuseArchived(tx, repo)
    for (const [i, id] of ids.entries()) setPriority(tx, repo.row.id, id, i + 1)
  })
}

/** Moves a rule before the one that is asked just before it. @throws NotFound; Locked in an archived repository */
export function askEarlier(context: Changing, repo: RepoAccess, name: string): void {
  context.db.tx((tx) => {
    const { id } = getRule(tx, repo, name)
    const ids = sortRules(listRules(tx, repo.row.id)).map((rule) => rule.id)
    const at = ids.indexOf(id)
    if (at > 0) orderRules(context, repo, ids.toSpliced(at, 1).toSpliced(at - 1, 0, id))
  })
}

/** @throws NotFound */
export function getRule(db: Db, { row }: RepoAccess, name: string): BranchRule {
  const found = findRuleByName(db, row.id, name)
  if (!found) throw new NotFound()
  return found
}

type Settings = Omit<BranchRule, 'id' | 'repo_id' | 'rule_name' | 'created_at' | 'updated_at'>

const fresh: Settings = {
  priority: 0,
  enable_push: 0,
  enable_push_whitelist: 0,
  push_whitelist_deploy_keys: 0,
  enable_force_push: 0,
  enable_force_push_allowlist: 0,
  force_push_allowlist_deploy_keys: 0,
  enable_merge_whitelist: 0,
  enable_bypass_allowlist: 0,
  enable_status_check: 0,
  status_check_contexts: '[]',
  required_approvals: 0,
  enable_approvals_whitelist: 0,
  block_on_rejected_reviews: 0,
  block_on_official_review_requests: 0,
  block_on_outdated_branch: 0,
  dismiss_stale_approvals: 0,
  ignore_stale_approvals: 0,
  require_signed_commits: 0,
  protected_file_patterns: '',
  unprotected_file_patterns: '',
  block_admin_merge_override: 0,
}

/** What the body sets, as columns. */
function settingsIn(body: EditBranchProtectionOption): Partial<Settings> {
  const columns = Object.keys(fresh) as (keyof Settings)[]
  const given = columns.flatMap((column) => {
    const value = body[column]
    if (value === undefined) return []
    if (Array.isArray(value)) return [[column, JSON.stringify([...new Set(value)])]]
    return [[column, typeof value === 'number' ? Math.max(0, value) : typeof value === 'boolean' ? Number(value) : value]]
  })
  return Object.fromEntries(given)
}

/** What is a part of something that is off is off in a new rule. */
function onlyEnabled(settings: Settings): Settings {
  const push = settings.enable_push
  const force = push & settings.enable_force_push
  const pushList = push & settings.enable_push_whitelist
  const forceList = force & settings.enable_force_push_allowlist
  return {
    ...settings,
    enable_push_whitelist: pushList,
    push_whitelist_deploy_keys: pushList & settings.push_whitelist_deploy_keys,
    enable_force_push: force,
    enable_force_push_allowlist: forceList,
    force_push_allowlist_deploy_keys: forceList & settings.force_push_allowlist_deploy_keys,
  }
}

function withoutPush<T>(settings: T): T {
  return { ...settings, enable_push_whitelist: 0, push_whitelist_deploy_keys: 0 }
}

/** Whom the body names, by list; a list that it leaves out is not among them. */
type Lists = Partial<Record<AllowList, { users?: number[]; teams?: number[] }>>

/** Who could not do what a list is about anyway is left out. @throws Unprocessable on names of nobody whom the viewer may know */
function listsIn(db: Db, viewer: Viewer, repo: RepoAccess, body: EditBranchProtectionOption): Lists {
  const users = (names: string[] | undefined, unit: Unit = 'code', level: 'read' | 'write' = 'write') =>
    names && userIds(db, viewer, repo, { names, unit, level })
  const teams = (names: string[] | undefined) => names && teamIds(db, repo, names)
  return {
    push: { users: users(body.push_whitelist_usernames), teams: teams(body.push_whitelist_teams) },
    force_push: { users: users(body.force_push_allowlist_usernames), teams: teams(body.force_push_allowlist_teams) },
    merge: { users: users(body.merge_whitelist_usernames), teams: teams(body.merge_whitelist_teams) },
    approvals: { users: users(body.approvals_whitelist_username, 'pulls', 'read'), teams: teams(body.approvals_whitelist_teams) },
    bypass: { users: users(body.bypass_allowlist_usernames), teams: teams(body.bypass_allowlist_teams) },
  }
}

function userIds(
  db: Db,
  viewer: Viewer,
  repo: RepoAccess,
  { names, unit, level }: { names: readonly string[]; unit: Unit; level: 'read' | 'write' },
): number[] {
  return names.flatMap((name) => {
    const user = findKnownPerson(db, viewer, repo, name)
    if (!user) throw new Unprocessable(`user does not exist [name: ${name}]`)
    return atLeast(permissionIn(db, { ...anonymous, user }, repo.row, repo.owner).of(unit), level) ? [user.id] : []
  })
}

/** Only organizations have teams. */
function teamIds(db: Db, { owner, row }: RepoAccess, names: readonly string[]): number[] {
  if (owner.kind !== 'organization') return []
  return names.flatMap((name) => {
    const team = accessStore.findTeamByName(db, owner.id, name)
    if (!team) throw new Unprocessable(`team does not exist [name: ${name}]`)
    return reachesRepo(db, team.id, row.id) ? [team.id] : []
  })
}

function replaceLists(tx: Tx, ruleId: number, lists: Lists): void {
  for (const [list, { users, teams }] of Object.entries(lists) as [AllowList, NonNullable<Lists[AllowList]>][]) {
    if (users) replaceUsers(tx, ruleId, list, users)
    if (teams) replaceTeams(tx, ruleId, list, teams)
  }
}

/** Asked on the row as it is by now. */
function refuseArchived(db: Db, { owner, row }: RepoAccess): void {
  if (accessStore.findRepoById(db, row.id)?.archived_at !== null) throw new Locked(`${owner.name}/${row.name} is archived`)
}
