import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { PackIndex } from '../packs/pack-index.ts'
import { publishPacks } from '../packs/write/publish.ts'
import type { MakerInput, MakerName } from './makers.ts'
import { GitService } from './service.ts'

const root = temporaryDirectory()
const service = new GitService({ directory: root.path, limits: defaultLimits, workers: 1 })
service.create(1, 'main', SHA1)
const gitDir = service.pathOf(1)
afterAll(async () => {
  await service.close()
  root[Symbol.dispose]()
})

const who = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0200' }
const run = (...args: string[]) => git(args, { cwd: gitDir }).toString().trim()
let made = 0
const newQuarantine = () => join(gitDir, 'objects', `tmp_incoming-${++made}`)

/** Makes something and publishes it, as whoever moves a ref does. */
async function make<K extends MakerName>(maker: K, input: MakerInput<K>) {
  const quarantine = newQuarantine()
  const before = run('count-objects', '-v')
  const outcome = await service.make(maker, 1, input, quarantine)
  // Until it is published, nobody sees any of it.
  expect(run('count-objects', '-v')).toBe(before)
  if (outcome.packPath !== undefined) publishPacks([outcome.packPath], join(gitDir, 'objects/pack'))
  return outcome
}

async function first(files: { path: string; data: string }[], message = 'First'): Promise<Oid> {
  return (await make('firstCommit', { files, who, message })).result
}

const data = (text: string) => Buffer.from(text)

