import { afterAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../test/generate-history.ts'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { PackIndex } from '../packs/pack-index.ts'
import { DiskStore } from '../store/disk.ts'
import type { SnapshotRef, UploadContext } from './context.ts'
import { emptyFetchRequest } from './fetch-request.ts'
import { Collected, contextOf, errorOf } from './git-server.fixture.ts'
import { Negotiation } from './negotiate.ts'
import { decodePkt, encodePkt } from './pkt-line.ts'
import { FetchSession } from './session.ts'
import { uploadPackV2 } from './upload-pack.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'
import { checkWants, resolveWantRefs } from './wants.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const nobodys = 'ab'.repeat(20)
const [FLUSH, DELIM] = ['0000', '0001']

/** A history whose commits are all refs, some of them tagged, with what git's server needs to serve any request. */
async function serve(seed: number): Promise<{ history: RandomHistory; context: UploadContext; tags: Oid[] }> {
  const history = new RandomHistory({ seed, commits: 40, merges: 0.35, equalDates: 0.1, lines: 3 })
  const refs = history.oids.map((oid, i) => `create refs/heads/b${i} ${oid}\n`)
  const store = DiskStore.open(history.gitDir)
  const tags = [5, 20, 39].map((at) => {
    const body = `object ${history.oids[at]}\ntype commit\ntag t${at}\ntagger A <a@example.org> 1 +0000\n\nx\n`
    const oid = store.write('tag', Buffer.from(body))
    refs.push(`create refs/tags/t${at} ${oid}\n`)
    return oid
  })
  store.close()
  git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: refs.join('') })
  appendFileSync(join(history.gitDir, 'config'), '[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n\tallowRefInWant = true\n')
  return { history, context: await contextOf(history.gitDir), tags }
}

interface Asked {
  version: 0 | 2
  /** The lines, special packets included. */
  lines: string[]
  haves: Oid[]
  isThin: boolean
}

/** A request that some client might send, in either version of the protocol. */
function someRequest(random: Random, { oids }: RandomHistory, tags: readonly Oid[]): Asked {
  const version = random.pick([0, 2] as const)
  const wants = shuffled(random, [...oids.slice(20), ...tags]).slice(0, 1 + random.below(3))
  const haves = random.chance(0.7) ? shuffled(random, oids.slice(0, 30)).slice(0, 1 + random.below(3)) : []
  const depths = [[], [], ['deepen 1'], ['deepen 3'], [`deepen-since ${1_000_000_000 + random.below(1800)}`], [`deepen-not refs/heads/b${random.below(20)}`]]
  const isFiltered = random.chance(0.2)
  const bounds = [...random.pick(depths), ...(isFiltered ? [random.pick(['filter blob:none', 'filter tree:1'])] : [])]
  const isThin = random.chance(0.4)
  const flags = [...(random.chance(0.7) ? ['ofs-delta'] : []), ...(isThin ? ['thin-pack'] : []), ...(random.chance(0.3) ? ['include-tag'] : []), 'no-progress']
  const haveLines = [...haves.map((oid) => `have ${oid}`), ...(random.chance(0.3) ? [`have ${nobodys}`] : [])]
  if (version === 2)
    return { version, lines: ['command=fetch', DELIM, ...flags, ...wants.map((oid) => `want ${oid}`), ...bounds, ...haveLines, 'done', FLUSH], haves, isThin }
  const ack = random.pick(['', 'multi_ack', 'multi_ack_detailed'])
  const words = [ack, 'side-band-64k', ...(isFiltered ? ['filter'] : []), ...flags].join(' ')
  return { version, lines: [...wants.map((oid, i) => `want ${oid}${i === 0 ? ` ${words}` : ''}`), ...bounds, FLUSH, ...haveLines, 'done'], haves, isThin }
}

function requestOf(lines: readonly string[]): Buffer {
  return Buffer.concat(lines.map((line) => (line === FLUSH || line === DELIM ? Buffer.from(line) : encodePkt(`${line}\n`))))
}

async function ours(version: 0 | 2, request: Buffer, context: UploadContext): Promise<Buffer> {
  const sink = new Collected()
  const source = (async function* () {
    yield request
  })()
  await (version === 2 ? uploadPackV2 : uploadPackV0)(source, context, sink, { stateless: true })
  return sink.bytes
}

