import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BlobStore, blobPath, noteBlob } from '#blobs/index.ts'
import type { Oid } from '#git/objects/oid.ts'
import { silentLog } from '#kernel/log.ts'
import { SecretBox } from '#kernel/secret-box.ts'
import { Tasks } from '#kernel/tasks.ts'
import { updateRefs, writeDerived } from '#repositories/refs/index.ts'
import { git, type TestForge, testForge } from '../../../test/harness.ts'
import { examine, isWell } from './index.ts'

let forge: TestForge
let id: number
let path: string

/** A repository with one commit, packed by stock git. */
beforeEach(async () => {
  forge = testForge()
  id = forge.repo(await forge.person('ada'), 'engine').id
  path = forge.context.git.pathOf(id)
  const tree = await git(['-C', path, 'mktree'], {
    input: `100644 blob ${await git(['-C', path, 'hash-object', '-w', '--stdin'], { input: 'hello' })}\tREADME.md\n`,
  })
  const commit = (await git(['-C', path, 'commit-tree', '-m', 'Start', tree])) as Oid
  point('refs/heads/main', commit)
  // Nothing in the background rewrites what the tests spoil.
  await forge.context.tasks.stop()
  await writeDerived(forge.context, id)
  await git(['-C', path, 'repack', '-adq'])
})
afterEach(() => forge[Symbol.asyncDispose]())

/** Takes the pack apart into loose objects. */
async function unpack(): Promise<void> {
  const bytes = readFileSync(packPath())
  rmSync(join(path, 'objects/pack'), { recursive: true })
  mkdirSync(join(path, 'objects/pack'))
  await git(['-C', path, 'unpack-objects', '-q'], { input: bytes })
}

function packPath(): string {
  const directory = join(path, 'objects/pack')
  return join(directory, readdirSync(directory).find((name) => name.endsWith('.pack')) as string)
}

function point(name: string, oid: Oid): void {
  forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: id, actorId: 1, message: 'test', updates: [{ name, new: oid }] }))
}

/** The problems found, as `check: text`, and whether all is well after it. */
async function problems(repair = false): Promise<{ found: string[]; well: boolean }> {
  const diagnoses = await examine({ ...forge.context, tasks: new Tasks(silentLog), isServed: false }, repair, () => {})
  return { found: diagnoses.flatMap(({ check, problems }) => problems.map(({ text }) => `${check}: ${text}`)), well: isWell(diagnoses) }
}

test('a sound store has nothing wrong', async () => {
  expect(await problems()).toEqual({ found: [], well: true })
})

describe('damage that cannot be derived again is told, and stays', () => {
  test('a ref to an object that is not stored', async () => {
    point('refs/heads/lost', '1'.repeat(40) as Oid)
    await writeDerived(forge.context, id)
    expect(await problems(true)).toEqual({ found: [expect.stringContaining('refs/heads/lost points to 1111')], well: false })
  })

  test('a flipped bit in a pack', async () => {
    const bytes = readFileSync(packPath())
    bytes[bytes.length - 25] = (bytes[bytes.length - 25] as number) ^ 1
    chmodSync(packPath(), 0o644)
    writeFileSync(packPath(), bytes)
    const { found, well } = await problems(true)
    expect(well).toBe(false)
    expect(found).toContainEqual(expect.stringMatching(/^packs: .*\.pack: Cannot verify pack/))
  })

  test('an index that was cut off', async () => {
    const index = packPath().replace(/pack$/, 'idx')
    const bytes = readFileSync(index)
    chmodSync(index, 0o644)
    writeFileSync(index, bytes.subarray(0, 500))
    expect((await problems(true)).found).toContainEqual(expect.stringMatching(/^packs: Cannot read pack index pack-.*: 500 bytes are too few/))
  })

  test('a file beside an issue that the disk has changed', async () => {
    const { context } = forge
    const landed = await context.services.get(BlobStore).land(new Response('what was sent').body as ReadableStream<Uint8Array>, 100)
    context.db.tx((tx) => {
      noteBlob(tx, landed, 0)
      tx.run('UPDATE blob SET use_count = 1')
    })
    landed.keep()
    expect((await problems()).found).toEqual([])
    writeFileSync(blobPath(context.config.dataPath, landed.digest), 'what was SENT')
    expect((await problems(true)).found).toEqual(['attached files: is used by an attachment, but its content is damaged'])
  })

  test('a blob that a reachable tree names and that is gone', async () => {
    const blob = await git(['-C', path, 'rev-parse', 'main:README.md'])
    await unpack()
    rmSync(join(path, 'objects', blob.slice(0, 2)), { recursive: true })
    expect(await problems(true)).toEqual({ found: [expect.stringContaining(blob)], well: false })
  })

  test('a directory that is not there', async () => {
    rmSync(path, { recursive: true })
    expect((await problems(true)).found).toEqual([expect.stringContaining(`the directory ${path} does not exist`)])
  })
})

test('secrets whose key is gone are told, and no other key is made for them', async () => {
  const { secrets } = forge.context
  const config = { url: 'http://127.0.0.1:9/', content_type: 'json', secret: 'hush' }
  await forge.asUser('ada').post('/repos/ada/engine/hooks', { type: 'gitea', config, events: ['push'] })
  expect(await problems()).toEqual({ found: [], well: true })
  rmSync(secrets.path)
  const expected = [expect.stringContaining('encrypted secrets: does not exist, and without it the server cannot decrypt 1 webhook secret')]
  expect(await problems()).toEqual({ found: expected, well: false })
  expect(existsSync(secrets.path)).toBe(false)
  writeFileSync(secrets.path, `${'1'.repeat(64)}\n`)
  const other = { ...forge.context, secrets: new SecretBox(forge.context.config.dataPath), tasks: new Tasks(silentLog), isServed: false }
  const diagnoses = await examine(other, false, () => {})
  expect(diagnoses.at(-1)?.problems.map(({ text }) => text)).toEqual([expect.stringContaining('does not contain the key for 1 webhook secret')])
})

