import { afterAll, expect, type Mock, spyOn, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessStore, anonymous, type RepoRow } from '#access/index.ts'
import { eventually } from '../../../test/eventually.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { rejection } from '../../../test/outcome.ts'
import { createFromBody } from './create-from-body.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const people = async (name: string) => ({
  owner: (await forge.person(`${name}-owner`)).row,
  actor: (await forge.person(`${name}-actor`, { isAdmin: true })).row,
})
const body = { name: 'engine', license: 'MIT', auto_init: true }

test.each([
  ['the actor is deleted', 'actor', 'DELETE FROM user WHERE id = ?', 401],
  ['the actor is barred', 'actor', 'UPDATE user SET prohibit_login = 1 WHERE id = ?', 401],
  ['the actor is demoted', 'actor', 'UPDATE user SET is_admin = 0 WHERE id = ?', 401],
  ['the owner is deleted', 'owner', 'DELETE FROM user WHERE id = ?', 404],
] as const)('no repository is made when %s while its files are gathered', async (name, whom, sql, status) => {
  const who = await people(name.replace(/\W+/g, '-'))
  const made = createFromBody(context, { owner: who.owner, viewer: { ...anonymous, user: who.actor }, body })
  context.db.tx((tx) => tx.run(sql, who[whom].id))
  expect(await rejection(made)).toMatchObject({ status })
  expect(context.db.all('SELECT 1 FROM repository WHERE owner_id = ?', who.owner.id)).toEqual([])
})

test('a repository that is deleted during its first commit is not found, and leaves nothing', async () => {
  const who = await people('early')
  let repo: RepoRow | undefined
  const make = context.git.make.bind(context.git)
  const making = spyOn(context.git, 'make').mockImplementation(((...input: Parameters<typeof make>) => {
    repo = accessStore.findRepo(context.db, who.owner.id, body.name)
    context.db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', repo?.id ?? 0))
    return make(...input)
  }) as typeof make)
  const made = createFromBody(context, { owner: who.owner, viewer: { ...anonymous, user: who.actor }, body })
  expect(await rejection(made)).toMatchObject({ status: 404 })
  making.mockRestore()
  expect(existsSync(context.git.pathOf((repo as RepoRow | undefined)?.id ?? 0))).toBe(false)
  expect(repo).toBeDefined()
})

const full = () => {
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' })
}

test.each([
  ['once', (mock: Mock<typeof context.db.tx>) => mock.mockImplementationOnce(full)],
  ['for a while', (mock: Mock<typeof context.db.tx>) => mock.mockImplementation(full)],
])('a repository whose content a full disk refused goes when the disk refuses %s to take it back', async (name, refuse) => {
  // Of its own: what the disk refuses in one case is tried again later, and would meet the next.
  await using forge = testForge()
  const { context } = forge
  const who = { owner: (await forge.person('owner')).row, actor: (await forge.person('actor', { isAdmin: true })).row }
  const find = () => accessStore.findRepo(context.db, who.owner.id, body.name)
  const tx = spyOn(context.db, 'tx')
  const making = spyOn(context.git, 'make').mockImplementation(() => {
    refuse(tx)
    return full()
  })
  expect(await rejection(createFromBody(context, { owner: who.owner, viewer: { ...anonymous, user: who.actor }, body }))).toMatchObject({ code: 'ENOSPC' })
  expect(find() !== undefined).toBe(name !== 'once')
  tx.mockRestore()
  making.mockRestore()
  await eventually(() => !find())
})

test('one that somebody else has filled meanwhile stays', async () => {
  const who = await people('filled')
  const find = () => accessStore.findRepo(context.db, who.owner.id, body.name)
  const tx = spyOn(context.db, 'tx')
  const making = spyOn(context.git, 'make').mockImplementation(() => {
    tx.mockImplementation(full)
    return full()
  })
  expect(await rejection(createFromBody(context, { owner: who.owner, viewer: { ...anonymous, user: who.actor }, body }))).toMatchObject({ code: 'ENOSPC' })
  tx.mockRestore()
  making.mockRestore()
  fillRepo(forge, (find() as RepoRow).id, (directory) => {
    writeFileSync(join(directory, 'a'), 'a')
    gitIn(directory, 'add', '-A')
    gitIn(directory, 'commit', '-qm', 'first')
  })
  await eventually(() => !context.db.find('SELECT 1 FROM unfilled_repository'))
  expect(find()).toBeDefined()
})

test('a repository that a full disk kept from being filled, and from being taken back, gives way when it is asked for again', async () => {
  const who = await people('crowded')
  const create = () => createFromBody(context, { owner: who.owner, viewer: { ...anonymous, user: who.actor }, body })
  const making = spyOn(context.git, 'make').mockImplementation(() => {
    spyOn(context.db, 'tx').mockImplementation(full)
    return full()
  })
  expect(await rejection(create())).toMatchObject({ code: 'ENOSPC' })
  spyOn(context.db, 'tx').mockRestore()
  making.mockRestore()
  const left = accessStore.findRepo(context.db, who.owner.id, body.name)
  expect(left).toBeDefined()
  const made = await create()
  expect([made.is_empty, made.id === left?.id, context.db.all('SELECT * FROM unfilled_repository')]).toEqual([0, false, []])
})
