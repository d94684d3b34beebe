import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, promises, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sweepRemoved } from '#repositories/repos/index.ts'
import { examine, isWell } from '#site/doctor/index.ts'
import { sweepUnadopted } from './index.ts'
import { makeSite, type Site } from './unadopted.fixture.ts'

let site: Site
beforeEach(async () => {
  site = await makeSite()
})
afterEach(() => site[Symbol.asyncDispose]())

test('site administrators list, adopt and delete; others do not learn what there is', async () => {
  site.drop('ada/engine', 2)
  const ada = await site.forge.person('eve')
  for (const line of ['GET /admin/unadopted', 'POST /admin/unadopted/ada/engine', 'DELETE /admin/unadopted/ada/engine', 'POST /admin/unadopted/ada/none']) {
    expect((await site.forge.send(line)).status).toBe(401)
    expect((await site.forge.asUser(ada).send(line)).status).toBe(403)
    expect((await site.forge.asUser(site.forge.token(site.root, 'write:repository')).send(line)).status).toBe(403)
  }
  expect((await site.forge.asUser(site.forge.token(site.root, 'read:admin')).post('/admin/unadopted/ada/engine')).status).toBe(403)
  expect(await site.list()).toEqual(['ada/engine'])
})

describe('the list', () => {
  const place = (...names: string[]) => {
    for (const name of names) mkdirSync(join(site.repositories, name), { recursive: true })
  }

  test('has what waits for owners that exist, and nothing that a link leads to', async () => {
    site.forge.repo(await site.forge.person('eve'), 'taken')
    place(
      'ada/b.git',
      'ada/a.git',
      'eve/Mixed.git',
      'EVE/c.git',
      'eve/taken.git',
      'ada/a.wiki.git',
      'ada/con.git',
      'ada/x y.git',
      'ada/plain',
      'nobody/x.git',
      '7.git/x.git',
      'ada/deep/x.git',
    )
    writeFileSync(join(site.repositories, 'ada/file.git'), '')
    symlinkSync(join(site.repositories, 'ada/a.git'), join(site.repositories, 'ada/link.git'))
    symlinkSync(join(site.repositories, 'ada'), join(site.repositories, 'root'))
    expect(await site.list()).toEqual(['EVE/c', 'ada/a', 'ada/b', 'eve/Mixed'])
  })

  const patterns: [pattern: string, found: string[]][] = [
    ['', ['ada/engine', 'ada/loom', 'eve/engine']],
    ['ada', ['ada/engine', 'ada/loom']],
    ['A*', ['ada/engine', 'ada/loom']],
    ['*/engine', ['ada/engine', 'eve/engine']],
    ['/lo?m', ['ada/loom']],
    ['{ada,eve}/[e-f]*', ['ada/engine', 'eve/engine']],
    ['ada/', ['ada/engine', 'ada/loom']],
    ['ad', []],
    ['[', []],
  ]
  test('is narrowed by a pattern of owner and name', async () => {
    await site.forge.person('eve')
    place('ada/engine.git', 'ada/loom.git', 'eve/engine.git')
    for (const [pattern, found] of patterns) expect([pattern, await site.list(`?pattern=${encodeURIComponent(pattern)}`)]).toEqual([pattern, found])
    expect((await site.forge.asUser(site.root).get(`/admin/unadopted?pattern=${'*'.repeat(257)}`)).status).toBe(422)
  })

  test('comes in pages', async () => {
    place(...Array.from({ length: 7 }, (_, i) => `ada/r${i}.git`))
    const { body, headers } = await site.forge.asUser(site.root).get('/admin/unadopted?page=2&limit=3')
    expect(body as unknown).toEqual(['ada/r3', 'ada/r4', 'ada/r5'])
    expect(headers.get('x-total-count')).toBe('7')
    expect(headers.get('link')).toContain('page=3')
    expect(await site.list('?page=9')).toEqual([])
  })
})

