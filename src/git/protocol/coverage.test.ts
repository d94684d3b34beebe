import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import type { Oid } from '../objects/oid.ts'
import { ourAnswer } from './answers.fixture.ts'
import type { UploadContext } from './context.ts'
import { contextOf } from './git-server.fixture.ts'
import { decodePkt } from './pkt-line.ts'

/**
 * Who wants all that there is gets the store's packs as they lie. Taken for all by mistake, a want would bring what other refs reach, which
 * its asker may not be meant to see yet, or leave the clone with less than it names.
 */

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

const pkt = (line: string) => `${(line.length + 4).toString(16).padStart(4, '0')}${line}`
const fetchOf = (wants: readonly Oid[], more: readonly string[]) =>
  `${pkt('command=fetch\n')}0001${['no-progress', ...more, ...wants.map((oid) => `want ${oid}`), 'done'].map((line) => pkt(`${line}\n`)).join('')}0000`

/** The objects of the pack in an answer, as stock git finds them. */
function objectsIn(answer: string): string[] {
  const bytes = Buffer.from(answer, 'latin1')
  const pack: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const found = decodePkt(bytes, at)
    if (found === undefined) throw new Error(`no packet at ${at}`)
    at = found.next
    if (found.pkt.type === 'data' && found.pkt.payload[0] === 1) pack.push(found.pkt.payload.subarray(1))
  }
  const path = join(root.path, crypto.randomUUID())
  mkdirSync(path)
  initBare(path)
  git(['index-pack', '--stdin'], { cwd: path, stdin: Buffer.concat(pack) })
  return git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: path }).toString().trim().split('\n')
}

/** A history of which refs reach all, and tags of every kind upon it. */
function repositoryOf(seed: number, random: Random): RandomHistory {
  const history = new RandomHistory({ seed, commits: 12 + random.below(20), merges: 0.3, roots: 0.1 })
  const parents = new Set(history.lines('log', '--format=%P', ...history.oids).flatMap((line) => line.split(' ')))
  const ends = history.oids.filter((oid) => !parents.has(oid))
  const set = (name: string, oid: string) => git(['update-ref', name, oid], { cwd: history.gitDir })
  for (const [i, oid] of ends.entries()) set(`refs/heads/end-${i}`, oid)
  for (let i = random.below(3); i > 0; i--) set(`refs/heads/inner-${i}`, history.pick())
  const tag = (name: string, target: string) =>
    git(['-c', 'user.name=T', '-c', 'user.email=t@e', 'tag', '-a', '-m', 'x', name, target], { cwd: history.gitDir })
  if (random.chance(0.7)) tag('annotated', history.pick())
  if (random.chance(0.4)) tag('nested', random.chance(0.5) && history.lines('tag').includes('annotated') ? 'annotated' : history.pick())
  if (random.chance(0.3)) set('refs/tags/of-a-tree', history.git('rev-parse', `${history.pick()}^{tree}`).trim())
  if (random.chance(0.2)) tag('of-a-tree-annotated', `${history.pick()}^{tree}`)
  git(['update-ref', 'HEAD', ends[0] as Oid], { cwd: history.gitDir })
  git(['repack', '-q', '-a', '-d'], { cwd: history.gitDir })
  git(['prune-packed'], { cwd: history.gitDir })
  return history
}

/** What git's own rules say that the wants come to, annotated tags of what is sent included where that is asked for. */
function expectedOf(history: RandomHistory, context: UploadContext, wants: readonly Oid[], includesTags: boolean): string[] {
  const reach = (oids: readonly string[]) => history.lines('rev-list', '--objects', '--no-object-names', ...oids)
  const sent = new Set(reach(wants))
  const along = includesTags ? context.refs.refs.filter(({ name, peeled }) => name.startsWith('refs/tags/') && peeled && sent.has(peeled)) : []
  return [...new Set(reach([...wants, ...along.map(({ oid }) => oid)]))].sort()
}

