import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../test/generate-history.ts'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { outcome } from '../../../test/outcome.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { DiskStore, initBareRepository } from '../store/disk.ts'
import { decodeRefs, encodeRefs, linesOf } from '../workers/ref-list.ts'
import { conflictsWith, isRefName, lookupIn, type RefName } from './names.ts'
import { PACKED_HEADER, writeHead, writeLooseRefs, writePackedRefs } from './write-refs.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0

function newRepository(): { gitDir: string; oids: Oid[] } {
  const gitDir = join(root.path, `${++made}.git`)
  initBareRepository(gitDir, 'main', SHA1)
  const store = DiskStore.open(gitDir)
  const oids = Array.from({ length: 4 }, (_, i) => store.write('blob', Buffer.from(`${i}`)))
  store.close()
  return { gitDir, oids }
}

/** What stock git finds, under `refs/tags` because only commits may be branches. */
function refsIn(gitDir: string): Map<string, string> {
  const lines = git(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd: gitDir }).toString().trim().split('\n')
  return new Map(lines.filter((line) => line !== '').map((line) => line.split(' ') as [string, string]))
}

async function* textsOf(refs: ReadonlyMap<string, string>, pieces: number): AsyncGenerator<string> {
  const lines = [...refs].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map(([name, oid]) => `${oid} ${name}\n`)
  for (let at = 0; at < lines.length; at += pieces) yield lines.slice(at, at + pieces).join('')
}

const someName = (random: Random) => `refs/tags/${Array.from({ length: 1 + random.below(3) }, () => random.pick(['a', 'b', 'c', 'ü', 'a-b'])).join('/')}`

property('whatever is written loose or packed, by turns, is what stock git reads', soak(4, 8), async (random) => {
  const { gitDir, oids } = newRepository()
  const model = new Map<string, string>()
  for (let step = 0; step < 12; step++) {
    const fresh = new Map<string, string>()
    for (let i = 1 + random.below(4); i > 0; i--) {
      const name = someName(random) as RefName
      const all = [...new Set([...model.keys(), ...fresh.keys()])].sort()
      if (isRefName(name) && (model.has(name) || conflictsWith(name, lookupIn(all)) === undefined)) fresh.set(name, random.pick(oids))
    }
    const gone = random.chance(0.3) ? shuffled(random, [...model.keys()]).slice(0, 2) : []
    for (const [name, oid] of fresh) model.set(name, oid)
    for (const name of gone) model.delete(name)
    const refs = [...fresh].filter(([name]) => model.has(name)).map(([name, oid]) => ({ name, oid: oid as Oid }))
    const isLoose = gone.length === 0 && random.chance(0.7) && writeLooseRefs(gitDir, 'refs.tmp', refs)
    if (!isLoose) await writePackedRefs(gitDir, 'refs.tmp', textsOf(model, 1 + random.below(3)))
    expect(refsIn(gitDir)).toEqual(new Map([...model].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))))
    expect(readdirSync(gitDir)).not.toContain('refs.tmp')
  }
  expect(git(['fsck', '--no-dangling'], { cwd: gitDir }).toString()).toBe('')
})

describe('a ref that must be where another was a directory, or below what was a file', () => {
  const rows: [before: string, after: string][] = [
    ['refs/tags/a/b', 'refs/tags/a'],
    ['refs/tags/a', 'refs/tags/a/b'],
    ['refs/tags/a', 'refs/tags/a/b/c'],
  ]
  test.each(rows)('%s, then %s, is left to packing, which works', async (before, after) => {
    const { gitDir, oids } = newRepository()
    const [one, two] = oids as [Oid, Oid]
    expect(writeLooseRefs(gitDir, 'tmp', [{ name: before, oid: one }])).toBe(true)
    expect(writeLooseRefs(gitDir, 'tmp', [{ name: after, oid: two }])).toBe(false)
    expect(existsSync(join(gitDir, 'tmp'))).toBe(false)
    await writePackedRefs(gitDir, 'tmp', textsOf(new Map([[after, two]]), 1))
    expect([...refsIn(gitDir)]).toEqual([[after, two]])
  })
})

describe('packing', () => {
  test('keeps git’s directories, and peels as it says: git trusts both', async () => {
    const { gitDir, oids } = newRepository()
    const [blob] = oids as [Oid]
    const body = `object ${blob}\ntype blob\ntag t\ntagger A <a@b> 1 +0000\n\nx\n`
    const tag = git(['hash-object', '-t', 'tag', '-w', '--stdin'], { cwd: gitDir, stdin: body }).toString().trim()
    await writePackedRefs(
      gitDir,
      'tmp',
      (async function* () {
        yield `${tag} refs/tags/t\n^${blob}\n`
      })(),
    )
    expect(readFileSync(join(gitDir, 'packed-refs'), 'utf8')).toBe(`${PACKED_HEADER}${tag} refs/tags/t\n^${blob}\n`)
    expect(git(['show-ref', '-d'], { cwd: gitDir }).toString()).toBe(`${tag} refs/tags/t\n${blob} refs/tags/t^{}\n`)
    expect(readdirSync(join(gitDir, 'refs')).sort()).toEqual(['heads', 'tags'])
  })

  test('that fails on the way leaves the refs as they were', async () => {
    const { gitDir, oids } = newRepository()
    const [one] = oids as [Oid]
    writeLooseRefs(gitDir, 'tmp', [{ name: 'refs/tags/kept', oid: one }])
    const failing = (async function* () {
      yield `${one} refs/tags/other\n`
      throw new Error('no more')
    })()
    expect(await outcome(writePackedRefs(gitDir, 'tmp-2', failing))).toThrow('no more')
    expect([...refsIn(gitDir).keys()]).toEqual(['refs/tags/kept'])
  })

  test('takes what a crash left in the way for an error, not for its own', async () => {
    const { gitDir } = newRepository()
    writeFileSync(join(gitDir, 'tmp'), 'left')
    expect(await outcome(writePackedRefs(gitDir, 'tmp', textsOf(new Map(), 1)))).toThrow('EEXIST')
    expect(readFileSync(join(gitDir, 'tmp'), 'utf8')).toBe('left')
  })
})

