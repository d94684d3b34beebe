import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { defaultLimits } from '../limits.ts'
import { Collected, errorOf } from './git-server.fixture.ts'
import { LineReader } from './line-reader.ts'
import { decodePkt, encodePkt, MAX_PKT_PAYLOAD, type Pkt, PktReader, pktText } from './pkt-line.ts'
import { PushAnswer, type PushReport } from './receive-pack.ts'
import { readUpdateRequest } from './update-request.ts'

const [zero, one] = ['0'.repeat(40), '1'.repeat(40)]

async function* inPieces(bytes: Uint8Array, next: () => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const length = next()
    yield bytes.subarray(at, at + length)
    at += length
  }
}

const whole = (bytes: Uint8Array | string): PktReader => new PktReader(inPieces(Buffer.from(bytes as string, 'latin1'), () => 1 << 20))

function shown(pkt: Pkt | undefined): string {
  return pkt === undefined ? 'end' : pkt.type === 'data' ? `data ${Buffer.from(pkt.payload).toString('hex')}` : pkt.type
}

describe('packets', () => {
  property('come out as they went in, and what follows them too, in whatever pieces they arrive', 30, async (random) => {
    const wanted: string[] = []
    const parts: Buffer[] = []
    for (let i = 0; i < 40; i++) {
      const [digits, type] = random.pick([['0000', 'flush'] as const, ['0001', 'delim'] as const, ['0002', 'response-end'] as const])
      const payload = random.bytes(random.chance(0.1) ? MAX_PKT_PAYLOAD - random.below(2) : random.skewed(300))
      const isData = random.chance(0.7)
      parts.push(isData ? encodePkt(payload) : Buffer.from(digits))
      wanted.push(isData ? `data ${Buffer.from(payload).toString('hex')}` : type)
    }
    const pack = Buffer.from(random.bytes(random.skewed(10_000)))
    const reader = new PktReader(inPieces(Buffer.concat([...parts, pack]), () => 1 + random.skewed(random.pick([3, 100, 200_000]))))
    const read: string[] = []
    for (let i = 0; i < wanted.length; i++) read.push(shown(await reader.next()))
    expect(read).toEqual(wanted)
    const rest: Uint8Array[] = []
    for await (const piece of reader.rest()) rest.push(Buffer.from(piece))
    expect(Buffer.concat(rest).equals(pack)).toBe(true)
  })

  test.each<[name: string, bytes: string, expected: string[]]>([
    ['an empty stream ends cleanly', '', ['end']],
    ['an empty packet is one', '0004', ['data ', 'end']],
    ['digits may be capitals', '000Aabcdef', ['data 616263646566', 'end']],
    ['a stream that ends between packets ends cleanly', '00000001', ['flush', 'delim', 'end']],
    ['a stream that ends in a length', '00', ['error']],
    ['a stream that ends in a payload', '0009ab', ['error']],
    ['a length of 3, which is nothing', '0003', ['error']],
    ['a length that is no number', '00g0', ['error']],
    ['a length with a sign', '-004', ['error']],
    ['a length with a blank', ' 004', ['error']],
    ['a length beyond all packets', 'fff1', ['error']],
    ['a length beyond, in capitals', 'FFFF', ['error']],
    ['a good packet before a bad one is read', '0005a00zz', ['data 61', 'error']],
    ['the text of another protocol', 'GET / HTTP/1.1', ['error']],
  ])('%s', async (_, bytes, expected) => {
    const reader = whole(bytes)
    const read: string[] = []
    while (read.length < expected.length) {
      const failure = await errorOf(async () => void read.push(shown(await reader.next())))
      if (failure !== 'no error') {
        expect(failure).toStartWith('protocol: Cannot read pkt-line')
        read.push('error')
      }
    }
    expect(read).toEqual(expected)
  })

  test('the longest packet is taken, and encoded; a longer one cannot be made', () => {
    const longest = encodePkt(Buffer.alloc(MAX_PKT_PAYLOAD, 'x'))
    expect([longest.toString('latin1', 0, 4), decodePkt(longest, 0)?.next]).toEqual(['fff0', 65_520])
    expect(decodePkt(longest.subarray(0, -1), 0)).toBeUndefined()
    expect(() => encodePkt(Buffer.alloc(MAX_PKT_PAYLOAD + 1))).toThrow(RangeError)
  })

  test.each([
    ['line\n', 'line'],
    ['line', 'line'],
    ['line\n\n', 'line\n'],
    ['\n', ''],
    ['', ''],
    ['ü\r\n', 'ü\r'],
  ])('the text of %j is %j: one line feed does not count', (payload, text) => expect(pktText(Buffer.from(payload))).toBe(text))
})