describe('a client gets what its wants reach, all of it and nothing else, from a store that holds no more than its refs reach', () => {
  property('whichever refs it wants', soak(3, 5), async (random, seed) => {
    using history = repositoryOf(seed, random)
    const context = await contextOf(history.gitDir, true)
    const oids = [...new Set(context.refs.refs.map(({ oid }) => oid))]
    const branches = oids.filter((oid) => context.refs.refs.some((ref) => ref.oid === oid && ref.name.startsWith('refs/heads/')))
    for (let round = 0; round < 5; round++) {
      // All, all but tags, the same with such tags as come along, and some.
      const wants = [oids, branches, branches][round] ?? shuffled(random, oids).slice(0, 1 + random.below(oids.length))
      const includesTags = round === 2 || (round !== 1 && random.chance(0.5))
      const answer = await ourAnswer(context, 2, fetchOf(wants, ['ofs-delta', ...(includesTags ? ['include-tag'] : [])]))
      expect(objectsIn(answer).sort()).toEqual(expectedOf(history, context, wants, includesTags))
    }
    context.store.close()
  })

  property('where commits, blobs or trees of it are left out', 3, async (random, seed) => {
    using history = repositoryOf(seed + 50, random)
    const context = await contextOf(history.gitDir, true)
    const wants = [...new Set(context.refs.refs.map(({ oid }) => oid))]
    for (const [line, filter] of [
      ['filter blob:none', '--filter=blob:none'],
      ['filter tree:1', '--filter=tree:1'],
    ] as const) {
      const answer = await ourAnswer(context, 2, fetchOf(wants, [line]))
      const provided = history.lines('rev-list', '--objects', '--no-object-names', filter, '--filter-provided-objects', ...wants)
      expect(objectsIn(answer).sort()).toEqual([...new Set([...provided, ...wants])].sort())
    }
    // Where the store may hold more, the trees are walked: what comes of it is the same.
    const blobs = history.lines('rev-list', '--objects', '--no-object-names', '--filter=object:type=blob', '--filter-provided-objects', ...history.oids)
    const named = [...wants, ...blobs.slice(0, 1)] as Oid[]
    const walking = await contextOf(history.gitDir, false)
    const [told, walked] = await Promise.all([context, walking].map((each) => ourAnswer(each, 2, fetchOf(named, ['filter blob:none']))))
    expect(objectsIn(told as string)).toEqual(objectsIn(walked as string))
    walking.store.close()
    const shallow = await ourAnswer(context, 2, fetchOf(wants, ['deepen 1']))
    const commits = [...new Set(wants.map((oid) => history.git('rev-parse', `${oid}^{}`).trim()))]
    const one = history.lines('rev-list', '--objects', '--no-object-names', '--no-walk', ...commits)
    expect(objectsIn(shallow).sort()).toEqual([...new Set([...one, ...tagsOf(history, wants)])].sort())
    context.store.close()
  })
})

/** The tag objects on the way from `oids`. */
function tagsOf(history: RandomHistory, oids: readonly Oid[]): string[] {
  const found: string[] = []
  for (let at = [...oids] as string[]; at.length > 0; ) {
    const tags = at.filter((oid) => history.git('cat-file', '-t', oid).trim() === 'tag')
    found.push(...tags)
    at = tags.map((oid) => /^object (.*)$/m.exec(history.git('cat-file', 'tag', oid))?.[1] as string)
  }
  return found
}

describe('a store that may hold more than its refs reach', () => {
  test('gives out no stray object, however much is wanted', async () => {
    using history = new RandomHistory({ seed: 4, commits: 10 })
    const [last, stray] = [history.oids[8], history.oids[9]] as [Oid, Oid]
    git(['update-ref', 'refs/heads/main', last], { cwd: history.gitDir })
    git(['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: history.gitDir })
    const context = await contextOf(history.gitDir, false)
    const got = objectsIn(await ourAnswer(context, 2, fetchOf([last], [])))
    expect([got.includes(last), got.includes(stray)]).toEqual([true, false])
    context.store.close()
  })

  test('a loose object beside the pack comes along to who wants all', async () => {
    using history = new RandomHistory({ seed: 5, commits: 6 })
    const last = history.oids.at(-1) as Oid
    for (const [i, oid] of history.oids.entries()) git(['update-ref', `refs/heads/b${i}`, oid], { cwd: history.gitDir })
    git(['repack', '-q', '-a', '-d'], { cwd: history.gitDir })
    const tree = history.git('rev-parse', `${last}^{tree}`).trim()
    const loose = git(['-c', 'user.name=T', '-c', 'user.email=t@e', 'commit-tree', '-m', 'loose', '-p', last, tree], { cwd: history.gitDir })
      .toString()
      .trim() as Oid
    git(['update-ref', 'refs/heads/loose', loose], { cwd: history.gitDir })
    const wants = [...history.oids, loose]
    git(['symbolic-ref', 'HEAD', 'refs/heads/b0'], { cwd: history.gitDir })
    const context = await contextOf(history.gitDir, true)
    const expected = history.lines('rev-list', '--objects', '--no-object-names', ...wants).sort()
    expect(objectsIn(await ourAnswer(context, 2, fetchOf(wants, []))).sort()).toEqual(expected)
    context.store.close()
  })
})