describe('what can be set right is told, and repaired when asked', () => {
  const cases: [string, () => void][] = [
    ['packed-refs and HEAD: ', () => writeFileSync(join(path, 'packed-refs'), '')],
    ['packed-refs and HEAD: ', () => writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/other\n')],
    ['orphan directories: ', () => mkdirSync(forge.context.git.pathOf(999))],
    ['repository directories: .* has no HEAD$', () => rmSync(join(path, 'HEAD'))],
    ['repository directories: .* has no refs$', () => rmSync(join(path, 'refs'), { recursive: true })],
    [
      'repository directories: .* has no HEAD, config, refs$',
      () => {
        for (const part of ['HEAD', 'config', 'refs', 'packed-refs']) rmSync(join(path, part), { recursive: true, force: true })
      },
    ],
  ]
  test.each(cases)('%s', async (check, spoil) => {
    spoil()
    const before = await problems()
    expect(before).toEqual({ found: [expect.stringMatching(new RegExp(check))], well: false })
    expect((await problems(true)).well).toBe(true)
    expect(await problems()).toEqual({ found: [], well: true })
    expect(await git(['-C', path, 'log', '--format=%s', 'main'])).toBe('Start')
  })
})

describe('what a killed server leaves is told, is nothing wrong since the next start sees to it, and can be set right before', () => {
  const cases: [string, () => void | Promise<void>][] = [
    ['packed-refs and HEAD: ', async () => point('refs/heads/next', (await git(['-C', path, 'rev-parse', 'main'])) as Oid)],
    ['leftover quarantines: ', () => mkdirSync(join(path, 'objects/tmp_incoming-0000'))],
    ['leftover quarantines: ', () => writeFileSync(join(path, 'packed-refs.0000.tmp'), '')],
    ['leftover quarantines: ', () => writeFileSync(join(path, 'objects/pack/pack-0000.idx'), '')],
    ['deleted repositories: ', () => void forge.context.db.tx((tx) => tx.insert('removed_repository', { id: 999, removed_at: 1 }))],
  ]
  test.each(cases)('%s', async (check, leave) => {
    await leave()
    expect(await problems()).toEqual({ found: [expect.stringMatching(new RegExp(`^${check}.*the next start of the server`))], well: true })
    expect((await problems(true)).well).toBe(true)
    expect(await problems()).toEqual({ found: [], well: true })
  })
})

test('what a server may be about to do is not told while one runs, and is when none does', async () => {
  point('refs/heads/next', (await git(['-C', path, 'rev-parse', 'main'])) as Oid)
  mkdirSync(forge.context.git.pathOf(999))
  const diagnoses = await examine({ ...forge.context, isServed: true }, false, () => {})
  expect(diagnoses.flatMap(({ problems }) => problems)).toEqual([])
  expect((await problems()).found).toHaveLength(2)
})

describe('what a server does while it is examined is nothing wrong', () => {
  const beside = async () => {
    const diagnoses = await examine({ ...forge.context, tasks: new Tasks(silentLog), isServed: true }, false, () => {})
    return diagnoses.flatMap(({ check, problems }) => problems.map(({ text }) => `${check}: ${text}`))
  }
  const remove = (removed: { id: number; removed_at: number }) => forge.context.db.tx((tx) => tx.insert('removed_repository', removed))

  test('a repository was deleted just now, whose directory is old, or gone', async () => {
    const { git: stores, clock, db } = forge.context
    for (const removed of [998, 999]) remove({ id: removed, removed_at: clock.seconds() })
    mkdirSync(stores.pathOf(998))
    utimesSync(stores.pathOf(998), 1, 1)
    expect(await beside()).toEqual([])
    db.tx((tx) => tx.run('UPDATE removed_repository SET removed_at = ? WHERE id = 999', clock.seconds() - 7200))
    expect(await beside()).toEqual([expect.stringContaining('deleted repositories: ')])
  })

  test('a repository is being made, whose directory is not there yet', async () => {
    remove({ id: 999, removed_at: 0 })
    expect(await beside()).toEqual([])
  })

  test('a repository is deleted as it is looked at', async () => {
    const { db, git: stores } = forge.context
    const pathOf = stores.pathOf.bind(stores)
    stores.pathOf = (one) => {
      db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', id))
      rmSync(path, { recursive: true, force: true })
      return pathOf(one)
    }
    expect(await beside()).toEqual([])
  })
})

test('a search index that lost a text is made anew', async () => {
  await forge.asUser('ada').post('/repos/ada/engine/issues', { title: 'Rotating gears', body: '検索エンジン' })
  const find = async (q: string) => (await forge.asUser('ada').get<unknown[]>(`/repos/ada/engine/issues?q=${encodeURIComponent(q)}`)).body.length
  expect([await find('rotat'), await find('索エ')]).toEqual([1, 1])
  forge.context.db.tx((tx) => tx.run('DELETE FROM issue_search'))
  expect([await find('rotat'), await find('索エ')]).toEqual([0, 0])
  const diagnoses = await examine({ ...forge.context, isServed: false }, true, () => {})
  expect(diagnoses.find(({ check }) => check === 'search index')?.problems).toMatchObject([{ repaired: true }])
  expect([await find('rotat'), await find('索エ')]).toEqual([1, 1])
})
