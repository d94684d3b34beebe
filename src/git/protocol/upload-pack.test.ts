import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { GitServer, git, objectsOf, tryGit } from './git-server.fixture.ts'
import { makeSample } from './sample-repository.fixture.ts'

const server = new GitServer()
let sample = ''
let count = 0

beforeAll(async () => {
  sample = await makeSample(server, 'sample')
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  expect(server.failures).toEqual([])
})

/** Clones from our server with `args`; answers where. */
async function clone(version: number, url: string, ...args: string[]): Promise<string> {
  const dir = server.path(`clone-${++count}`)
  await git(server.root, '-c', `protocol.version=${version}`, 'clone', '-q', '--no-checkout', ...args, url, dir)
  return dir
}

async function isSound(dir: string): Promise<boolean> {
  const result = await tryGit(dir, 'fsck', '--full', '--strict', '--no-dangling')
  return result.code === 0
}

/** Clones of which each must hold exactly what stock git serves for the same. */
const clones: [string, string[]][] = [
  ['everything', []],
  ['a mirror', ['--mirror']],
  ['a single branch with its tags', ['--single-branch', '--branch', 'side']],
  ['no tags', ['--no-tags']],
  ['depth 1', ['--depth', '1']],
  ['depth 3 of all branches', ['--depth', '3', '--no-single-branch']],
  ['history since a date', ['--shallow-since', '2024-01-20']],
  ['history without that of a tag', ['--shallow-exclude', 'v20']],
  ['history without that of a branch', ['--shallow-exclude', 'apart', '--no-single-branch']],
  ['no blobs', ['--filter=blob:none']],
  ['small blobs', ['--filter=blob:limit=1k']],
  ['no trees', ['--filter=tree:0']],
  ['trees of depth 2', ['--filter=tree:2']],
  ['only commits', ['--filter=object:type=commit']],
  ['only blobs', ['--filter=object:type=blob']],
  ['a combination of filters', ['--filter=combine:tree:3+blob:limit=900']],
  ['depth 1 without blobs', ['--depth', '1', '--filter=blob:none']],
]

describe.each(clones)('a clone of %s', (_, args) => {
  test('holds what stock git gives, with the new and the old protocol', async () => {
    const [theirs, ...ours] = await Promise.all([
      clone(2, `file://${sample}`, ...args),
      clone(2, server.url('sample.git'), ...args),
      clone(0, server.url('sample.git'), ...args),
    ])
    const [objects, refs] = [await objectsOf(theirs), await git(theirs, 'show-ref')]
    for (const dir of ours) {
      expect(await objectsOf(dir)).toEqual(objects)
      expect(await git(dir, 'show-ref')).toBe(refs)
      expect(await isSound(dir)).toBe(true)
    }
  })
})

describe.each([0, 1, 2])('protocol v%d', (version) => {
  test('a mirror of a store without strays is whole', async () => {
    server.exact = true
    const ours = await clone(version, server.url('sample.git'), '--mirror')
    server.exact = false
    expect(await objectsOf(ours)).toEqual(await objectsOf(sample))
    expect(await isSound(ours)).toBe(true)
  })

  test('an empty repository clones, with its unborn branch under version 2', async () => {
    await git(server.root, 'init', '-q', '--bare', '-b', 'trunk', server.path('empty.git'))
    const ours = await clone(version, server.url('empty.git'))
    expect(await git(ours, 'symbolic-ref', 'HEAD')).toBe(version === 2 ? 'refs/heads/trunk' : 'refs/heads/main')
  })

  test('a fetch after new commits brings just those, and their tags', async () => {
    const upstream = await copySample(`growing-${version}`)
    const ours = await clone(version, server.url(`growing-${version}.git`))
    const before = new Set(await objectsOf(ours))
    await grow(upstream)
    await git(ours, '-c', `protocol.version=${version}`, '-c', 'fetch.unpackLimit=1000', 'fetch', '-q')
    const came = (await objectsOf(ours)).filter((line) => !before.has(line))
    expect(came).toEqual((await objectsOf(upstream)).filter((line) => !before.has(line)))
    expect(await git(ours, 'rev-parse', 'origin/main', 'grown')).toBe(await git(upstream, 'rev-parse', 'main', 'grown'))
    expect(await isSound(ours)).toBe(true)
  })
})