describe('the sections of a request', () => {
  const sections = async (bytes: string, maxCommands = 100) => {
    const reader = new LineReader(whole(bytes), { ...defaultLimits, maxCommands })
    const found: string[] = []
    for (let section = await reader.section(); section; section = await reader.section()) found.push(`${section.lines.join(',')}|${section.end}`)
    return found
  }
  const lines = (...texts: string[]) => texts.map((text) => encodePkt(text).toString('latin1')).join('')

  test('end where a flush, a delimiter or the response does, empty ones too', async () => {
    expect(await sections(`${lines('a\n', 'b')}0001${lines('c')}00000000${lines('d')}0002`)).toEqual(['a,b|delim', 'c|flush', '|flush', 'd|response-end'])
    expect(await sections('')).toEqual([])
  })

  test('that the stream cuts off are an error, not a shorter request', async () => {
    expect(await errorOf(() => sections(lines('a', 'b')))).toStartWith('protocol: ')
  })

  test('of more lines, or more bytes, than allowed are over a limit', async () => {
    const many = (count: number, length: number) => `${lines(...Array.from({ length: count }, () => 'x'.repeat(length)))}0000`
    expect((await sections(many(266, 5), 10)).length).toBe(1)
    expect(await errorOf(() => sections(many(267, 5), 10))).toStartWith('limit: Cannot read request')
    expect(await errorOf(() => sections(many(3, 65_000), 10))).toStartWith('limit: Cannot read request')
  })
})

