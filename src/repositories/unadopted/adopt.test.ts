import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDerived } from '#repositories/refs/index.ts'
import { removeDirectories } from '#repositories/repos/index.ts'
import { turns } from '../../../test/eventually.ts'
import { git, tryGit } from '../../../test/harness.ts'
import { makeSite, packIn, refsOf, type Site } from './unadopted.fixture.ts'

let site: Site
beforeEach(async () => {
  site = await makeSite()
})
afterEach(() => site[Symbol.asyncDispose]())

/** Clones everything from the forge, as git's users do, into `path`. */
async function cloneTo(path: string, fullName: string): Promise<void> {
  const server = Bun.serve({ port: 0, fetch: site.forge.app.fetch })
  try {
    await git(['clone', '-q', '--mirror', `http://root:${site.root.token}@localhost:${server.port}/${fullName}.git`, path])
  } finally {
    await server.stop(true)
  }
}

describe('is adopted with all that its refs reach', () => {
  const nothing = () => {}
  /** What `spoil` does, git is not asked about any more. */
  const cases: [claim: string, change: (path: string) => Promise<unknown> | unknown, spoil?: (path: string) => unknown][] = [
    ['a repository as git makes it', nothing],
    ['packed refs and one pack', (path) => git(['-C', path, 'gc', '-q'])],
    [
      'several packs that share objects',
      async (path) => {
        await git(['-C', path, 'pack-objects', '-q', '--revs', join(path, 'objects/pack/pack')], { input: 'v1\n' })
        await git(['-C', path, 'pack-objects', '-q', '--revs', join(path, 'objects/pack/pack')], { input: 'main\n^v1~2\n' })
      },
    ],
    [
      'loose objects only',
      async (path) => {
        const packs = join(path, 'objects/pack')
        renameSync(packs, `${path}.packs`)
        mkdirSync(packs)
        for (const name of readdirSync(`${path}.packs`).filter((one) => one.endsWith('.pack')))
          await git(['-C', path, 'unpack-objects', '-q'], { input: readFileSync(join(`${path}.packs`, name)) })
        rmSync(`${path}.packs`, { recursive: true })
      },
    ],
    ['a pack without an index', nothing, (path) => rmSync(packIn(path).replace(/pack$/, 'idx'))],
    [
      'a pack with an index that lies',
      nothing,
      (path) => {
        const idx = packIn(path).replace(/pack$/, 'idx')
        const bytes = readFileSync(idx)
        // Any object's offset is another's.
        bytes.copyWithin(bytes.length - 40 - 40, bytes.length - 40 - 80, bytes.length - 40 - 40)
        chmodSync(idx, 0o644)
        writeFileSync(idx, bytes)
      },
    ],
    [
      'a pack with an index that is a link',
      nothing,
      (path) => {
        const idx = packIn(path).replace(/pack$/, 'idx')
        rmSync(idx)
        symlinkSync('/dev/zero', idx)
      },
    ],
    [
      'settings, hooks and links that nobody follows',
      nothing,
      (path) => {
        writeFileSync(join(path, 'config'), '[core]\n\tfsmonitor = touch /tmp/pf-was-run\n\tworktree = /\n[include]\n\tpath = /dev/zero\n')
        mkdirSync(join(path, 'hooks'), { recursive: true })
        writeFileSync(join(path, 'hooks/post-update'), '#!/bin/sh\nfalse\n', { mode: 0o755 })
        symlinkSync('/etc', join(path, 'objects/info/more'))
        symlinkSync('/', join(path, 'everything'))
      },
    ],
    ['grafts, which do not cut its history', nothing, (path) => writeFileSync(join(path, 'info/grafts'), readFileSync(join(path, 'refs/heads/main')))],
    ['replacements, which do not replace', (path) => git(['-C', path, 'replace', 'main', 'main~3'])],
    [
      'the .git of a working copy',
      async (path) => {
        await git(['clone', '-q', '--no-hardlinks', path, `${path}.work`])
        rmSync(path, { recursive: true })
        renameSync(join(`${path}.work`, '.git'), path)
        rmSync(`${path}.work`, { recursive: true })
      },
    ],
  ]

  test.each(cases.map(([claim, change, spoil]) => [claim, change, spoil ?? nothing] as const))('%s', async (_claim, change, spoil) => {
    const path = site.drop('ada/engine')
    await change(path)
    const before = await refsOf(path)
    spoil(path)
    expect(await site.list()).toEqual(['ada/engine'])
    expect((await site.adopt('ada/engine')).status).toBe(204)
    expect(existsSync(path)).toBe(false)
    expect(await site.list()).toEqual([])
    const { body } = await site.forge.asUser(site.root).get('/repos/ada/engine')
    expect(body).toMatchObject({ full_name: 'ada/engine', private: true, default_branch: 'main', empty: false })
    const clone = join(site.forge.context.config.dataPath, 'clone.git')
    await cloneTo(clone, 'ada/engine')
    expect(await refsOf(clone)).toBe(before)
    expect(await git(['-C', clone, '--no-replace-objects', 'rev-list', '--count', 'main'])).toBe('30')
    expect((await tryGit(['-C', clone, 'fsck', '--full', '--strict'])).exitCode).toBe(0)
    const stored = site.forge.context.git.pathOf(body.id as number)
    await writeDerived(site.forge.context, body.id as number)
    expect((await tryGit(['-C', stored, 'fsck', '--full', '--strict'])).stderr).toBe('')
    expect(readdirSync(stored).sort()).toEqual(['HEAD', 'config', 'objects', 'packed-refs', 'refs'])
  })
})