function stocks(version: 0 | 2, request: Buffer, gitDir: string): Buffer {
  const env = { ...process.env, GIT_PROTOCOL: `version=${version}`, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return Bun.spawnSync(['git', 'upload-pack', '--stateless-rpc', gitDir], { env, stdin: request, stderr: 'ignore' }).stdout as Buffer
}

/** What was said before the pack, boundaries in order, and the pack itself. */
function taken(answer: Buffer): { said: string[]; pack: Buffer } {
  const said: string[] = []
  const pack: Uint8Array[] = []
  for (let at = 0; at < answer.length; ) {
    const found = decodePkt(answer, at)
    if (found === undefined) throw new Error(`no packet at ${at}`)
    at = found.next
    const payload = found.pkt.type === 'data' ? found.pkt.payload : Buffer.from(found.pkt.type)
    if (payload[0] === 1) pack.push(payload.subarray(1))
    else if (payload[0] !== 2) said.push(Buffer.from(payload).toString().trim())
  }
  const boundary = said.filter((line) => line.includes('shallow ')).sort()
  return { said: said.map((line) => (line.includes('shallow ') ? (boundary.shift() as string) : line)), pack: Buffer.concat(pack) }
}

let judged = 0

/** The ids in a pack, by git; of a thin one without the bases that it was completed with. */
function idsIn(pack: Buffer, gitDir: string, isThin: boolean): Set<Oid> {
  const objects = join(root.path, `objects-${++judged}`)
  mkdirSync(join(objects, 'pack'), { recursive: true })
  mkdirSync(join(objects, 'info'))
  if (isThin) writeFileSync(join(objects, 'info/alternates'), `${join(gitDir, 'objects')}\n`)
  const args = ['index-pack', '--stdin', ...(isThin ? ['--fix-thin'] : [])]
  const [, name] = git(args, { cwd: gitDir, stdin: pack, env: { GIT_OBJECT_DIRECTORY: objects } })
    .toString()
    .trim()
    .split('\t')
  const index = PackIndex.open(join(objects, 'pack', `pack-${name}.idx`), SHA1)
  const sent = pack.readUInt32BE(8)
  const byOffset = [...index.offsetOrder()].slice(0, sent)
  return new Set(byOffset.map((position) => index.oidAt(position)))
}

property('whatever a client asks, it is told what git tells it, and gets what git gives it, but for what it has', 3, async (random, seed) => {
  const { history, context, tags } = await serve(seed)
  using _history = history
  const closures = new Map<Oid, Set<Oid>>()
  const closure = (oid: Oid): Set<Oid> => {
    const known = closures.get(oid) ?? new Set(history.lines('rev-list', '--objects', '--no-object-names', oid) as Oid[])
    closures.set(oid, known)
    return known
  }
  for (let round = 0; round < soak(15, 30); round++) {
    const { version, lines, haves, isThin } = someRequest(random, history, tags)
    const request = requestOf(lines)
    const [answer, expected] = [taken(await ours(version, request, context)), taken(stocks(version, request, history.gitDir))]
    const about = { round, lines }
    // Where nothing is left to send git ends without a word; the client should hear why.
    if (expected.said.length === 0 || expected.said.at(-1) === 'shallow-info')
      expected.said.splice(0, 1, 'ERR Cannot fetch: no commits selected for shallow requests')
    // git looks for common ground within the depth asked for only, and may hear of less.
    if (lines.some((line) => line.startsWith('deepen'))) for (const each of [answer, expected]) each.said = each.said.filter((line) => !line.endsWith(' ready'))
    expect({ ...about, said: answer.said }).toEqual({ ...about, said: expected.said })
    expect({ ...about, hasPack: answer.pack.length > 0 }).toEqual({ ...about, hasPack: expected.pack.length > 0 })
    if (expected.pack.length === 0) continue
    const has = new Set(haves.flatMap((oid) => [...closure(oid)]))
    const [own, theirs] = [answer, expected].map(({ pack }) => idsIn(pack, history.gitDir, isThin)) as [Set<Oid>, Set<Oid>]
    const lacking = [...theirs].filter((oid) => !own.has(oid) && !has.has(oid))
    const beyond = [...own].filter((oid) => !theirs.has(oid) && !has.has(oid))
    expect({ ...about, lacking, beyond }).toEqual({ ...about, lacking: [], beyond: [] })
  }
  context.store.close()
})

describe('what a viewer may fetch', () => {
  property('is what their refs reach, of every kind of object, and nothing else of what the store holds', 2, async (random, seed) => {
    const { history, context } = await serve(seed + 10)
    using _history = history
    const all = history.lines('cat-file', '--batch-all-objects', '--batch-check=%(objectname)') as Oid[]
    for (let round = 0; round < 3; round++) {
      const visible = shuffled(random, context.refs.refs).slice(0, 1 + random.below(3))
      const reached = new Set(history.lines('rev-list', '--objects', '--no-object-names', ...visible.map(({ oid }) => oid)) as Oid[])
      const session = new FetchSession({ ...context, refs: { refs: visible } })
      const wanted = shuffled(random, all).slice(0, 20)
      for (const oid of wanted)
        expect(await errorOf(() => checkWants(session, [oid]))).toBe(reached.has(oid) ? 'no error' : `protocol: upload-pack: not our ref ${oid}`)
      const mine = wanted.filter((oid) => reached.has(oid))
      const others = wanted.filter((oid) => !reached.has(oid))
      expect(await errorOf(() => checkWants(session, mine))).toBe('no error')
      // One that is not theirs spoils the request, wherever it stands.
      if (others[0]) expect(await errorOf(() => checkWants(session, shuffled(random, [...mine, others[0] as Oid])))).toContain(others[0])
      expect(await errorOf(() => checkWants(session, [nobodys as Oid]))).toContain('not our ref')
    }
    context.store.close()
  })

  test('is not what a ref points to and a damaged store has lost', async () => {
    const { history, context } = await serve(78)
    using _history = history
    const refs = [...context.refs.refs, { name: 'refs/heads/lost', oid: nobodys as Oid }]
    const session = new FetchSession({ ...context, exact: true, refs: { refs } })
    expect(
      await errorOf(() =>
        checkWants(
          session,
          refs.map(({ oid }) => oid),
        ),
      ),
    ).toBe(`missing: Cannot find object ${nobodys}`)
    context.store.close()
  })

  test('is not enlarged by an exact store that has loose objects, nor by an unborn HEAD', async () => {
    const { history, context } = await serve(77)
    using _history = history
    const secret = DiskStore.open(history.gitDir).write('blob', Buffer.from('not reached'))
    const session = new FetchSession({ ...context, exact: false, refs: { head: { target: 'refs/heads/unborn' }, refs: [] } })
    for (const oid of [secret, history.oids[0] as Oid]) expect(await errorOf(() => checkWants(session, [oid]))).toContain('not our ref')
    context.store.close()
  })
})

describe('refs wanted by name', () => {
  const [a, b] = ['a'.repeat(40), 'b'.repeat(40)] as [Oid, Oid]
  const store = { has: (oid: Oid) => oid === a } as never
  const refs: SnapshotRef[] = [
    { name: 'refs/heads/main', oid: a },
    { name: 'refs/tags/v1', oid: b, peeled: a },
  ]
  const deleted: SnapshotRef[] = [
    { name: 'refs/heads/gone', oid: a },
    { name: 'refs/heads/gone', oid: b },
    { name: 'refs/heads/swept', oid: b },
  ]
  const rows: [wanted: string[], expected: string][] = [
    [['refs/heads/main'], `refs/heads/main ${a}`],
    [['refs/tags/v1', 'refs/heads/main'], `refs/tags/v1 ${b},refs/heads/main ${a}`],
    [['refs/heads/main', 'refs/heads/main'], `refs/heads/main ${a}`],
    [['HEAD'], `HEAD ${a}`],
    [['refs/heads/gone'], `refs/heads/gone ${a}`],
    [['refs/heads/swept'], 'protocol: unknown ref refs/heads/swept'],
    [['main'], 'protocol: unknown ref main'],
    [['refs/heads/main', 'refs/heads/none'], 'protocol: unknown ref refs/heads/none'],
    [['refs/heads/'], 'protocol: unknown ref refs/heads/'],
  ]
  test.each(rows)('%j', async (wantRefs, expected) => {
    const session = { context: { store, refs: { head: { target: 'refs/heads/main' }, refs, deleted } } } as unknown as FetchSession
    let found = ''
    const failure = await errorOf(() => {
      found = resolveWantRefs(session, { ...emptyFetchRequest(), wantRefs })
        .map(({ name, oid }) => `${name} ${oid}`)
        .join()
    })
    expect(failure === 'no error' ? found : failure).toBe(expected)
  })
})

property('the client may stop naming what it has once every wanted commit stands on some of it, and not before', 4, async (random, seed) => {
  const { history, context } = await serve(seed + 30)
  using _history = history
  const ancestors = new Map<Oid, Set<Oid>>()
  for (const oid of history.oids) ancestors.set(oid, new Set([oid, ...parentsOf(history, oid).flatMap((parent) => [...(ancestors.get(parent) as Set<Oid>)])]))
  for (let round = 0; round < 60; round++) {
    const wants = shuffled(random, history.oids).slice(0, 1 + random.below(3))
    const haves = shuffled(random, history.oids).slice(0, random.below(5))
    const negotiation = new Negotiation(new FetchSession(context), wants)
    for (const oid of haves) expect(negotiation.add(oid)).toBe(true)
    expect(negotiation.add(nobodys as Oid)).toBe(false)
    const stands = (on: ReadonlySet<Oid>) => haves.length > 0 && wants.every((want) => !on.isDisjointFrom(ancestors.get(want) as Set<Oid>))
    const canStop = await negotiation.canStop()
    // What the client has it has with its parents; but for their sake nothing older than all that it named is looked at.
    if (stands(new Set(haves))) expect(canStop).toBe(true)
    if (!stands(new Set(haves.flatMap((oid) => [oid, ...parentsOf(history, oid)])))) expect(canStop).toBe(false)
    expect(negotiation.common).toEqual([...new Set(haves)])
  }
  context.store.close()
})

const parents = new Map<string, Map<Oid, Oid[]>>()

function parentsOf(history: RandomHistory, oid: Oid): Oid[] {
  const known = parents.get(history.gitDir) ?? new Map<Oid, Oid[]>()
  if (known.size === 0) {
    for (const line of history.lines('rev-list', '--parents', '--all')) {
      const [commit, ...others] = line.split(' ') as [Oid, ...Oid[]]
      known.set(commit, others)
    }
    parents.set(history.gitDir, known)
  }
  return known.get(oid) as Oid[]
}
