import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  accessStore,
  anonymous,
  atLeast,
  canSee,
  canSeeOrg,
  levels,
  parseGrant,
  permissionIn,
  type RepoRow,
  type UserRow,
  units,
  type Viewer,
} from '#access/index.ts'
import type { Tx } from '#kernel/db.ts'
import { createTeam } from '#people/teams/change-teams.ts'
import { addMember } from '#people/teams/store.ts'
import { teamUnits } from '#people/teams/units.ts'
import { presentRepoRows, searchRepos } from '#repositories/repos/index.ts'
import { testForge } from '../../../test/harness.ts'
import { addRepo } from './store.ts'

/** One generator for all choices, so that a failure comes again: a linear congruence (Numerical Recipes). */
function chooser(seed: number) {
  let state = seed
  const below = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  return { below, of: <T>(items: readonly T[]): T => items[below(items.length)] as T, chance: (percent: number) => below(100) < percent }
}

const choose = chooser(20_260_731)
const page = { page: 1, limit: 10_000, offset: 0 }
const visibilities = ['public', 'limited', 'private'] as const

const forge = testForge()
let orgs: UserRow[]
let repos: RepoRow[]
let viewers: Viewer[]

beforeAll(async () => {
  const { db } = forge.context
  const people: UserRow[] = []
  for (let i = 0; i < 24; i++) {
    const more = { isRestricted: choose.chance(25), isAdmin: i === 0, visibility: choose.of(visibilities) }
    people.push((await forge.person(`person${i}`, more)).row)
  }
  db.tx((tx) => {
    orgs = Array.from({ length: 9 }, (_, i) => insertOrg(tx, i))
    const owners = [...orgs, ...people.slice(0, 4)]
    repos = Array.from({ length: 150 }, (_, i) => insertRepo(tx, choose.of(owners), i))
    for (let i = 0; i < 60; i++) insertTeam(tx, choose.of(orgs), i, people)
    for (let i = 0; i < 60; i++) {
      const row = { repo: choose.of(repos).id, user: choose.of(people).id, level: choose.of(['read', 'write', 'admin']) }
      tx.run('INSERT OR IGNORE INTO collaboration (repo_id, user_id, level) VALUES (?, ?, ?)', row.repo, row.user, row.level)
    }
    for (let i = 0; i < 40; i++) {
      const row = { repo: choose.of(repos).id, doer: choose.of(people).id, recipient: choose.of([...orgs, ...people]).id }
      tx.run('INSERT OR IGNORE INTO repository_transfer (repo_id, doer_id, recipient_id, created_at) VALUES (?, ?, ?, 1)', row.repo, row.doer, row.recipient)
    }
    repos = repos.map(({ id }) => accessStore.findRepoById(tx, id) as RepoRow)
  })
  const grants = [undefined, parseGrant('all,public-only')]
  viewers = [anonymous, ...people.flatMap((user) => grants.map((grant): Viewer => ({ user, grant, via: 'token', queryToken: false })))]
})
afterAll(() => forge[Symbol.asyncDispose]())

function insertOrg(tx: Tx, i: number): UserRow {
  const name = `org${i}`
  const profile = { kind: 'organization', name, lower_name: name, email: '', visibility: visibilities[i % 3] as string, created_at: 1, updated_at: 1 }
  const id = tx.insert('user', profile)
  tx.insert('organization', { id })
  return accessStore.findUserById(tx, id) as UserRow
}

function insertRepo(tx: Tx, owner: UserRow, i: number): RepoRow {
  const off = choose.chance(40) ? units.filter(() => choose.chance(70)) : undefined
  const settings = off ? JSON.stringify({ disabled_units: choose.chance(30) ? units : off }) : choose.of(['{}', '{"has_x":true}'])
  const name = `repo${i}`
  const is_private = choose.below(2)
  const id = tx.insert('repository', { owner_id: owner.id, name, lower_name: name, default_branch: 'main', is_private, settings, created_at: 1, updated_at: 1 })
  return accessStore.findRepoById(tx, id) as RepoRow
}

