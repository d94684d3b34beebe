import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Oid } from '../objects/oid.ts'
import { advertiseUpload } from './advertise.ts'
import { ourAnswer, stockAnswer } from './answers.fixture.ts'
import type { UploadContext } from './context.ts'
import { agent, Collected, contextOf, GitServer, git } from './git-server.fixture.ts'
import { encodePkt } from './pkt-line.ts'
import { advertiseReceive } from './receive-pack.ts'
import { makeSample } from './sample-repository.fixture.ts'

/**
 * What we say is, byte for byte, what stock git says on the same request: clients other than git's own were written by looking at its
 * answers. The pack itself is left out, and so are the capabilities, of which each server has its own.
 */

const server = new GitServer()
let dir = ''
let context: UploadContext
const names: Record<string, string> = {}

beforeAll(async () => {
  dir = await makeSample(server, 'sample')
  for (const setting of ['allowRefInWant', 'allowReachableSHA1InWant']) await git(dir, 'config', `uploadpack.${setting}`, 'true')
  for (const name of ['main', 'main~1', 'main~5', 'main~9', 'side', 'apart', 'v20', 'v20^{commit}', 'main^{tree}'])
    names[name] = await git(dir, 'rev-parse', name)
  context = await contextOf(dir)
})

afterAll(async () => {
  context.store.close()
  await server[Symbol.asyncDispose]()
})

const nobodys = 'ab'.repeat(20)
const [FLUSH, DELIM] = ['0000', '0001']
const special = new Set([FLUSH, DELIM])

/** Packets of the lines, in which `<name>` stands for what a revision of the sample is. */
function requestOf(lines: readonly string[]): string {
  return lines.map((line) => (special.has(line) ? line : encodePkt(`${line.replace(/<(.+?)>/g, (_, name) => names[name] as string)}\n`).toString())).join('')
}

/** The packets as text, escaped, up to the pack: a band's first packet, or the pack's own magic. */
function saidIn(answer: string): string[] {
  const said: string[] = []
  for (let at = 0; at < answer.length; ) {
    const length = Number.parseInt(answer.slice(at, at + 4), 16)
    const body = answer.slice(at + 4, at + Math.max(length, 4))
    if (Number.isNaN(length) || /^[\u0001\u0002]/.test(body)) break
    said.push(length < 4 ? answer.slice(at, at + 4) : JSON.stringify(body))
    at += Math.max(length, 4)
  }
  return inOrder(said)
}

/** The order of a boundary's commits means nothing. */
function inOrder(said: string[]): string[] {
  const isBoundary = (line: string): boolean => /^"(un)?shallow /.test(line)
  const sorted = said.filter(isBoundary).sort()
  return said.map((line) => (isBoundary(line) ? (sorted.shift() as string) : line))
}

const caps = 'side-band-64k ofs-delta agent=git/2.50.0'
const detailed = `multi_ack_detailed no-done ${caps}`

