import { expect, test } from 'bun:test'
import type { UserRow } from '#access/index.ts'
import { testForge } from '../../../test/harness.ts'
import { applyGroupMap, type GroupMemberships, parseGroupMap } from './group-map.ts'

async function house() {
  const forge = testForge()
  const root = await forge.person('root1', { isAdmin: true })
  const ada = await forge.person('ada')
  const ids = new Map<string, number>()
  for (const org of ['acme', 'bell']) {
    await forge.asUser(root).post('/orgs', { username: org })
    for (const name of ['dev', 'ops']) {
      const made = await forge.asUser(root).post<{ id: number }>(`/orgs/${org}/teams`, { name, permission: 'read', units: ['repo.code'] })
      ids.set(`${org}/${name}`, made.body.id)
    }
  }
  const { db } = forge.context
  const apply = (user: UserRow, memberships: Partial<GroupMemberships>) =>
    db.tx((tx) => applyGroupMap(forge.context, tx, user, { map: new Map(), groups: [], removes: false, ...memberships }))
  const teams = (user: UserRow) =>
    db
      .all<{ path: string }>(
        `SELECT org.name || '/' || team.name AS path FROM team_member JOIN team ON team.id = team_id JOIN user AS org ON org.id = team.org_id
         WHERE user_id = ? ORDER BY path`,
        user.id,
      )
      .map(({ path }) => path)
  return { forge, root, ada, ids, apply, teams }
}

const map = parseGroupMap('{"devs": {"acme": ["dev"]}, "all": {"Acme": ["dev", "Ops"], "bell": ["ops", "missing"], "nowhere": ["x"]}}')

test('memberships are what all groups together lead to; what is not there is passed over', async () => {
  const { forge, ada, apply, teams } = await house()
  await using _ = forge
  apply(ada.row, { map, groups: ['devs', 'strangers'] })
  expect(teams(ada.row)).toEqual(['acme/dev'])
  apply(ada.row, { map, groups: ['all', 'devs'] })
  expect(teams(ada.row)).toEqual(['acme/dev', 'acme/ops', 'bell/ops'])
})

test('who left a group leaves its teams only where that is asked for, and not those that another group still leads to', async () => {
  const { forge, ada, apply, teams } = await house()
  await using _ = forge
  apply(ada.row, { map, groups: ['all'] })
  apply(ada.row, { map, groups: [] })
  expect(teams(ada.row)).toHaveLength(3)
  apply(ada.row, { map, groups: ['devs'], removes: true })
  expect(teams(ada.row)).toEqual(['acme/dev'])
  apply(ada.row, { map, groups: [], removes: true })
  expect(teams(ada.row)).toEqual([])
})

test('teams that the map does not name are left alone', async () => {
  const { forge, root, ada, ids, apply, teams } = await house()
  await using _ = forge
  await forge.asUser(root).put(`/teams/${ids.get('bell/dev')}/members/ada`)
  apply(ada.row, { map, groups: [], removes: true })
  expect(teams(ada.row)).toEqual(['bell/dev'])
})

test('the last owner stays, and whom an organization blocked stays out', async () => {
  const { forge, root, ada, apply, teams } = await house()
  await using _ = forge
  const owners = parseGroupMap('{"bosses": {"acme": ["Owners"]}}')
  apply(root.row, { map: owners, groups: [], removes: true })
  expect(teams(root.row)).toContain('acme/Owners')
  expect((await forge.asUser(root).put('/orgs/bell/blocks/ada')).status).toBe(204)
  apply(ada.row, { map, groups: ['all'] })
  expect(teams(ada.row)).toEqual(['acme/dev', 'acme/ops'])
})

test('two spellings of a group are one where the source says so', async () => {
  const { forge, ada, apply, teams } = await house()
  await using _ = forge
  const groups = ['CN=Devs,DC=Example']
  const byName = parseGroupMap('{"cn=devs,dc=example": {"acme": ["dev"]}}')
  apply(ada.row, { map: byName, groups })
  expect(teams(ada.row)).toEqual([])
  apply(ada.row, { map: byName, groups, normalize: (name) => name.toLowerCase() })
  expect(teams(ada.row)).toEqual(['acme/dev'])
})

test.each(['{', '[]', '7', 'null', '{"g": []}', '{"g": {"o": "t"}}', '{"g": {"o": [7]}}', '{"g": {"o": null}}'])('%j is no map of groups', (text) => {
  expect(() => parseGroupMap(text)).toThrow('[GroupTeamMap]: the group map must be a JSON object of the form')
})

test('no text is no map', () => {
  expect([parseGroupMap('').size, parseGroupMap(' \n').size]).toEqual([0, 0])
})

test('names that are members of every object are names like others', async () => {
  const { forge, ada, apply, teams } = await house()
  await using _ = forge
  apply(ada.row, { map: parseGroupMap('{"__proto__": {"acme": ["dev"]}, "x": {"constructor": ["toString"]}}'), groups: ['x', 'toString', '__proto__'] })
  expect(teams(ada.row)).toEqual(['acme/dev'])
})
