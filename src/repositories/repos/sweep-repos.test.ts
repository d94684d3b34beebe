import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { accessStore, wikiIdOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { lineLog } from '#kernel/log.ts'
import { Services } from '#kernel/services.ts'
import { markInexact } from '#repositories/refs/index.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { awaitRepo, createRepo, removeDirectories, sweepRemoved } from './index.ts'
import { slice } from './slice.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let context: Context
let ada: Person
beforeAll(async () => {
  context = forge.context
  ada = await forge.person('ada')
})
afterAll(() => forge[Symbol.asyncDispose]())

/** The same store in the hands of another process, which has begun nothing. */
const afterCrash = (): Context => ({ ...context, services: new Services<Context>(() => context) })

const make = (name: string, more: { awaitsContent?: boolean; id?: number } = {}) =>
  createRepo(context, { owner: ada.row, actor: ada.row, name, private: true, ...more })
const isThere = (id: number) => accessStore.findRepoById(context.db, id) !== undefined
const notes = () => ['unfilled_repository', 'removed_repository'].flatMap((table) => context.db.all(`SELECT * FROM ${table}`))

function putObject(id: number): void {
  context.git.create(id, 'main', SHA1)
  mkdirSync(join(context.git.pathOf(id), 'objects', 'ab'))
  writeFileSync(join(context.git.pathOf(id), 'objects', 'ab', 'cd'), '')
}

test('a repository that a crash left before its first content is taken back, and not by the process that is at it', async () => {
  const { id } = make('unfilled', { awaitsContent: true })
  await sweepRemoved(context)
  expect(isThere(id)).toBe(true)
  await sweepRemoved(afterCrash())
  expect([isThere(id), existsSync(context.git.pathOf(id)), notes()]).toEqual([false, false, []])
})

test('it is gone before the next start answers the first request', async () => {
  const { id } = make('half-made', { awaitsContent: true })
  await slice.settle?.(context)
  expect(isThere(id)).toBe(true)
  await slice.settle?.(afterCrash())
  expect(isThere(id)).toBe(false)
})

test('one that somebody else has filled meanwhile stays, and so does one that was to be empty', async () => {
  const { id } = make('filled-by-others', { awaitsContent: true })
  const empty = make('empty')
  context.db.tx((tx) => tx.insert('ref', { repo_id: id, name: 'refs/heads/main', oid: SHA1.zero }))
  await sweepRemoved(afterCrash())
  expect([isThere(id), isThere(empty.id), notes()]).toEqual([true, true, []])
})

test('one that is filled is noted no more', async () => {
  const made = await asAda.post<{ id: number }>('/user/repos', { name: 'filled', auto_init: true })
  expect([made.status, notes()]).toEqual([201, []])
})

test('objects of a repository that a crash kept from being made go with it, and are not set aside', async () => {
  const coming = awaitRepo(context)
  const aside = await context.git.listAside()
  putObject(coming.id)
  await sweepRemoved(context)
  await removeDirectories(afterCrash())
  expect(existsSync(context.git.pathOf(coming.id))).toBe(true)
  await sweepRemoved(afterCrash())
  expect([existsSync(context.git.pathOf(coming.id)), await context.git.listAside(), notes()]).toEqual([false, aside, []])
})

test('objects of which nothing tells are set aside at once', async () => {
  const before = (await context.git.listAside()).length
  putObject(77_777)
  await sweepRemoved(context)
  expect([existsSync(context.git.pathOf(77_777)), (await context.git.listAside()).length]).toEqual([false, before + 1])
})

test('a directory that cannot be looked into stays as it is, and the others are cleared away', async () => {
  const [first, odd, last] = [88_887, 88_888, 88_889]
  for (const id of [first, odd, last]) putObject(id)
  // As a disk would refuse, or the rights of another account.
  const objects = join(context.git.pathOf(odd), 'objects')
  renameSync(objects, `${objects}.kept`)
  symlinkSync(objects, objects)
  await sweepRemoved(context)
  const left = [first, odd, last].map((id) => existsSync(join(context.git.pathOf(id), 'HEAD')))
  expect([left, existsSync(join(`${objects}.kept`, 'ab', 'cd'))]).toEqual([[false, true, false], true])
  rmSync(context.git.pathOf(odd), { recursive: true })
})

test('what was set aside under an older database is put back once the newer one is there again, and what is of another is not', async () => {
  const fill = async (name: string) => (await asAda.post<{ id: number }>('/user/repos', { name, auto_init: true })).body.id
  const [own, other] = [await fill('newer'), await fill('other')]
  const path = context.git.pathOf(own)
  context.git.setAside(own, 1000)
  const wrong = path.replace(/(\d+)\.git$/, 'aside-$1-2000.git')
  renameSync(context.git.setAside(other, 1000) as string, wrong)
  await sweepRemoved(context)
  expect([existsSync(path), existsSync(wrong), existsSync(context.git.pathOf(other))]).toEqual([true, true, false])
  expect((await asAda.get('/repos/ada/newer/contents/README.md')).status).toBe(200)
  renameSync(wrong, context.git.pathOf(other))
})

test('so is what lost its place to a repository that was made under the older database, which is set aside for it', async () => {
  const { body: newer } = await asAda.post<{ id: number }>('/user/repos', { name: 'displaced', auto_init: true })
  const path = context.git.pathOf(newer.id)
  const before = (await context.git.listAside()).length
  context.git.setAside(newer.id, 1000)
  putObject(newer.id)
  await sweepRemoved(context)
  expect((await asAda.get('/repos/ada/displaced/contents/README.md')).status).toBe(200)
  expect([existsSync(join(path, 'objects', 'ab', 'cd')), (await context.git.listAside()).length]).toEqual([false, before + 1])
})

test('the directory of a wiki whose first page did not come goes, unless its objects may be those of a newer store', async () => {
  const [empty, torn, newer] = [make('a'), make('b'), make('c')].map(({ id }) => wikiIdOf(id)) as [number, number, number]
  context.git.create(empty, 'main', SHA1)
  for (const id of [torn, newer]) putObject(id)
  context.db.tx((tx) => markInexact(tx, torn))
  const before = (await context.git.listAside()).length
  const leave = await context.pushes.share(empty)
  await sweepRemoved(context)
  expect([empty, torn, newer].map((id) => existsSync(context.git.pathOf(id)))).toEqual([true, false, false])
  leave()
  await sweepRemoved(context)
  expect([existsSync(context.git.pathOf(empty)), (await context.git.listAside()).length]).toEqual([false, before + 1])
  expect(readdirSync(dirname(context.git.pathOf(1))).filter((name) => name.includes('wiki') && !name.startsWith('aside'))).not.toContain(`${-empty}.wiki.git`)
})

test('a repository whose directory was not copied with the store is told of, and stays', async () => {
  const lost = make('lost')
  const path = context.git.pathOf(lost.id)
  let said = ''
  const log = lineLog('error', (line) => {
    said += line
  })
  await sweepRemoved({ ...context, log })
  expect(said).toBe('')
  renameSync(path, `${path}.elsewhere`)
  await sweepRemoved({ ...context, log })
  renameSync(`${path}.elsewhere`, path)
  expect(said).toContain(`repository directories are missing; run \`pocketforge doctor\` to list them repos=1 first=${JSON.stringify(path)}`)
  expect(isThere(lost.id)).toBe(true)
})

test('of very many repositories some are looked at at a time, and all whose directories are missing are told of', async () => {
  await using forge = testForge()
  const { context } = forge
  const one = forge.repo(await forge.person('ada'), 'one-of-many')
  const { id: _, ...row } = accessStore.findRepoById(context.db, one.id) ?? {}
  context.db.tx((tx) => {
    for (let n = 0; n < 1200; n++) tx.insert('repository', { ...row, name: `many-${n}`, lower_name: `many-${n}` })
  })
  let said = ''
  const log = lineLog('error', (line) => {
    said += line
  })
  const rows = spyOn(context.db, 'all')
  await sweepRemoved({ ...context, log })
  const most = Math.max(...rows.mock.results.map(({ value }) => (value as unknown[]).length))
  rows.mockRestore()
  expect(said).toContain('repos=1200 ')
  expect(most).toBeLessThanOrEqual(500)
})
