import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import type { Random } from '../../../test/generate-history.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { defaultLimits } from '../limits.ts'
import { commitLinks } from '../objects/commit.ts'
import { type Oid, oidAt } from '../objects/oid.ts'
import { parseTree } from '../objects/tree.ts'
import { readWholePack } from '../packs/receive/index-pack.ts'
import { ourAnswer, stockAnswer } from './answers.fixture.ts'
import type { UploadContext } from './context.ts'
import { contextOf, GitServer, git } from './git-server.fixture.ts'
import { encodePkt } from './pkt-line.ts'
import { makeSample } from './sample-repository.fixture.ts'

/**
 * Arguments of a fetch that each work alone, made up together: boundaries of every kind beside the client's own, filters, refs by name, tags
 * that come along, one side-band for all. Stock git on the same repository says what is to come out.
 */

const server = new GitServer()
let dir = ''
let context: UploadContext
let packs = 0
const oids: Record<string, string> = {}
const tips = ['main', 'main~1', 'main~5', 'side', 'apart', 'apart~1', 'v20', 'v30', 'nested', 'light-10']
const commits = ['main', 'main~1', 'main~2', 'main~5', 'main~12', 'side', 'side~1', 'apart', 'light-10']

beforeAll(async () => {
  dir = await makeSample(server, 'sample')
  for (const setting of ['allowRefInWant', 'allowSidebandAll']) await git(dir, 'config', `uploadpack.${setting}`, 'true')
  const names = [...new Set([...tips, ...commits])]
  for (const [i, oid] of (await git(dir, 'rev-parse', ...names)).split('\n').entries()) oids[names[i] as string] = oid
  context = await contextOf(dir)
})

afterAll(async () => {
  context.store.close()
  await server[Symbol.asyncDispose]()
})

const some = (random: Random, names: readonly string[], most: number): string[] => shuffled(random, names).slice(0, random.below(most + 1))

const boundaries: ((random: Random) => string[])[] = [
  () => [],
  (random) => [`deepen ${1 + random.skewed(12)}`],
  (random) => [`deepen ${1 + random.skewed(6)}`, 'deepen-relative'],
  (random) => [`deepen-since ${1704067200 + random.below(45) * 86_400}`],
  (random) => [`deepen-not ${shuffled(random, ['refs/heads/side', 'apart', 'v20', 'refs/tags/nested', 'tags/light-10'])[0]}`],
  (random) => [`deepen-since ${1704067200 + random.below(30) * 86_400}`, 'deepen-not side', 'deepen-not v10'],
  () => ['deepen 2147483647'],
]
const filters = ['blob:none', 'blob:limit=1k', 'tree:0', 'tree:1', 'tree:2', 'object:type=commit', 'object:type=tag', 'combine:tree:2+blob:limit=100']

/** The lines of a version 2 fetch. */
function madeUp(random: Random): string[] {
  const of = (verb: string, names: readonly string[]): string[] => names.map((name) => `${verb} ${oids[name]}`)
  const wants = [
    ...of('want', some(random, tips, 3)),
    ...some(random, ['refs/heads/side', 'refs/heads/main', 'refs/tags/v20', 'HEAD'], 2).map((name) => `want-ref ${name}`),
  ]
  if (wants.length === 0) wants.push(`want ${oids.main}`)
  const flags = ['include-tag', 'ofs-delta', 'sideband-all'].filter(() => random.chance(0.4))
  const filter = random.chance(0.4) ? [`filter ${shuffled(random, filters)[0]}`] : []
  const boundary = (shuffled(random, boundaries)[0] as (typeof boundaries)[number])(random)
  const theirs = of('shallow', random.chance(0.5) ? some(random, commits, 3) : [])
  const haves = of('have', random.chance(0.5) ? some(random, commits, 3) : [])
  return shuffled(random, [...wants, ...flags, ...filter, ...boundary, ...theirs, ...haves, 'no-progress', 'done'])
}

interface Taken {
  said: string[]
  pack: Buffer
}

function requestOf(lines: readonly string[]): string {
  return `${encodePkt('command=fetch\n')}0001${lines.map((line) => encodePkt(`${line}\n`)).join('')}0000`
}