const fetches: [what: string, version: 0 | 2, lines: string[]][] = [
  ['a clone', 0, [`want <main> ${caps}`, FLUSH, 'done']],
  ['a clone without side-bands', 0, ['want <main> ofs-delta', FLUSH, 'done']],
  ['a shallow clone', 0, [`want <main> ${caps}`, 'deepen 1', FLUSH, 'done']],
  ['a shallow clone of two branches', 0, [`want <main> ${caps}`, 'want <apart>', 'deepen 3', FLUSH, 'done']],
  ['a clone since a date', 0, [`want <main> ${caps}`, 'deepen-since 1706000000', FLUSH, 'done']],
  ['a clone without the history of a branch', 0, [`want <main> ${caps}`, 'deepen-not refs/heads/side', FLUSH, 'done']],
  ['deepening', 0, [`want <main> ${caps}`, 'shallow <main~1>', 'deepen 5', FLUSH, 'have <main>', 'done']],
  ['making whole', 0, [`want <main> ${caps}`, 'shallow <main~1>', 'deepen 2147483647', FLUSH, 'have <main>', 'done']],
  ['the boundary alone', 0, [`want <main> ${caps}`, 'deepen 1', FLUSH]],
  ['a fetch with one have', 0, [`want <main> ${caps}`, FLUSH, 'have <main~5>', 'done']],
  ['a fetch with a have that nobody has', 0, [`want <main> ${caps}`, FLUSH, `have ${nobodys}`, 'done']],
  ['a round of haves', 0, [`want <main> ${caps}`, FLUSH, 'have <main~9>', `have ${nobodys}`, FLUSH]],
  ['multi_ack', 0, [`want <main> multi_ack ${caps}`, FLUSH, 'have <main~9>', 'have <main~5>', 'done']],
  ['multi_ack, a round of haves', 0, [`want <main> multi_ack ${caps}`, FLUSH, 'have <main~9>', `have ${nobodys}`, FLUSH]],
  ['multi_ack_detailed', 0, [`want <main> ${detailed}`, FLUSH, 'have <main~9>', 'have <main~5>', 'done']],
  ['multi_ack_detailed, a round of haves', 0, [`want <main> ${detailed}`, FLUSH, 'have <side>', `have ${nobodys}`, FLUSH]],
  ['multi_ack_detailed, a have that is enough', 0, [`want <main> ${detailed}`, FLUSH, 'have <main~1>', FLUSH]],
  ['an object that is not there', 0, [`want ${nobodys} ${caps}`, FLUSH, 'done']],
  ['a clone', 2, ['command=fetch', DELIM, 'want <main>', 'done', FLUSH]],
  ['a shallow clone', 2, ['command=fetch', DELIM, 'want <main>', 'deepen 1', 'done', FLUSH]],
  ['deepening', 2, ['command=fetch', DELIM, 'want <main>', 'shallow <main~1>', 'deepen 5', 'have <main>', 'done', FLUSH]],
  ['a depth beyond all history', 2, ['command=fetch', DELIM, 'want <main>', 'deepen 2147483647', 'done', FLUSH]],
  ['refs wanted by name', 2, ['command=fetch', DELIM, 'want-ref refs/heads/side', 'want-ref refs/tags/v20', 'done', FLUSH]],
  ['a ref that is not there, wanted by name', 2, ['command=fetch', DELIM, 'want-ref refs/heads/none', 'done', FLUSH]],
  ['an object that is not there', 2, ['command=fetch', DELIM, `want ${nobodys}`, 'done', FLUSH]],
  ['haves in common', 2, ['command=fetch', DELIM, 'want <main>', 'have <main~9>', `have ${nobodys}`, FLUSH]],
  ['no haves in common', 2, ['command=fetch', DELIM, 'want <main>', `have ${nobodys}`, FLUSH]],
  ['waiting for done', 2, ['command=fetch', DELIM, 'want <main>', 'have <main~9>', 'wait-for-done', FLUSH]],
  ['the list of refs', 2, ['command=ls-refs', DELIM, 'peel', 'symrefs', FLUSH]],
  ['the list of refs, bare', 2, ['command=ls-refs', FLUSH]],
  ['the list of refs under prefixes', 2, ['command=ls-refs', DELIM, 'peel', 'ref-prefix refs/tags/v', 'ref-prefix refs/heads/s', FLUSH]],
  ['the sizes of objects', 2, ['command=object-info', DELIM, 'size', 'oid <main>', 'oid <main^{tree}>', FLUSH]],
]

describe.each(fetches)('%s, version %d', (_, version, lines) => {
  test('is answered as stock git answers it', async () => {
    const request = requestOf(lines)
    const [expected, answer] = await Promise.all([stockAnswer(dir, 'upload-pack', version, [], request), ourAnswer(context, version, request)])
    expect(saidIn(answer)).toEqual(saidIn(expected))
  })
})

test('a name that is not UTF-8 is none of a ref that is called as it would be decoded', async () => {
  const decoded = { name: 'refs/heads/\ufffd', oid: names.main as Oid }
  const asked = { ...context, refs: { ...context.refs, refs: [decoded] } }
  const answerTo = (command: string, ...lines: string[]) =>
    ourAnswer(
      asked,
      2,
      [encodePkt(`command=${command}\n`), DELIM, ...lines.map((line) => encodePkt(Buffer.from(`${line}\n`, 'latin1'))), FLUSH]
        .map((part) => part.toString('latin1'))
        .join(''),
    )
  expect(await answerTo('fetch', 'want-ref refs/heads/\xff', 'done')).toContain('ERR unknown ref refs/heads/\\xff')
  expect(await answerTo('fetch', `want ${names.main}`, 'deepen-not refs/heads/\xff', 'done')).toContain('deepen-not "refs/heads/\\xff" is not a ref')
  expect(await answerTo('ls-refs', 'ref-prefix refs/heads/\xff')).toBe(FLUSH)
  expect(await answerTo('ls-refs', `ref-prefix ${Buffer.from(decoded.name).toString('latin1')}`)).toContain(decoded.oid)
})

/** Without the capabilities of the first ref. */
const withoutCapabilities = (lines: string[]): string[] => lines.map((line) => line.replace(/\\u0000[^"]*/, '\\u0000…'))

describe.each([0, 1])('refs advertised in version %d', (version) => {
  test('for fetches are those of stock git', async () => {
    const sink = new Collected()
    await advertiseUpload(version as 0 | 1, context.refs, { agent, http: false }, sink)
    const expected = await stockAnswer(dir, 'upload-pack', version, ['--advertise-refs'], '')
    expect(withoutCapabilities(saidIn(sink.bytes.toString('latin1')))).toEqual(withoutCapabilities(saidIn(expected)))
  })

  test('for pushes are those of stock git', async () => {
    const sink = new Collected()
    await advertiseReceive(version as 0 | 1, context.refs, { agent, http: false }, sink)
    const expected = await stockAnswer(dir, 'receive-pack', version, ['--advertise-refs'], '')
    expect(withoutCapabilities(saidIn(sink.bytes.toString('latin1')))).toEqual(withoutCapabilities(saidIn(expected)))
  })
})