test("the refs of another server's pull requests stand aside, with all that they reach", async () => {
  const path = site.drop('ada/engine')
  const head = await git(['-C', path, 'commit-tree', '-p', 'main', '-m', 'of a pull request', 'main^{tree}'])
  await git(['-C', path, 'update-ref', 'refs/pull/7/head', head])
  const before = await refsOf(path)
  cpSync(path, `${path}.kept`, { recursive: true })
  expect((await site.adopt('ada/engine')).status).toBe(204)
  const clone = join(site.forge.context.config.dataPath, 'clone.git')
  await cloneTo(clone, 'ada/engine')
  expect((await refsOf(clone)).replace('refs/adopted/pull/7/head', 'refs/pull/7/head').split('\n').sort()).toEqual(before.split('\n').sort())
  expect(await git(['-C', clone, 'log', '-1', '--format=%s', 'refs/adopted/pull/7/head'])).toBe('of a pull request')
  cpSync(`${path}.kept`, path, { recursive: true })
  expect([(await site.adopt('ada/engine')).status, existsSync(path)]).toEqual([204, false])
})

test('a ref that cannot be taken in is named, and not those beside it', async () => {
  const path = site.drop('ada/engine')
  await git(['-C', path, 'update-ref', 'refs/stash', 'main'])
  const { status, body } = await site.adopt('ada/engine')
  expect([status, body.message]).toEqual([422, expect.stringContaining('Cannot adopt ada/engine: refs/stash: funny refname: it lies directly under')])
})