describe('what is made in a worker', () => {
  test('is a commit that git reads, with all it needs in one pack and nothing that was only tried', async () => {
    const oid = await first(
      [
        { path: 'a', data: 'a\n' },
        { path: 'd/e/b', data: 'b\n' },
      ],
      'Subject\n\nBody',
    )
    expect(run('log', '-1', '--format=%an|%ae|%at|%cd|%B', '--date=raw', oid)).toBe('Ada|ada@example.org|1700000000|1700000000 +0200|Subject\n\nBody')
    expect(run('ls-tree', '-r', '--name-only', oid)).toBe('a\nd/e/b')
    expect(run('fsck', '--full', '--strict', '--no-dangling', oid)).toBe('')
    const { packPath, result } = await make('commitEdits', {
      parent: oid,
      edits: [{ operation: 'update', path: 'a', data: data('new\n') }],
      author: who,
      committer: who,
      message: 'Edit',
    })
    const index = PackIndex.open((packPath as string).replace(/^.*\//, `${gitDir}/objects/pack/`).replace(/pack$/, 'idx'), SHA1)
    // The commit, its root and the one blob: all else is there.
    expect(index.count).toBe(3)
    expect(run('rev-list', '--objects', '--no-object-names', result.oid, '--not', oid).split('\n').length).toBe(3)
    expect(run('show', `${result.oid}:a`)).toBe('new')
  })

  test('tells of its tips what a push tells: type and date, and of tags what they lead to', async () => {
    const { tips, result } = await make('firstCommit', { files: [{ path: 'x', data: `${made}` }], who, message: 'Tip' })
    expect(tips).toEqual([{ oid: result, type: 'commit', time: who.seconds }])
  })

  test('again is not made again: no pack, and the same answer', async () => {
    const input = { files: [{ path: 'same', data: 'same' }], who, message: 'Same' }
    const one = await make('firstCommit', input)
    const two = await make('firstCommit', input)
    expect([two.result, two.packPath, two.tips]).toEqual([one.result, undefined, one.tips])
  })

  test(
    'for many at once comes out whole for each',
    async () => {
      const base = await first([{ path: 'f', data: 'base\n' }])
      const edits = Array.from({ length: 12 }, (_, i) => i)
      const outcomes = await Promise.all(
        edits.map((i) =>
          service.make(
            'commitEdits',
            1,
            { parent: base, edits: [{ operation: 'create', path: `n${i}`, data: data(`${i}`) }], author: who, committer: who, message: `Edit ${i}` },
            newQuarantine(),
          ),
        ),
      )
      publishPacks(
        outcomes.map(({ packPath }) => packPath as string),
        join(gitDir, 'objects/pack'),
      )
      for (const [i, { result }] of outcomes.entries()) expect(run('show', `${result.oid}:n${i}`)).toBe(String(i))
      expect(run('fsck', '--full', '--no-dangling')).toBe('')
    },
    PATIENCE,
  )
})

describe('what cannot be made leaves nothing behind', () => {
  const bad: [what: string, maker: MakerName, input: (base: Oid) => unknown, kind: string][] = [
    [
      'an edit of what is not there',
      'commitEdits',
      (parent) => ({ parent, edits: [{ operation: 'delete', path: 'none' }], author: who, committer: who, message: 'x' }),
      'absent',
    ],
    [
      'an edit that leads out',
      'commitEdits',
      (parent) => ({ parent, edits: [{ operation: 'create', path: '../x', data: data('') }], author: who, committer: who, message: 'x' }),
      'refused',
    ],
    ['a commit on nothing', 'commitEdits', () => ({ parent: '9'.repeat(40), edits: [], author: who, committer: who, message: 'x' }), 'missing'],
    ['a file called .git', 'firstCommit', () => ({ files: [{ path: '.git/config', data: '' }], who, message: 'x' }), 'refused'],
    [
      'a .gitmodules that runs commands',
      'firstCommit',
      () => ({ files: [{ path: '.gitmodules', data: '[submodule "x"]\n\turl = -x\n' }], who, message: 'x' }),
      'refused',
    ],
    [
      'a patch that does not fit',
      'commitPatch',
      (parent) => ({ parent, patch: data('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-other\n+new\n'), author: who, committer: who, message: 'x' }),
      'refused',
    ],
    [
      'a merge of what is not there',
      'mergeBranch',
      (base) => ({ base, head: '9'.repeat(40), style: 'merge', text: { message: 'x', author: who, committer: who } }),
      'missing',
    ],
  ]
  test.each(bad)('%s', async (_, maker, input, kind) => {
    const base = await first([{ path: 'f', data: 'base\n' }])
    const [before, quarantine] = [run('count-objects', '-v'), newQuarantine()]
    const failure = await service.make(maker, 1, input(base) as never, quarantine).catch((error: unknown) => error)
    expect([failure instanceof GitError && failure.kind, existsSync(quarantine)] as unknown[]).toEqual([kind, false])
    expect(run('count-objects', '-v')).toBe(before)
    expect(readdirSync(join(gitDir, 'objects')).filter((name) => name === quarantine)).toEqual([])
  })

  test('where the quarantine is taken, that is an error and what lies there stays', async () => {
    const quarantine = newQuarantine()
    mkdirSync(quarantine)
    await Bun.write(join(quarantine, 'keep'), 'x')
    const failure = await service
      .make('firstCommit', 1, { files: [{ path: 'new', data: `${made}` }], who, message: 'x' }, quarantine)
      .catch((error: unknown) => error)
    expect([failure instanceof Error, readdirSync(quarantine)]).toEqual([true, ['keep']])
  })
})

describe('checks of a store', () => {
  test('find a pack that is damaged, by its name, and what is missing of what refs reach', async () => {
    service.create(2, 'main', SHA1)
    const path = service.pathOf(2)
    const at = join(path, 'objects/tmp_incoming-1')
    const { packPath, result } = await service.make('firstCommit', 2, { files: [{ path: 'f', data: 'content' }], who, message: 'x' }, at)
    publishPacks([packPath as string], join(path, 'objects/pack'))
    expect(await service.run('checkPacks', 2, {})).toEqual({ packs: 1, objects: 3, faults: [] })
    expect(await service.run('checkReach', 2, { tips: [result] })).toEqual({ objects: 3, fault: undefined })
    expect((await service.run('checkReach', 2, { tips: [result, '8'.repeat(40) as Oid] })).fault).toContain('8'.repeat(40))
    const [name] = readdirSync(join(path, 'objects/pack')).filter((file) => file.endsWith('.pack')) as [string]
    const pack = join(path, 'objects/pack', name)
    const bytes = Buffer.from(await Bun.file(pack).bytes())
    bytes[30] = (bytes[30] as number) ^ 1
    git(['-c', 'core.bare=true', 'rev-parse'], { cwd: path })
    await Bun.file(pack).delete()
    await Bun.write(pack, bytes)
    const checked = await service.run('checkPacks', 2, {})
    expect([checked.packs, checked.faults.length, checked.faults[0]?.includes(name)]).toEqual([1, 1, true])
  })
})
