import { afterAll, expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import type { UserRecord } from '#people/users/index.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const { db } = context
const ada = await forge.person('ada')
const bob = await forge.person('bob')
const root = await forge.person('root1', { isAdmin: true })
const limp = await forge.person('limp', { isRestricted: true })
const hidden = await forge.person('hidden', { visibility: 'private' })
const quiet = await forge.person('quiet', { visibility: 'limited' })
createOrg(context, bob.row, { username: 'acme' })
createOrg(context, bob.row, { username: 'lair', visibility: 'private' })

let made = 0
const newPerson = () => forge.person(`person${++made}`)
const follow = (as: Person, name: string) => forge.asUser(as).put(`/user/following/${name}`)
const unfollow = (as: Person, name: string) => forge.asUser(as).delete(`/user/following/${name}`)
const rows = () => db.all('SELECT follower_id, followed_id FROM follow ORDER BY follower_id, followed_id')
const logins = async (path: string, as?: Person | string) => {
  const { body, headers } = await forge.asUser(as).get<UserRecord[]>(path)
  expect(headers.get('x-total-count')).toBe(String(body.length))
  return body.map((user) => user.login)
}
const counts = async (name: string) => {
  const { body } = await forge.asUser(root).get<UserRecord>(`/users/${name}`)
  return [body.followers_count, body.following_count]
}
const setVisibility = (person: Person, visibility: string) => db.tx((tx) => tx.update('user', person.row.id, { visibility }))

test('following someone shows at both ends, is counted once, and ends', async () => {
  const [fan, star] = [await newPerson(), await newPerson()]
  const address = `/user/following/${star.name.toUpperCase()}`
  expect((await forge.asUser(fan).get(address)).status).toBe(404)
  for (let i = 0; i < 2; i++) expect(await follow(fan, star.name.toUpperCase())).toMatchObject({ status: 204, body: '' })
  expect((await forge.asUser(fan).get(address)).status).toBe(204)
  expect((await forge.get(`/users/${fan.name}/following/${star.name}`)).status).toBe(204)
  expect((await forge.get(`/users/${star.name}/following/${fan.name}`)).status).toBe(404)
  expect([await counts(fan.name), await counts(star.name)]).toEqual([
    [0, 1],
    [1, 0],
  ])
  expect([await logins('/user/following', fan), await logins(`/users/${fan.name}/following`)]).toEqual([[star.name], [star.name]])
  expect([await logins('/user/followers', star), await logins(`/users/${star.name}/followers`)]).toEqual([[fan.name], [fan.name]])
  expect([await logins('/user/followers', fan), await logins('/user/following', star)]).toEqual([[], []])
  for (let i = 0; i < 2; i++) expect((await unfollow(fan, star.name)).status).toBe(204)
  expect((await forge.asUser(fan).get(address)).status).toBe(404)
  expect([await counts(fan.name), await counts(star.name)]).toEqual([
    [0, 0],
    [0, 0],
  ])
})

test('lists are read page by page', async () => {
  const star = await newPerson()
  const fans = [await newPerson(), await newPerson(), await newPerson()]
  for (const fan of fans) await follow(fan, star.name)
  const { body, headers } = await forge.get<UserRecord[]>(`/users/${star.name}/followers?limit=2&page=2`)
  expect(body.map((user) => user.login)).toEqual([(fans[2] as Person).name])
  expect(headers.get('x-total-count')).toBe('3')
  expect(headers.get('link')).toContain(`/api/v1/users/${star.name}/followers?limit=2&page=1>; rel="first"`)
})

test('following oneself changes nothing', async () => {
  expect([(await follow(ada, 'ada')).status, (await unfollow(ada, 'ada')).status]).toEqual([204, 204])
  expect((await forge.asUser(ada).get('/user/following/ada')).status).toBe(404)
  expect(await counts('ada')).toEqual([0, 0])
})

test('an organization is followed like a person, a private one by those who belong to it', async () => {
  expect((await follow(ada, 'ACME')).status).toBe(204)
  expect((await forge.get('/users/ada/following/acme')).status).toBe(204)
  expect([await logins('/users/ada/following'), await logins('/users/acme/followers'), await logins('/users/acme/following')]).toEqual([['acme'], ['ada'], []])
  expect([(await follow(ada, 'lair')).status, (await follow(bob, 'lair')).status]).toEqual([404, 204])
  expect([await logins('/user/following', bob), await logins('/users/bob/following', ada), await logins('/users/bob/following', root)]).toEqual([
    ['lair'],
    [],
    ['lair'],
  ])
  expect((await forge.asUser(ada).get('/users/lair/followers')).status).toBe(404)
  expect((await unfollow(ada, 'acme')).status).toBe(204)
})

const lines: [line: string, visitor: number, member: number][] = [
  ['GET /user/followers', 401, 200],
  ['GET /user/following', 401, 200],
  ['GET /user/following/NAME', 401, 404],
  ['PUT /user/following/NAME', 401, 404],
  ['DELETE /user/following/NAME', 401, 404],
  ['GET /users/NAME/followers', 404, 404],
  ['GET /users/NAME/following', 404, 404],
  ['GET /users/NAME/following/ada', 404, 404],
  ['GET /users/ada/following/NAME', 404, 404],
]

test.each(lines)('%s: nobody and those who are hidden are 404 alike', async (line, visitor, member) => {
  const before = rows()
  const messages = new Set()
  for (const name of ['nobody', 'hidden', '%ff', '..%2f', `x${'y'.repeat(300)}`]) {
    if (name !== '%ff') expect((await forge.send(line.replace('NAME', name))).status).toBe(visitor)
    const { status, body } = await forge.asUser(bob).send(line.replace('NAME', name))
    expect(status).toBe(member)
    if (name.length === 6 && member === 404) messages.add((body.message as string).replace(name, ''))
  }
  expect(messages.size).toBe(member === 404 ? 1 : 0)
  expect(rows()).toEqual(before)
})

test('who is limited is seen by members that are not restricted', async () => {
  expect([(await forge.get('/users/quiet/followers')).status, (await forge.asUser(bob).get('/users/quiet/followers')).status]).toEqual([404, 200])
  expect([(await follow(limp, 'quiet')).status, (await follow(bob, 'quiet')).status]).toEqual([404, 204])
  expect((await unfollow(bob, 'quiet')).status).toBe(204)
})

test('whom a viewer may not see is in none of the lists, and a follow of theirs can still be ended', async () => {
  const [star, fan] = [await newPerson(), await newPerson()]
  for (const person of [fan, quiet, hidden]) await follow(person, star.name)
  const followers = (as?: Person | string) => logins(`/users/${star.name}/followers`, as)
  expect([await followers(), await followers(limp), await followers(bob), await followers(hidden), await followers(root)]).toEqual([
    [fan.name],
    [fan.name],
    ['quiet', fan.name],
    ['hidden', 'quiet', fan.name],
    ['hidden', 'quiet', fan.name],
  ])
  expect(await followers(forge.token(hidden, 'read:user', 'public-only'))).toEqual([fan.name])
  setVisibility(star, 'private')
  expect(await logins('/user/following', fan)).toEqual([])
  expect((await forge.asUser(fan).get(`/user/following/${star.name}`)).status).toBe(404)
  expect([(await unfollow(fan, star.name)).status, (await unfollow(fan, star.name)).status]).toEqual([204, 404])
  expect((await counts(star.name))[0]).toBe(2)
})

test('a follow outlives a new name, and the old one still leads there', async () => {
  const [fan, star] = [await newPerson(), await newPerson()]
  await follow(fan, star.name)
  expect((await forge.asUser(root).post(`/admin/users/${star.name}/rename`, { new_username: 'renowned' })).status).toBe(204)
  expect(await logins('/user/following', fan)).toEqual(['renowned'])
  expect((await forge.get(`/users/${star.name}/followers`)).headers.get('location')).toBe('/api/v1/users/renowned/followers')
  expect((await unfollow(fan, star.name)).status).toBe(204)
  expect(await logins('/users/renowned/followers')).toEqual([])
})

test('an account takes its follows with it, and both counts go down', async () => {
  const [fan, star, idol] = [await newPerson(), await newPerson(), await newPerson()]
  await follow(fan, star.name)
  await follow(star, idol.name)
  expect((await forge.asUser(root).delete(`/admin/users/${star.name}`)).status).toBe(204)
  expect([await counts(fan.name), await counts(idol.name)]).toEqual([
    [0, 0],
    [0, 0],
  ])
  expect(db.find('SELECT 1 FROM follow WHERE ? IN (follower_id, followed_id)', star.row.id)).toBeUndefined()
})

test('a token needs the scope user, and write to change', async () => {
  const reading = forge.token(ada, 'read:user')
  const elsewhere = forge.token(ada, 'write:repository')
  for (const [line, ofReading] of [
    ['GET /user/followers', 200],
    ['GET /user/following', 200],
    ['GET /user/following/bob', 404],
    ['GET /users/bob/followers', 200],
    ['GET /users/bob/following', 200],
    ['GET /users/bob/following/ada', 404],
    ['PUT /user/following/bob', 403],
    ['DELETE /user/following/bob', 403],
  ] as const) {
    expect([line, (await forge.asUser(reading).send(line)).status, (await forge.asUser(elsewhere).send(line)).status]).toEqual([line, ofReading, 403])
  }
})