describe('a wiki that waits beside its repository', () => {
  const W = 'ada/engine.wiki'

  test('comes along whole, is read from its own branch, and waits no more', async () => {
    const [path, wiki] = [site.drop('ada/engine', 3), site.drop(W, 5)]
    await git(['-C', wiki, 'branch', '-q', '-m', 'main', 'master'])
    const before = await refsOf(wiki)
    expect((await site.adopt('ada/engine')).status).toBe(204)
    expect([existsSync(path), existsSync(wiki)]).toEqual([false, false])
    expect((await site.forge.asUser(site.root).get('/repos/ada/engine')).body).toMatchObject({ wiki_branch: 'master', default_branch: 'main' })
    const clone = join(site.forge.context.config.dataPath, 'clone.git')
    await cloneTo(clone, W)
    expect(await refsOf(clone)).toBe(before)
    expect((await tryGit(['-C', clone, 'fsck', '--full', '--strict'])).exitCode).toBe(0)
  })

  test('is none when nothing was ever written there', async () => {
    site.drop('ada/engine', 3)
    await git(['init', '-q', '--bare', site.placeOf(W)])
    expect((await site.adopt('ada/engine')).status).toBe(204)
    expect(existsSync(site.placeOf(W))).toBe(false)
    expect((await site.forge.asUser(site.root).get('/repos/ada/engine/wiki/pages')).status).toBe(404)
  })

  test('that is damaged keeps both waiting, and nothing is made', async () => {
    const [path, wiki] = [site.drop('ada/engine', 3), site.drop(W, 5)]
    writeFileSync(join(wiki, 'refs/heads/main'), `${'5'.repeat(40)}\n`)
    const { status, body } = await site.adopt('ada/engine')
    expect([status, body.message]).toEqual([422, expect.stringContaining('Cannot adopt ada/engine.wiki:')])
    expect([existsSync(path), existsSync(wiki)]).toEqual([true, true])
    expect((await site.forge.asUser(site.root).get('/repos/ada/engine')).status).toBe(404)
  })

  test('and that was adopted before the server was killed goes when it is adopted again; another one stays', async () => {
    const [path, wiki] = [site.drop('ada/engine', 3), site.drop(W, 5)]
    cpSync(path, `${path}.kept`, { recursive: true })
    cpSync(wiki, `${wiki}.kept`, { recursive: true })
    expect((await site.adopt('ada/engine')).status).toBe(204)
    cpSync(`${path}.kept`, path, { recursive: true })
    site.drop(W, 7)
    expect([(await site.adopt('ada/engine')).status, existsSync(path), existsSync(wiki)]).toEqual([404, true, true])
    rmSync(wiki, { recursive: true })
    cpSync(`${wiki}.kept`, wiki, { recursive: true })
    expect([(await site.adopt('ada/engine')).status, existsSync(path), existsSync(wiki)]).toEqual([204, false, false])
  })
})

describe('the default branch', () => {
  const cases: [claim: string, change: (path: string) => Promise<unknown> | unknown, branch: string, empty: boolean][] = [
    ['is what HEAD names', (path) => git(['-C', path, 'branch', '-q', '-m', 'main', 'trunk']), 'trunk', false],
    [
      'is a usual one when HEAD is detached',
      async (path) => writeFileSync(join(path, 'HEAD'), `${await git(['-C', path, 'rev-parse', 'main~2'])}\n`),
      'main',
      false,
    ],
    [
      'is the one there is when HEAD names none',
      async (path) => {
        await git(['-C', path, 'update-ref', 'refs/heads/topic', 'main'])
        await git(['-C', path, 'update-ref', '-d', 'refs/heads/main'])
      },
      'topic',
      false,
    ],
    [
      'is the configured one when nothing was ever committed',
      async (path) => {
        rmSync(path, { recursive: true })
        await git(['init', '-q', '--bare', '-b', 'other', path])
      },
      'main',
      true,
    ],
  ]
  test.each(cases)('%s', async (_claim, change, branch, empty) => {
    await change(site.drop('ada/engine'))
    expect((await site.adopt('ada/engine')).status).toBe(204)
    expect((await site.forge.asUser(site.root).get('/repos/ada/engine')).body).toMatchObject({ default_branch: branch, empty })
  })
})

test('an adoption is announced as a creation, and belongs to the owner, an organization too', async () => {
  await site.forge.asUser(site.root).post('/orgs', { username: 'guild' })
  site.drop('guild/engine')
  expect((await site.adopt('Guild/Engine')).status).toBe(204)
  const { body } = await site.forge.asUser(site.root).get('/repos/guild/engine')
  expect(body).toMatchObject({ full_name: 'guild/Engine', private: true })
  const events = site.forge.context.events.after(0, 99).filter(({ event }) => 'repoId' in event && event.repoId === body.id)
  expect(events.map(({ event }) => event.type)).toEqual(['repository'])
})

test('two adoptions at once are one, and nobody deletes meanwhile', async () => {
  site.drop('ada/engine')
  const [first, second, deletion] = await Promise.all([site.adopt('ada/engine'), site.adopt('ada/engine'), site.remove('ada/engine')])
  expect([first.status, second.status, deletion.status]).toEqual([204, 409, 409])
  expect((await site.forge.asUser(site.root).get('/repos/ada/engine')).status).toBe(200)
})