/** Version 1 is version 0 with one more line in front. */
describe.each([0, 2])('protocol v%d', (version) => {
  test('a client far ahead on its own finds common ground in several rounds', async () => {
    const upstream = await copySample(`ahead-${version}`)
    const ours = await clone(version, server.url(`ahead-${version}.git`))
    await git(ours, 'update-ref', 'refs/heads/main', await manyCommits(ours, 'origin/main', 120))
    await grow(upstream)
    await git(ours, '-c', `protocol.version=${version}`, 'fetch', '-q')
    expect(await git(ours, 'rev-parse', 'origin/main')).toBe(await git(upstream, 'rev-parse', 'main'))
    expect(await isSound(ours)).toBe(true)
  })

  test('a shallow clone deepens by steps, by date, by ref and to the end, and shrinks again', async () => {
    const ours = await clone(version, server.url('sample.git'), '--depth', '2')
    const theirs = await clone(2, `file://${sample}`, '--depth', '2')
    for (const how of ['--deepen=3', '--depth=9', '--shallow-since=2024-01-12', '--shallow-exclude=v10', '--depth=1', '--unshallow']) {
      await git(ours, '-c', `protocol.version=${version}`, 'fetch', '-q', '--no-tags', how)
      await git(theirs, 'fetch', '-q', '--no-tags', how)
      expect(await git(ours, 'rev-list', '--all')).toBe(await git(theirs, 'rev-list', '--all'))
      expect(await isSound(ours)).toBe(true)
    }
  })

  test('a partial clone gets later what it looks at', async () => {
    const ours = await clone(version, server.url('sample.git'), '--filter=tree:0')
    const look = ['diff', '--stat', 'main~12', 'main']
    expect(await git(ours, ...look)).toBe(await git(sample, ...look))
    expect(await isSound(ours)).toBe(true)
  })

  test('any reachable object can be fetched by its id, and no other', async () => {
    const upstream = await copySample(`strays-${version}`)
    const hidden = await git(upstream, 'commit-tree', '-m', 'hidden', 'main^{tree}')
    const ours = server.path(`ids-${version}`)
    await git(server.root, 'init', '-q', ours)
    const fetch = (what: string) => tryGit(ours, '-c', `protocol.version=${version}`, 'fetch', '-q', server.url(`strays-${version}.git`), what)
    for (const name of ['main~7', 'main~30:d1', 'v10', 'v20^{commit}', 'nested']) {
      expect(await fetch(await git(upstream, 'rev-parse', name))).toMatchObject({ code: 0, errors: '' })
    }
    for (const oid of [hidden, '12'.repeat(20)]) {
      expect((await fetch(oid)).errors).toContain(`upload-pack: not our ref ${oid}`)
    }
  })

  test('over a stream such as SSH, clone, fetch and deepening work in one connection', async () => {
    const upstream = await copySample(`ssh-${version}`)
    const ours = await clone(version, `ssh://localhost${upstream}`, '--depth', '3')
    await grow(upstream)
    await git(ours, '-c', `protocol.version=${version}`, 'fetch', '-q')
    await git(ours, '-c', `protocol.version=${version}`, 'fetch', '-q', '--unshallow')
    expect(await git(ours, 'rev-list', 'origin/main')).toBe(await git(upstream, 'rev-list', 'main'))
    expect(await isSound(ours)).toBe(true)
  })
})

test('refs wanted by name arrive, shallow too', async () => {
  const ours = server.path('named')
  await git(server.root, 'init', '-q', ours)
  await git(ours, 'fetch', '-q', '--depth=2', server.url('sample.git'), 'refs/heads/main:refs/heads/x', 'refs/tags/v20:refs/tags/v20')
  expect(await git(ours, 'rev-parse', 'x', 'v20')).toBe(await git(sample, 'rev-parse', 'main', 'v20'))
  expect(await isSound(ours)).toBe(true)
})

test('a clone of a store with several packs, objects in two of them and loose ones is whole', async () => {
  const upstream = await copySample('scattered')
  await grow(upstream)
  await git(upstream, 'repack', '-q')
  await grow(upstream)
  await packAgain(upstream, 'main~1')
  server.exact = true
  const ours = await clone(2, server.url('scattered.git'), '--mirror')
  server.exact = false
  expect(await objectsOf(ours)).toEqual(await objectsOf(upstream))
  expect(await isSound(ours)).toBe(true)
})

test('packs without a common object are joined', async () => {
  const upstream = await copySample('joined')
  await grow(upstream)
  await git(upstream, 'repack', '-q', '-d')
  server.exact = true
  const ours = await clone(2, server.url('joined.git'), '--mirror')
  server.exact = false
  expect(await objectsOf(ours)).toEqual(await objectsOf(upstream))
})

test('negotiation alone tells what is common', async () => {
  const ours = await clone(2, server.url('sample.git'))
  const result = await git(ours, 'fetch', '--negotiate-only', '--negotiation-tip=origin/side', 'origin')
  expect(result).toContain(await git(sample, 'rev-parse', 'side'))
})

async function copySample(name: string): Promise<string> {
  const dir = server.path(`${name}.git`)
  await git(server.root, 'clone', '-q', '--mirror', sample, dir)
  return dir
}

/** Adds three commits and an annotated tag to `main`. */
async function grow(dir: string): Promise<void> {
  await git(dir, 'update-ref', 'refs/heads/main', await manyCommits(dir, 'main', 3))
  await git(dir, 'tag', '-f', '-a', '-m', 'grown', 'grown', 'main')
}

async function manyCommits(dir: string, from: string, many: number): Promise<string> {
  const lines: string[] = []
  const start = await git(dir, 'rev-parse', from)
  for (let i = 0; i < many; i++) {
    const text = `${i} ${start}\n`
    lines.push('commit refs/scratch', `committer Ada <ada@example.org> ${1710000000 + i} +0000`, 'data 4', 'more', ...(i === 0 ? [`from ${start}`] : []))
    lines.push('M 100644 inline d1/new', `data ${text.length}`, text)
  }
  const child = Bun.spawn(['git', '-c', 'fastimport.unpackLimit=1000', 'fast-import', '--quiet', '--force'], {
    cwd: dir,
    stdin: Buffer.from(`${lines.join('\n')}\n`),
  })
  if ((await child.exited) !== 0) throw new Error('Cannot make commits')
  const tip = await git(dir, 'rev-parse', 'refs/scratch')
  await git(dir, 'update-ref', '-d', 'refs/scratch')
  return tip
}

/** Packs all that `revision` reaches once more, beside the packs that are there. */
async function packAgain(dir: string, revision: string): Promise<void> {
  const list = await git(dir, 'rev-list', '--objects', '--no-object-names', revision)
  const child = Bun.spawn(['git', 'pack-objects', '-q', `${dir}/objects/pack/pack`], { cwd: dir, stdin: Buffer.from(`${list}\n`), stdout: 'ignore' })
  if ((await child.exited) !== 0) throw new Error('Cannot pack again')
}
