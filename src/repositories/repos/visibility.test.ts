import { expect, test } from 'bun:test'
import { accessStore, anonymous, canSee, parseGrant, permissionIn, type RepoRow, type UserRow, type Viewer } from '#access/index.ts'
import type { NewUser } from '#people/users/index.ts'
import { testForge } from '../../../test/harness.ts'
import { searchRepos } from './search-store.ts'

const page = { page: 1, limit: 1000, offset: 0 }
const allUnits = '{"disabled_units":["code","issues","pulls","releases","wiki","projects","packages","actions"]}'

test('lists hold exactly the repositories that may be seen, for every kind of viewer, owner and repository', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const person = async (name: string, more: Partial<NewUser> = {}) => (await forge.person(name, more)).row
  const owners = [await person('public'), await person('limited', { visibility: 'limited' }), await person('private', { visibility: 'private' })]
  const people = [...owners, await person('plain'), await person('restricted', { isRestricted: true }), await person('root', { isAdmin: true })]
  db.tx((tx) => {
    for (const owner of owners)
      for (const is_private of [0, 1])
        for (const settings of ['{}', '{"disabled_units":["issues"]}', allUnits])
          for (const level of [undefined, 'read', 'admin']) {
            const name = `${owner.name}-${is_private}-${settings.length}-${level}`
            const id = tx.insert('repository', {
              owner_id: owner.id,
              name,
              lower_name: name,
              default_branch: 'main',
              is_private,
              settings,
              created_at: 1,
              updated_at: 1,
            })
            if (level) for (const person of people.slice(3, 5)) tx.insert('collaboration', { repo_id: id, user_id: person.id, level })
          }
  })
  const repos = db.all<RepoRow>('SELECT * FROM repository')
  for (const viewer of viewersOf(people)) {
    const visible = repos.filter((repo) => canSee(permissionIn(db, viewer, repo, accessStore.findUserById(db, repo.owner_id) as UserRow)))
    const listed = await searchRepos(db, viewer, {}, page)
    expect(listed.rows.map((row) => row.name).sort()).toEqual(visible.map((row) => row.name).sort())
    expect(listed.total).toBe(visible.length)
  }
})

function viewersOf(people: readonly UserRow[]): Viewer[] {
  const signedIn = people.flatMap((user) =>
    [undefined, parseGrant('all,public-only')].map((grant): Viewer => ({ user, grant, via: 'token', queryToken: false })),
  )
  return [anonymous, ...signedIn]
}