test('HEAD is written when it changes, and left alone when it does not', () => {
  const { gitDir } = newRepository()
  writeHead(gitDir, 'tmp', 'ref: refs/heads/other\n')
  expect(git(['symbolic-ref', 'HEAD'], { cwd: gitDir }).toString()).toBe('refs/heads/other\n')
  // A temporary file that is in the way would be an error, had there been anything to write.
  mkdirSync(join(gitDir, 'tmp'))
  writeHead(gitDir, 'tmp', 'ref: refs/heads/other\n')
  expect(() => writeHead(gitDir, 'tmp', 'ref: refs/heads/third\n')).toThrow()
  expect(readFileSync(join(gitDir, 'HEAD'), 'utf8')).toBe('ref: refs/heads/other\n')
})

property('refs come out of their chunks as they went in, whatever their names, again and again', 10, async (random) => {
  const chunks = Array.from({ length: 1 + random.below(4) }, () =>
    Array.from({ length: random.below(50) }, () => {
      const oid = Buffer.from(random.bytes(20)).toString('hex') as Oid
      const ref = { name: `${someName(random)}/🐧${random.below(1e9)}`, oid }
      return random.chance(0.3) ? { ...ref, peeled: Buffer.from(random.bytes(20)).toString('hex') as Oid } : ref
    }),
  )
  const encoded = chunks.map(encodeRefs)
  for (let again = 0; again < 2; again++) expect(await decodeRefs(encoded)).toEqual(chunks.flat())
  expect(encoded.flatMap(linesOf)).toEqual(chunks.flat().map((ref) => ('peeled' in ref ? [ref.oid, ref.name, ref.peeled as string] : [ref.oid, ref.name])))
})

property('names stand in the way of one another just where git says so', soak(3, 6), (random) => {
  const { gitDir, oids } = newRepository()
  const names = [...new Set(Array.from({ length: 14 }, () => someName(random)))]
  const kept: string[] = []
  for (const name of names) {
    const conflict = conflictsWith(name as RefName, lookupIn([...kept].sort()))
    const accepted = Bun.spawnSync(['git', '-C', gitDir, 'update-ref', name, oids[0] as string], { stderr: 'ignore' }).success
    expect([name, conflict === undefined]).toEqual([name, accepted])
    if (accepted) kept.push(name)
    else expect(kept).toContain(conflict as string)
  }
})

test('of packed-refs that cannot be written whole nothing is left, and what was there stays', async () => {
  const { gitDir, oids } = newRepository()
  const lines = async function* (isBroken: boolean) {
    yield `${oids[0]} refs/heads/main\n`
    if (isBroken) throw new Error('the disk is full')
  }
  await writePackedRefs(gitDir, 'refs-1.tmp', lines(false))
  const before = readFileSync(join(gitDir, 'packed-refs'), 'latin1')
  expect(await outcome(writePackedRefs(gitDir, 'refs-2.tmp', lines(true)))).toThrow('the disk is full')
  expect([readFileSync(join(gitDir, 'packed-refs'), 'latin1'), existsSync(join(gitDir, 'refs-2.tmp'))]).toEqual([before, false])
})

test('refs of every kind that lay loose give way to the packed ones, also one that is no directory', async () => {
  const { gitDir, oids } = newRepository()
  const [old, now] = oids as [Oid, Oid]
  const names = ['refs/stash', 'refs/notes/commits', 'refs/pull/1/head', 'refs/tags/deep/er/x', 'refs/tags/y']
  for (const name of names) expect(writeLooseRefs(gitDir, 'tmp', [{ name, oid: old }])).toBe(true)
  expect(refsIn(gitDir)).toEqual(new Map(names.map((name) => [name, old])))
  const packed = new Map<string, string>(names.slice(1).map((name) => [name, now]))
  await writePackedRefs(gitDir, 'tmp', textsOf(packed, 2))
  expect(refsIn(gitDir)).toEqual(packed)
  expect(readdirSync(join(gitDir, 'refs')).sort()).toEqual(['heads', 'tags'])
  expect(readdirSync(join(gitDir, 'refs/tags'))).toEqual([])
})

test('a HEAD that is gone is written anew, and one that is the same is not touched', () => {
  const { gitDir } = newRepository()
  const path = join(gitDir, 'HEAD')
  const text = readFileSync(path, 'latin1')
  const before = statSync(path).ino
  writeHead(gitDir, 'tmp', text)
  expect(statSync(path).ino).toBe(before)
  rmSync(path)
  writeHead(gitDir, 'tmp', text)
  expect([readFileSync(path, 'latin1'), existsSync(join(gitDir, 'tmp'))]).toEqual([text, false])
})

test('what cannot be put in its place is not left beside it either', async () => {
  const { gitDir, oids } = newRepository()
  mkdirSync(join(gitDir, 'packed-refs', 'full'), { recursive: true })
  expect(await outcome(writePackedRefs(gitDir, 'refs.tmp', textsOf(new Map([['refs/tags/a', oids[0] as Oid]]), 1)))).toThrow()
  expect(readdirSync(gitDir)).not.toContain('refs.tmp')
})