describe('a name', () => {
  test.each([
    ['nobody/engine', 404],
    ['ada/none', 404],
    ['ada/engine.wiki', 422],
    ['ada/..%2f..%2fengine', 422],
    // The path is then that of the list, which only GET asks for.
    ['ada/..', 405],
    ['..%2fada/engine', 404],
    ['ada/%00', 422],
    [`ada/${'x'.repeat(101)}`, 422],
  ])('%s is answered with %i', async (name, status) => {
    site.drop('ada/engine', 2)
    mkdirSync(site.placeOf('ada/engine.wiki'))
    expect((await site.adopt(name)).status).toBe(status)
    expect((await site.remove(name)).status).toBe(status)
    expect(await site.list()).toEqual(['ada/engine'])
  })

  test('that is taken is not listed, adopted or deleted, and the repository stays what it is', async () => {
    const { id } = site.forge.repo(await site.forge.person('eve'), 'engine')
    const path = site.drop('eve/engine', 2)
    expect(await site.list()).toEqual([])
    expect((await site.adopt('eve/engine')).status).toBe(404)
    expect((await site.remove('eve/engine')).status).toBe(404)
    expect(existsSync(join(path, 'HEAD'))).toBe(true)
    expect((await site.forge.asUser(site.root).get('/repos/eve/engine')).body).toMatchObject({ id, empty: true, private: false })
  })

  test('behind a link is no name', async () => {
    const path = site.drop('ada/engine', 2)
    symlinkSync(path, site.placeOf('ada/link'))
    await site.forge.person('eve')
    symlinkSync(join(site.repositories, 'ada'), join(site.repositories, 'eve'))
    for (const name of ['ada/link', 'eve/engine']) {
      expect((await site.adopt(name)).status).toBe(404)
      expect((await site.remove(name)).status).toBe(404)
    }
    expect(existsSync(join(path, 'HEAD'))).toBe(true)
  })
})

test('adopting is done also where the disk lets nobody clear up after it', async () => {
  site.drop('ada/engine', 2)
  const readOnly = Object.assign(new Error('EROFS: read-only file system, rm'), { code: 'EROFS', syscall: 'rm' })
  using _ = spyOn(promises, 'rm').mockRejectedValue(readOnly)
  expect((await site.adopt('ada/engine')).status).toBe(204)
  expect((await site.forge.asUser(site.root).get('/repos/ada/engine')).status).toBe(200)
})

test('what is deleted is gone, and nothing that its links lead to', async () => {
  const path = site.drop('ada/engine', 2)
  const kept = join(site.forge.context.config.dataPath, 'kept')
  mkdirSync(kept)
  writeFileSync(join(kept, 'file'), 'x')
  symlinkSync(kept, join(path, 'objects/kept'))
  expect((await site.remove('ADA/engine')).status).toBe(204)
  expect((await site.remove('ada/engine')).status).toBe(404)
  await site.forge.context.tasks.stop()
  expect(readdirSync(join(site.repositories, 'ada'))).toEqual([])
  expect(readFileSync(join(kept, 'file'), 'utf8')).toBe('x')
})

describe('after a crash', () => {
  test('what was under way is cleared up, and what waits is left alone', async () => {
    site.drop('ada/engine', 2)
    for (const left of ['.import-0123456789abcdef/indexes', 'ada/.removed-0123456789abcdef/objects', '.important', 'ada/.removed-x'])
      mkdirSync(join(site.repositories, left), { recursive: true })
    await sweepUnadopted(site.forge.context)
    expect(readdirSync(site.repositories).sort()).toEqual(['.important', 'ada'])
    expect(readdirSync(join(site.repositories, 'ada')).sort()).toEqual(['.removed-x', 'engine.git'])
  })

  test('neither the sweep of deleted repositories nor the doctor minds what waits', async () => {
    const path = site.drop('ada/engine', 2)
    utimesSync(path, 1, 1)
    utimesSync(dirname(path), 1, 1)
    await sweepRemoved(site.forge.context)
    expect(isWell(await examine({ ...site.forge.context, isServed: false }, true, () => {}))).toBe(true)
    expect((await site.adopt('ada/engine')).status).toBe(204)
    await site.forge.context.tasks.stop()
    expect(isWell(await examine({ ...site.forge.context, isServed: false }, false, () => {}))).toBe(true)
  })
})