function insertTeam(tx: Tx, org: UserRow, i: number, people: readonly UserRow[]): void {
  const map = Object.fromEntries(teamUnits.map((unit) => [`repo.${unit}`, choose.chance(70) ? 'none' : choose.of(['read', 'write'])]))
  const all = choose.chance(30)
  const rights = choose.chance(12) ? { permission: 'admin' as const } : { units_map: map }
  const team = createTeam(forge.context, org, { name: `team${i}`, includes_all_repositories: all, can_create_org_repo: choose.chance(40), ...rights })
  for (let k = choose.below(5); k > 0; k--) addMember(tx, team, choose.of(people.slice(1)).id)
  const theirs = repos.filter((repo) => repo.owner_id === org.id)
  for (let k = theirs.length && choose.below(5); k > 0; k--) addRepo(tx, team.id, choose.of(theirs).id)
}

const ownerOf = (repo: RepoRow) => accessStore.findUserById(forge.context.db, repo.owner_id) as UserRow

test('lists hold exactly the repositories that may be seen, whatever the teams, for everybody', async () => {
  const { db } = forge.context
  let seen = 0
  for (const viewer of viewers) {
    const visible = repos.filter((repo) => canSee(permissionIn(db, viewer, repo, ownerOf(repo)))).map((repo) => repo.name)
    const listed = await searchRepos(db, viewer, {}, page)
    expect({ viewer: viewer.user?.name, names: listed.rows.map((row) => row.name).sort() }).toEqual({ viewer: viewer.user?.name, names: visible.sort() })
    expect(listed.total).toBe(visible.length)
    seen += visible.length
  }
  expect(seen).toBeGreaterThan(1000)
})

test('what is listed shows its viewer the same permissions as what is asked for alone', async () => {
  const { db } = forge.context
  for (const viewer of viewers.slice(0, 12)) {
    const { rows } = await searchRepos(db, viewer, {}, page)
    const records = presentRepoRows(forge.context, viewer, rows)
    for (const [i, row] of rows.entries()) {
      const { level, of } = permissionIn(db, viewer, row, ownerOf(row))
      expect(records[i]?.permissions).toEqual({ admin: atLeast(level, 'admin'), push: atLeast(of('code'), 'write'), pull: atLeast(of('code'), 'read') })
    }
  }
})

test('the highest level over all units is never less than that of any unit, and administrators have it in all that are on', () => {
  for (const viewer of viewers)
    for (const repo of repos) {
      const { level, of } = permissionIn(forge.context.db, viewer, repo, ownerOf(repo))
      for (const unit of units) expect(levels.indexOf(of(unit))).toBeLessThanOrEqual(levels.indexOf(level))
      if (atLeast(level, 'admin')) expect(units.every((unit) => of(unit) === 'none' || of(unit) === level)).toBeTrue()
    }
})

test('a search by team finds what the team reaches and the viewer sees, no more', async () => {
  const { db } = forge.context
  const teams = db.all<{ id: number; org_id: number; includes_all_repositories: number }>('SELECT * FROM team')
  const pairs = new Set(db.all<{ team_id: number; repo_id: number }>('SELECT * FROM team_repo').map((row) => `${row.team_id} ${row.repo_id}`))
  for (const viewer of viewers.slice(0, 8)) {
    const visible = repos.filter((repo) => canSee(permissionIn(db, viewer, repo, ownerOf(repo))))
    for (const team of teams) {
      const reached = visible.filter((repo) => (repo.owner_id === team.org_id && team.includes_all_repositories === 1) || pairs.has(`${team.id} ${repo.id}`))
      const found = (await searchRepos(db, viewer, { teamId: team.id }, page)).rows
      expect(found.map((row) => row.id).sort()).toEqual(reached.map((row) => row.id).sort())
    }
  }
})

test('the list of organizations holds exactly those that may be seen', async () => {
  for (const viewer of viewers.filter(({ grant }) => grant === undefined)) {
    const token = viewer.user && forge.token({ row: viewer.user, name: viewer.user.name, token: '' }, 'all')
    const listed = await forge.asUser(token).get<{ name: string }[]>('/orgs?limit=50')
    const visible = orgs.filter((org) => canSeeOrg(forge.context.db, viewer, org)).map((org) => org.name)
    expect(listed.body.map((org) => org.name)).toEqual(visible)
    for (const org of orgs) expect((await forge.asUser(token).get(`/orgs/${org.name}`)).status).toBe(visible.includes(org.name) ? 200 : 404)
  }
})