describe('a push', () => {
  const someName = (random: Random) => `refs/${random.pick(['heads', 'tags', 'ü'])}/${random.below(1e6)}${random.pick(['', ' with spaces', 'é', '🐧'])}`
  const someOid = (random: Random) => Buffer.from(random.bytes(20)).toString('hex')

  property('reads back as it was written: commands, shallow lines, capabilities, options, and then the pack', 40, async (random) => {
    const commands = Array.from({ length: 1 + random.below(20) }, () => ({
      old: random.pick([zero, someOid(random)]),
      new: someOid(random),
      name: someName(random),
    }))
    const shallow = Array.from({ length: random.below(3) }, () => someOid(random))
    const options = random.chance(0.5) ? Array.from({ length: random.below(4) }, (_, i) => `option=${i} é\t`) : undefined
    const words = ['report-status', ...(options ? ['push-options'] : []), 'agent=git/2.39.5', 'object-format=sha1']
    const bytes = [
      ...shallow.map((oid) => encodePkt(`shallow ${oid}${random.pick(['', '\n'])}`)),
      ...commands.map(({ old, new: next, name }, i) => encodePkt(`${old} ${next} ${name}${i === 0 ? `\0 ${words.join(' ')}` : ''}${random.pick(['', '\n'])}`)),
      Buffer.from('0000'),
      ...(options ? [...options.map((option) => encodePkt(option)), Buffer.from('0000')] : []),
      Buffer.from('PACK follows'),
    ]
    const reader = new PktReader(inPieces(Buffer.concat(bytes), () => 1 + random.skewed(500)))
    const request = await readUpdateRequest(reader, defaultLimits)
    expect([request.commands, request.shallow, request.options]).toEqual([commands, shallow, options ?? []] as never)
    expect([...request.capabilities.keys()]).toEqual(words.map((word) => word.split('=')[0] as string))
    const rest: Uint8Array[] = []
    for await (const piece of reader.rest()) rest.push(piece)
    expect(Buffer.concat(rest).toString()).toBe('PACK follows')
  })

  test.each<[name: string, lines: (string | Buffer)[], expected: string]>([
    ['no space between the ids', [`${zero}${one} refs/heads/a`], 'protocol: Cannot read push'],
    ['a short id', [`${zero.slice(1)} ${one} refs/heads/a`], 'protocol: Cannot read push'],
    ['an id in capitals', [`${zero} ${'A'.repeat(40)} refs/heads/a`], 'protocol: Cannot read push'],
    ['no name', [`${zero} ${one} `], 'protocol: Cannot read push'],
    ['no name before its capabilities', [`${zero} ${one} \0report-status`], 'protocol: Cannot read push'],
    ['an empty line', [''], 'protocol: Cannot read push'],
    ['a shallow line that names nothing', ['shallow '], 'protocol: Cannot read push'],
    ['a certificate', ['push-cert\0report-status', 'certificate version 0.1'], 'protocol: Cannot read push: signed pushes'],
  ])('with %s is refused as a whole', async (_, lines, expected) => {
    const bytes = Buffer.concat([encodePkt(`${zero} ${one} refs/heads/first\0report-status`), ...lines.map((line) => encodePkt(line)), Buffer.from('0000')])
    const alone = Buffer.concat([...lines.map((line) => encodePkt(line)), Buffer.from('0000')])
    if (!String(lines[0]).includes('\0')) expect(await errorOf(() => readUpdateRequest(whole(bytes.toString('latin1')), defaultLimits))).toStartWith(expected)
    expect(await errorOf(() => readUpdateRequest(whole(alone.toString('latin1')), defaultLimits))).toStartWith(expected)
  })

  test.each([
    ['among the commands', `${encodePkt(`${zero} ${one} refs/heads/a\0push-options`)}00010000`],
    ['among the options', `${encodePkt(`${zero} ${one} refs/heads/a\0push-options`)}00000001`],
  ])('with a delimiter %s is refused', async (_, bytes) => {
    expect(await errorOf(() => readUpdateRequest(whole(bytes), defaultLimits))).toStartWith('protocol: Cannot read push: a delimiter')
  })

  test('with more options, or longer ones, than anybody needs is over a limit', async () => {
    const push = (options: string[]) =>
      `${encodePkt(`${zero} ${one} refs/heads/a\0push-options`)}0000${options.map((option) => encodePkt(option).toString()).join('')}0000`
    expect((await readUpdateRequest(whole(push(Array(256).fill('x'))), defaultLimits)).options.length).toBe(256)
    expect(await errorOf(() => readUpdateRequest(whole(push(Array(257).fill('x'))), defaultLimits))).toStartWith('limit: ')
    expect(await errorOf(() => readUpdateRequest(whole(push(['x'.repeat(4097)])), defaultLimits))).toStartWith('limit: ')
  })

  test('names that are not UTF-8 stay apart, and are known by their bytes', async () => {
    const names = [Buffer.from('refs/heads/\xe9', 'latin1'), Buffer.from('refs/heads/\xff', 'latin1'), Buffer.from('refs/heads/é')]
    const bytes = Buffer.concat([
      ...names.map((name) => encodePkt(Buffer.concat([Buffer.from(`${zero} ${one} `), name, Buffer.from('\n')]))),
      Buffer.from('0000'),
    ])
    const { commands, undecodable } = await readUpdateRequest(new PktReader(inPieces(bytes, () => 9)), defaultLimits)
    expect(commands.map(({ name }) => name)).toEqual(['refs/heads/\\xe9', 'refs/heads/\\xff', 'refs/heads/é'])
    expect([...undecodable.values()].map((raw) => Buffer.from(raw))).toEqual(names.slice(0, 2))
  })

  test('without commands is none, whatever its end looks like', async () => {
    for (const bytes of ['', '0000']) expect((await readUpdateRequest(whole(bytes), defaultLimits)).commands).toEqual([])
  })
})

