import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Random } from '../../../test/generate-history.ts'
import { outcome } from '../../../test/outcome.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import type { UploadContext } from './context.ts'
import { Collected, contextOf, GitServer, git } from './git-server.fixture.ts'
import { encodePkt, PktReader } from './pkt-line.ts'
import { makeSample } from './sample-repository.fixture.ts'
import { readUpdateRequest } from './update-request.ts'
import { uploadPackV2 } from './upload-pack.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'

const server = new GitServer()
let context: UploadContext
let ids: Record<'tip' | 'side' | 'old' | 'tag', string>

beforeAll(async () => {
  const dir = await makeSample(server, 'sample')
  const [tip, side, old, tag] = (await git(dir, 'rev-parse', 'main', 'side', 'main~20', 'v20')).split('\n') as [string, string, string, string]
  ids = { tip, side, old, tag }
  context = { ...(await contextOf(dir)), limits: { ...defaultLimits, maxCommands: 50 } }
})

afterAll(async () => {
  context.store.close()
  await server[Symbol.asyncDispose]()
})

const pkts = (...lines: string[]) => lines.map((line) => encodePkt(`${line}\n`).toString()).join('')

/** Requests that are answered with a pack, and one that is answered with refs. */
const requests: [name: string, version: 0 | 2, make: () => string][] = [
  [
    'a clone',
    2,
    () => `${pkts('command=fetch', 'agent=x')}0001${pkts('thin-pack', 'ofs-delta', 'no-progress', `want ${ids.side}`, `want ${ids.tag}`, 'done')}0000`,
  ],
  [
    'a shallow fetch',
    2,
    () => `${pkts('command=fetch')}0001${pkts('no-progress', `want ${ids.tip}`, 'deepen 2', `shallow ${ids.old}`, `have ${ids.old}`, 'done')}0000`,
  ],
  ['a list of refs', 2, () => `${pkts('command=ls-refs')}0001${pkts('peel', 'symrefs', 'ref-prefix refs/tags/')}0000`],
  ['an old clone', 0, () => `${pkts(`want ${ids.side} side-band-64k ofs-delta no-progress`, `want ${ids.tag}`)}0000${pkts('done')}`],
  [
    'an old fetch in rounds',
    0,
    () => `${pkts(`want ${ids.tip} multi_ack_detailed side-band-64k no-progress`)}0000${pkts(`have ${ids.old}`)}0000${pkts(`have ${ids.side}`, 'done')}`,
  ],
  [
    'an old shallow fetch',
    0,
    () => `${pkts(`want ${ids.tip} multi_ack side-band no-progress`, `shallow ${ids.old}`, 'deepen 3')}0000${pkts(`have ${ids.old}`, 'done')}`,
  ],
]

async function* inPieces(bytes: Uint8Array, next: () => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const length = next()
    yield bytes.subarray(at, at + length)
    at += length
  }
}

interface Answer {
  bytes: Buffer
  hasPack: boolean
  error: unknown
}

async function answerTo(version: 0 | 2, request: Uint8Array, stateless: boolean, next = () => 1 << 20): Promise<Answer> {
  const sink = new Collected()
  let error: unknown
  try {
    await (version === 2 ? uploadPackV2 : uploadPackV0)(inPieces(request, next), context, sink, { stateless })
  } catch (thrown) {
    error = thrown
  }
  const { bytes } = sink
  return { bytes, hasPack: bytes.includes('PACK\0\0\0\x02'), error }
}