/** Sections of an answer up to the pack, each sorted: neither boundaries nor acknowledgements come in an order. */
function taken(answer: string): Taken {
  const said: string[] = []
  const parts: string[] = []
  let isPack = false
  for (let at = 0; at < answer.length; ) {
    const length = Number.parseInt(answer.slice(at, at + 4), 16)
    const body = answer.slice(at + 4, at + Math.max(length, 4))
    at += Math.max(length, 4)
    const band = body.charCodeAt(0)
    if (band === 2 || length < 4) continue
    const text = band === 1 ? body.slice(1) : body
    if (isPack) parts.push(text)
    else said.push(text)
    isPack ||= text === 'packfile\n'
  }
  // Of a boundary that leaves nothing git says no more than its headline, and ends.
  if (!isPack) said.splice(0, Infinity, 'an error')
  return { said: said.sort(), pack: Buffer.from(parts.join(''), 'latin1') }
}

async function objectsIn(pack: Buffer): Promise<Oid[]> {
  const path = server.path(`answer-${++packs}.pack`)
  writeFileSync(path, pack)
  const { table } = await readWholePack(path, { limits: defaultLimits })
  rmSync(path)
  return Array.from({ length: table.count }, (_, i) => oidAt(table.columns.oids, i * table.columns.rawLength)).sort()
}

/** What a client has that has these commits and all below them, but for what lies below where its history ends. */
function heldBy(haves: readonly Oid[], shallows: ReadonlySet<Oid>): Set<Oid> {
  const held = new Set<Oid>()
  const left = [...haves]
  for (let oid = left.pop(); oid !== undefined; oid = left.pop()) {
    if (held.has(oid)) continue
    held.add(oid)
    const { type, data } = context.store.get(oid)
    if (type === 'commit') {
      const { tree, parents } = commitLinks(data)
      left.push(tree, ...(shallows.has(oid) ? [] : parents))
    } else if (type === 'tree') left.push(...parseTree(data).map((entry) => entry.oid))
  }
  return held
}

property('what is asked of a fetch together is answered as stock git answers it, but for what the client has', soak(25, 60), async (random) => {
  const lines = madeUp(random)
  const request = requestOf(lines)
  const answers = await Promise.all([stockAnswer(dir, 'upload-pack', 2, [], request), ourAnswer(context, 2, request)])
  const [theirs, own] = answers.map(taken) as [Taken, Taken]
  expect([lines, own.said]).toEqual([lines, theirs.said])
  if (theirs.pack.length === 0) return
  const after = (verb: string): Oid[] => lines.filter((line) => line.startsWith(verb)).map((line) => line.slice(verb.length) as Oid)
  const held = heldBy([...after('have '), ...after('shallow ')], new Set(after('shallow ')))
  const [expected, sent] = await Promise.all([objectsIn(theirs.pack), objectsIn(own.pack)])
  const news = (objects: readonly Oid[]): Oid[] => objects.filter((oid) => !held.has(oid))
  expect([lines, news(sent)]).toEqual([lines, news(expected)])
})

test.each([{ boundary: ['deepen 2147483647'] }, { boundary: ['deepen 1', 'deepen-relative'] }])(
  'history that no ref reaches is not to be had by naming a boundary in it: $boundary',
  async ({ boundary }) => {
    const [secret, below] = await hiddenHistory()
    const known = ['want', 'shallow'].map((verb) => `${verb} ${oids.main}`)
    const answer = taken(await ourAnswer(context, 2, requestOf([...known, `shallow ${secret}`, ...boundary, 'no-progress', 'done'])))
    expect(answer.said.filter((line) => line.startsWith('unshallow'))).toEqual([`unshallow ${oids.main}`])
    expect(await objectsIn(answer.pack)).not.toContain(below)
  },
)

/** A commit that only who knows its id can name, and its parent. */
async function hiddenHistory(): Promise<[Oid, Oid]> {
  const below = await git(dir, 'commit-tree', '-m', 'below', 'main^{tree}')
  const secret = await git(dir, 'commit-tree', '-m', 'secret', '-p', below, 'main^{tree}')
  context.store.refresh()
  return [secret as Oid, below as Oid]
}