describe('the answer to a push', () => {
  /** What a client makes of the answer: the report's lines, what was said, what failed. */
  async function heard(answer: Buffer, hasBands: boolean): Promise<{ report: string[]; said: string; failure: string; isEnded: boolean }> {
    const bands: Record<number, Buffer[]> = { 1: [], 2: [], 3: [] }
    let isEnded = false
    let failure = ''
    if (hasBands) {
      const reader = new PktReader(inPieces(answer, () => 977))
      for (let pkt = await reader.next(); pkt; pkt = await reader.next()) {
        if (pkt.type === 'data') (bands[pkt.payload[0] as number] as Buffer[]).push(Buffer.from(pkt.payload.subarray(1)))
        isEnded = pkt.type === 'flush'
      }
    }
    const report: string[] = []
    const inner = new PktReader(inPieces(hasBands ? Buffer.concat(bands[1] as Buffer[]) : answer, () => 977))
    for (let pkt = await inner.next(); pkt; pkt = await inner.next()) {
      const text = pkt.type === 'data' ? pktText(pkt.payload) : pkt.type
      if (text.startsWith('ERR ')) failure = text.slice(4)
      else report.push(text)
    }
    return { report, said: Buffer.concat(bands[2] as Buffer[]).toString(), failure: failure || Buffer.concat(bands[3] as Buffer[]).toString(), isEnded }
  }

  const capabilitySets: [string, string[]][] = [
    ['with bands and a report', ['report-status', 'side-band-64k']],
    ['with a report of version 2', ['report-status-v2', 'side-band-64k']],
    ['with a report alone', ['report-status']],
    ['with bands alone', ['side-band-64k']],
    ['quietly', ['report-status', 'side-band-64k', 'quiet']],
    ['with nothing', []],
  ]

  test.each(capabilitySets)('%s says to each client what it can read', async (_, names) => {
    const capabilities = new Map(names.map((name) => [name, '']))
    const hasBands = capabilities.has('side-band-64k')
    const sink = new Collected()
    const answer = new PushAnswer(sink, { capabilities, undecodable: new Map([['refs/heads/\\xff', Buffer.from('refs/heads/\xff', 'latin1')]]) })
    await answer.progress('1 of 2\r')
    await answer.say('Created it\n')
    const results: PushReport['results'] = [
      { name: 'refs/heads/a', ok: true },
      { name: 'refs/heads/b', ok: false, reason: 'non-fast-forward\u001b[31m' },
      { name: 'refs/heads/c', ok: false },
      ...Array.from({ length: 3000 }, (_, i) => ({ name: `refs/heads/topic/number-${i}`, ok: i % 2 === 0, reason: 'stale info' })),
    ]
    await answer.report({ unpack: 'ok', results })
    const client = await heard(sink.bytes, hasBands)
    const lines = ['unpack ok', 'ok refs/heads/a', 'ng refs/heads/b non-fast-forward\\u{1b}[31m', 'ng refs/heads/c refused']
    const more = results.slice(3).map(({ name, ok }) => (ok ? `ok ${name}` : `ng ${name} stale info`))
    expect(client.report).toEqual(names.some((name) => name.startsWith('report')) ? [...lines, ...more, 'flush'] : [])
    expect(client.said).toBe(hasBands ? (names.includes('quiet') ? 'Created it\n' : '1 of 2\rCreated it\n') : '')
    expect(client.isEnded).toBe(hasBands)
  })

  test('gives a name that is not UTF-8 back in the bytes that it came in', async () => {
    const raw = Buffer.from('refs/heads/\xff', 'latin1')
    const sink = new Collected()
    await new PushAnswer(sink, { capabilities: new Map([['report-status', '']]), undecodable: new Map([['refs/heads/\\xff', raw]]) }).report({
      unpack: 'ok',
      results: [{ name: 'refs/heads/\\xff', ok: false, reason: 'no UTF-8' }],
    })
    expect(sink.bytes.includes(Buffer.concat([Buffer.from('ng '), raw, Buffer.from(' no UTF-8\n')]))).toBe(true)
  })

  test.each([true, false])('that is a failure is heard by the client, with bands: %p, and obeyed by no terminal', async (hasBands) => {
    const sink = new Collected()
    const answer = new PushAnswer(sink, { capabilities: new Map(hasBands ? [['side-band-64k', '']] : []), undecodable: new Map() })
    await answer.fail('No room\u001b[2J')
    expect((await heard(sink.bytes, hasBands)).failure.trim()).toBe('No room\\u{1b}[2J')
  })
})