describe.each(requests)('%s', (_, version, make) => {
  test(
    'that is cut off anywhere gets no pack, and nothing worse than an error said',
    async () => {
      const request = Buffer.from(make())
      const whole = await answerTo(version, request, false)
      expect([whole.error, whole.bytes.length > 0]).toEqual([undefined, true])
      for (let length = 0; length < request.length; length++) {
        const answer = await answerTo(version, request.subarray(0, length), length % 2 === 0)
        expect([length, answer.hasPack, answer.error === undefined || answer.error instanceof GitError]).toEqual([length, false, true])
      }
    },
    PATIENCE,
  )

  test('is answered the same in whatever pieces it comes', async () => {
    const request = Buffer.from(make())
    const random = new Random(9)
    const whole = await answerTo(version, request, false)
    for (const most of [1, 2, 5, 50]) {
      const pieces = await answerTo(version, request, false, () => 1 + random.below(most))
      expect(pieces.bytes.equals(whole.bytes)).toBe(true)
    }
  })

  test(
    'with any byte changed is answered or turned down, and never breaks the server',
    async () => {
      const request = Buffer.from(make())
      const random = new Random(11)
      for (let at = random.below(4); at < request.length; at += 1 + random.below(6)) {
        const bad = Buffer.from(request)
        bad[at] = random.below(256)
        const { error } = await answerTo(version, bad, true)
        expect([at, bad[at], error === undefined || error instanceof GitError]).toEqual([at, bad[at], true])
      }
    },
    PATIENCE,
  )
})

describe('a push', () => {
  const [zero, one, two] = ['0'.repeat(40), '1'.repeat(40), '2'.repeat(40)]
  const capabilities = 'report-status-v2 side-band-64k atomic push-options object-format=sha1 agent=git/2.50'
  const command = pkts(`${zero} ${one} refs/heads/new\0${capabilities}`, `${one} ${two} refs/heads/main`, `${two} ${zero} refs/tags/gone`)
  const whole = `${pkts(`shallow ${one}`)}${command}0000${pkts('ci.skip', 'a=b c')}0000`

  const read = async (bytes: Uint8Array) => {
    const reader = new PktReader(inPieces(bytes, () => 13))
    const request = await readUpdateRequest(reader, defaultLimits)
    let rest = 0
    for await (const piece of reader.rest()) rest += piece.length
    return { request, rest }
  }

  test('reads whole', async () => {
    const { request, rest } = await read(Buffer.from(`${whole}PACK`))
    expect(request.commands.map(({ name }) => name)).toEqual(['refs/heads/new', 'refs/heads/main', 'refs/tags/gone'])
    expect([request.options, request.shallow as string[], request.capabilities.has('atomic'), rest]).toEqual([['ci.skip', 'a=b c'], [one], true, 4])
  })

  test('that is cut off anywhere moves nothing: it is an error, or has no commands, but where a packet ends', async () => {
    const ends = new Set<number>()
    for (let at = 0; at < whole.length; ) {
      const length = Number.parseInt(whole.slice(at, at + 4), 16)
      at += Math.max(4, length)
      ends.add(at)
    }
    for (let length = 0; length < whole.length; length++) {
      const error = await read(Buffer.from(whole.slice(0, length))).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (!ends.has(length) && length > 0) expect([length, error instanceof GitError]).toEqual([length, true])
      else expect(error === undefined || error instanceof GitError).toBe(true)
    }
  })

  test.each<[string, string]>([
    ['a name that is missing', pkts(`${zero} ${one}`)],
    ['an id too short', pkts(`${zero.slice(1)} ${one} refs/heads/x`)],
    ['an id in capitals', pkts(`${'A'.repeat(40)} ${one} refs/heads/x`)],
    ['one id', pkts(`${zero} refs/heads/x`)],
    ['nothing between the ids', pkts(`${zero}${one} refs/heads/x`)],
    ['a shallow line without an id', pkts('shallow')],
    ['a shallow line with a name', pkts('shallow refs/heads/x')],
    ['a delimiter', `${pkts(`${zero} ${one} refs/heads/x`)}0001`],
    ['an empty line', pkts('')],
  ])('with %s is refused as a whole', async (_, lines) => {
    expect(await outcome(read(Buffer.from(`${lines}0000`)))).toThrow(GitError)
    expect(await outcome(read(Buffer.from(`${command}${lines}0000`)))).toThrow(GitError)
  })
})