test('a name that is taken meanwhile is a conflict, and nothing is half made', async () => {
  const ada = await site.forge.person('eve')
  const path = site.drop('eve/engine')
  const adopted = site.adopt('eve/engine')
  await turns()
  const { id } = site.forge.repo(ada, 'engine')
  expect((await adopted).status).toBe(409)
  expect(existsSync(join(path, 'HEAD'))).toBe(true)
  expect(readdirSync(site.repositories).sort()).toEqual([`${id}.git`, 'eve'])
})

test('who is demoted meanwhile adopts nothing', async () => {
  const path = site.drop('ada/engine')
  const adopted = site.adopt('ada/engine')
  await turns()
  site.forge.context.db.tx((tx) => tx.update('user', site.root.row.id, { is_admin: 0 }))
  expect((await adopted).status).toBe(401)
  expect(existsSync(join(path, 'HEAD'))).toBe(true)
})

describe('with very many refs', () => {
  /** Packed, as upkeep would leave them; the branch that HEAD names is not among them. */
  async function crowd(more: readonly string[] = []): Promise<string> {
    const path = site.drop('ada/engine', 3)
    const [oid, tag] = [await git(['-C', path, 'rev-parse', 'main']), await git(['-C', path, 'rev-parse', 'v1'])]
    const names = [...Array.from({ length: 1200 }, (_, i) => `refs/heads/many/${i}`), ...more].sort()
    writeFileSync(join(path, 'packed-refs'), [...names.map((name) => `${oid} ${name}`), `${tag} refs/tags/v9`, ''].join('\n'))
    await git(['-C', path, 'symbolic-ref', 'HEAD', 'refs/heads/nowhere'])
    rmSync(join(path, 'refs/heads/main'), { force: true })
    return path
  }

  const left = () => ['ref', 'reflog', 'repository', 'removed_repository'].map((table) => site.forge.context.db.all(`SELECT 1 FROM ${table}`).length)

  test('a repository is adopted whole, and again after a crash', async () => {
    const path = await crowd(['refs/heads/trunk'])
    cpSync(path, `${path}.copy`, { recursive: true })
    const before = await refsOf(path)
    const places = left()
    expect((await site.adopt('ada/engine')).status).toBe(204)
    const { body } = await site.forge.asUser(site.root).get<{ default_branch: string; id: number }>('/repos/ada/engine')
    expect([body.default_branch, existsSync(path)]).toEqual(['trunk', false])
    const count = before.split('\n').length
    expect(left()).toEqual([count, count, (places[2] ?? 0) + 1, 0])
    const stored = site.forge.context.git.pathOf(body.id)
    await writeDerived(site.forge.context, body.id)
    expect(await refsOf(stored)).toBe(before)
    expect((await tryGit(['-C', stored, 'fsck', '--full', '--strict'])).stderr).toBe('')
    renameSync(`${path}.copy`, path)
    expect([(await site.adopt('ada/engine')).status, existsSync(path)]).toEqual([204, false])
  })

  test('one of which lies under another is not, and nothing is left of them', async () => {
    const path = await crowd(['refs/heads/zoo', 'refs/heads/zoo/lion'])
    const places = left()
    const { status, body } = await site.adopt('ada/engine')
    expect([status, body.message, existsSync(path)]).toEqual([422, expect.stringContaining('refs/heads/zoo: directory/file conflict'), true])
    await removeDirectories(site.forge.context)
    expect(left()).toEqual(places)
  })
})

describe('after a crash', () => {
  test('between the transaction and the removal, a repeat removes what was adopted, unless there is more in it by now', async () => {
    const path = site.drop('ada/engine')
    cpSync(path, `${path}.copy`, { recursive: true })
    expect((await site.adopt('ada/engine')).status).toBe(204)
    renameSync(`${path}.copy`, path)
    writeFileSync(join(path, 'refs/heads/more'), await git(['-C', path, 'rev-parse', 'main~1']))
    expect((await site.adopt('ada/engine')).status).toBe(404)
    rmSync(join(path, 'refs/heads/more'))
    expect((await site.adopt('ada/engine')).status).toBe(204)
    expect(existsSync(path)).toBe(false)
    expect((await site.forge.asUser(site.root).get<unknown[]>('/repos/ada/engine/branches')).body).toHaveLength(1)
  })
})
