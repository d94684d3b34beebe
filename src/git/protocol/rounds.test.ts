import { describe, expect } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { git } from '../../../test/git-fixture.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import type { Oid } from '../objects/oid.ts'
import { Collected, contextOf } from './git-server.fixture.ts'
import { decodePkt, encodePkt } from './pkt-line.ts'
import { uploadPackV2 } from './upload-pack.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'

const FLUSH = '0000'
const DELIM = '0001'

const encode = (lines: readonly string[]) => Buffer.concat(lines.map((line) => (line === FLUSH || line === DELIM ? Buffer.from(line) : encodePkt(`${line}\n`))))

/** All that the server says besides the pack, packet by packet. */
function said(answer: Buffer): string[] {
  const lines: string[] = []
  for (let at = 0; at < answer.length; ) {
    if (answer.toString('latin1', at, at + 4) === 'PACK') return [...lines, 'PACK']
    const found = decodePkt(answer, at)
    if (found === undefined) throw new Error(`no packet at ${at}`)
    at = found.next
    const { pkt } = found
    if (pkt.type !== 'data') lines.push(pkt.type)
    else if (pkt.payload[0] === 1 || pkt.payload[0] === 2) lines.push('band')
    else lines.push(Buffer.from(pkt.payload).toString().trim())
  }
  return lines.filter((line, i) => line !== 'band' || lines[i - 1] !== 'band')
}

function repository(seed: number): { history: RandomHistory; haves(random: Random): string[] } {
  const history = new RandomHistory({ seed, commits: 50, merges: 0.3, equalDates: 0.1 })
  const refs = history.oids.map((oid, i) => `create refs/heads/b${i} ${oid}\n`).join('')
  git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: refs })
  const strangers = (random: Random) => Array.from({ length: random.below(5) }, () => Buffer.from(random.bytes(20)).toString('hex'))
  return {
    history,
    haves: (random) =>
      shuffled(random, [...shuffled(random, history.oids.slice(0, 35)).slice(0, random.below(7)), ...strangers(random)]).map((oid) => `have ${oid}`),
  }
}

describe('a client that negotiates in rounds is answered in each as git answers', () => {
  property('by the old protocol, in one connection, whatever acknowledgements it knows', 3, async (random, seed) => {
    const { history, haves } = repository(seed + 30)
    using _history = history
    const context = await contextOf(history.gitDir)
    for (let round = 0; round < soak(10, 25); round++) {
      const ack = random.pick(['', ' multi_ack', ' multi_ack_detailed'])
      const wants = shuffled(random, history.oids.slice(30)).slice(0, 1 + random.below(2))
      const lines = [...wants.map((oid, i) => `want ${oid}${i === 0 ? `${ack} side-band-64k` : ''}`), FLUSH]
      for (let more = random.below(4); more > 0; more--) lines.push(...haves(random), FLUSH)
      lines.push(...haves(random), 'done')
      const sink = new Collected()
      const request = encode(lines)
      await uploadPackV0(one(request), context, sink, { stateless: false })
      const stock = Bun.spawnSync(['git', 'upload-pack', history.gitDir], { stdin: request, env: { ...process.env, GIT_PROTOCOL: 'version=0' } })
        .stdout as Buffer
      // A connection begins with the refs, which are not asked for here.
      const afterRefs = stock.subarray(endOfRefs(stock))
      expect({ lines, said: said(sink.bytes) }).toEqual({ lines, said: said(afterRefs) })
    }
    context.store.close()
  })

  property('by version 2, one command after another in one connection', 3, async (random, seed) => {
    const { history, haves } = repository(seed + 40)
    using _history = history
    const context = await contextOf(history.gitDir)
    for (let round = 0; round < soak(10, 25); round++) {
      const lines: string[] = []
      for (let more = random.below(4); more > 0; more--) {
        if (random.chance(0.3))
          lines.push('command=ls-refs', DELIM, ...(random.chance(0.5) ? ['peel'] : []), `ref-prefix refs/heads/b${random.below(5)}`, FLUSH)
        else lines.push('command=fetch', DELIM, ...wantsOf(random, history), ...haves(random), FLUSH)
      }
      lines.push('command=fetch', DELIM, ...wantsOf(random, history), ...haves(random), 'done', FLUSH)
      const sink = new Collected()
      const request = encode(lines)
      await uploadPackV2(one(request), context, sink, { stateless: false })
      const stock = Bun.spawnSync(['git', 'upload-pack', history.gitDir], { stdin: request, env: { ...process.env, GIT_PROTOCOL: 'version=2' } })
        .stdout as Buffer
      expect({ lines, said: said(sink.bytes) }).toEqual({ lines, said: said(stock.subarray(endOfRefs(stock))) })
    }
    context.store.close()
  })
})

const wantsOf = (random: Random, history: RandomHistory) =>
  shuffled(random, history.oids.slice(30))
    .slice(0, 1 + random.below(2))
    .map((oid: Oid) => `want ${oid}`)

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Behind the first flush packet. */
function endOfRefs(answer: Buffer): number {
  let at = 0
  for (;;) {
    const found = decodePkt(answer, at)
    if (found === undefined) throw new Error('no flush behind the refs')
    at = found.next
    if (found.pkt.type === 'flush') return at
  }
}
