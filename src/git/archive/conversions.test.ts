import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { ChunkWriter } from './byte-sink.ts'
import { toWorkingTree } from './convert.ts'
import type { ArchiveAttributes } from './entry-walk.ts'
import { substituted } from './export-subst.ts'
import { formatCommit } from './format-commit.ts'
import { eolRule, withCrlf } from './line-endings.ts'
import { RequestedTag } from './requested-tag.ts'
import { dosTime, fields } from './zip-fields.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const text = (data: Uint8Array) => Buffer.from(data).toString('latin1')
const oid = '1234567890abcdef1234567890abcdef12345678' as Oid

describe('times as MS-DOS has them', () => {
  const back = ({ date, time }: { date: number; time: number }) =>
    new Date(Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2)).toISOString().slice(0, 19)

  test.each([
    ['1980-01-01T00:00:00', '1980-01-01T00:00:00'],
    ['1979-12-31T23:59:59', '1980-01-01T00:00:00'],
    ['1970-01-01T00:00:00', '1980-01-01T00:00:00'],
    ['2024-02-29T12:34:56', '2024-02-29T12:34:56'],
    ['2024-02-29T12:34:57', '2024-02-29T12:34:56'],
    ['2107-12-31T23:59:59', '2107-12-31T23:59:58'],
    ['2108-01-01T00:00:00', '2107-12-31T23:59:58'],
    ['9999-01-01T00:00:00', '2107-12-31T23:59:58'],
  ])('%s is %s', (given, expected) => {
    expect(back(dosTime(Date.parse(`${given}Z`) / 1000))).toBe(expected)
  })

  property('are never further off than a second, for every year that it knows', 60, (random) => {
    const seconds = Date.UTC(1980, 0, 1) / 1000 + random.below(4_000_000_000)
    if (seconds < Date.UTC(2108, 0, 1) / 1000) expect(Date.parse(`${back(dosTime(seconds))}Z`) / 1000).toBe(seconds - (seconds % 2))
  })

  test('numbers lie side by side, the least byte first', () => {
    expect(Buffer.from(fields([1, 0xab], [2, 0x1234], [4, 0xdeadbeef], [8, 2 ** 40 + 1])).toString('hex')).toBe('ab3412efbeadde0100000000010000')
    expect(() => fields([2, 0x10000])).toThrow()
  })
})

describe('line ends', () => {
  const none = { text: undefined, crlf: undefined, eol: undefined }
  test.each<[Partial<typeof none> | Record<string, unknown>, string | undefined]>([
    [{}, undefined],
    [{ eol: 'lf' }, undefined],
    [{ text: true }, undefined],
    [{ eol: 'crlf' }, 'crlf'],
    [{ eol: 'crlf', text: true }, 'crlf'],
    [{ eol: 'crlf', text: false }, undefined],
    [{ eol: 'crlf', text: 'auto' }, 'auto-crlf'],
    [{ eol: 'crlf', crlf: false }, undefined],
    [{ eol: 'crlf', text: true, crlf: false }, 'crlf'],
    [{ eol: true }, undefined],
  ])('attributes %j ask for %p', (attributes, rule) => {
    expect(eolRule({ ...none, ...attributes } as never)).toBe(rule as never)
  })

  test.each<[string, 'crlf' | 'auto-crlf' | undefined, string]>([
    ['a\nb\n', 'crlf', 'a\r\nb\r\n'],
    ['a\nb\n', 'auto-crlf', 'a\r\nb\r\n'],
    ['a\nb\n', undefined, 'a\nb\n'],
    ['a\r\nb\n', 'crlf', 'a\r\nb\r\n'],
    ['a\r\nb\n', 'auto-crlf', 'a\r\nb\n'],
    ['a\rb\n', 'auto-crlf', 'a\rb\n'],
    ['a\rb\n', 'crlf', 'a\rb\r\n'],
    ['\n', 'crlf', '\r\n'],
    ['\n\n', 'auto-crlf', '\r\n\r\n'],
    ['', 'crlf', ''],
    ['no break', 'crlf', 'no break'],
    ['a\0\n', 'auto-crlf', 'a\0\n'],
    ['a\0\n', 'crlf', 'a\0\r\n'],
    ['\x01\x02\n', 'auto-crlf', '\x01\x02\n'],
    ['\x1b\t\f\b text\n', 'auto-crlf', '\x1b\t\f\b text\r\n'],
    ['dos\n\x1a', 'auto-crlf', 'dos\r\n\x1a'],
    ['\x7f\n', 'auto-crlf', '\x7f\n'],
  ])('of %j under %p become %j', (given, rule, expected) => {
    expect(text(withCrlf(bytes(given), rule))).toBe(expected)
  })

  property('once turned stay so, and hold the same text', 60, (random) => {
    const given = Array.from({ length: random.below(60) }, () => random.pick(['a', '\n', '\r\n', 'text', '\r'])).join('')
    const turned = text(withCrlf(bytes(given), 'crlf'))
    expect(text(withCrlf(bytes(turned), 'crlf'))).toBe(turned)
    expect(turned.replaceAll('\r\n', '\n')).toBe(given.replaceAll('\r\n', '\n'))
    expect(/(^|[^\r])\n/.test(turned)).toBe(false)
  })
})

describe('content as it is checked out', () => {
  const attributes = (own: Partial<ArchiveAttributes>) => own as ArchiveAttributes
  test.each<[string, Partial<ArchiveAttributes>, string]>([
    ['$Id$', { ident: true }, `$Id: ${oid} $`],
    ['$Id: old $', { ident: true }, `$Id: ${oid} $`],
    ['$Id: two words $', { ident: true }, '$Id: two words $'],
    ['$Id', { ident: true }, '$Id'],
    ['$Id$', {}, '$Id$'],
    ['$Id$', { ident: 'yes' }, '$Id$'],
    ['$Id$\n', { ident: true, eol: 'crlf' }, `$Id: ${oid} $\r\n`],
    ['a', { 'working-tree-encoding': 'UTF-16LE' }, 'a\0'],
    ['a', { 'working-tree-encoding': 'utf-16be' }, '\0a'],
    ['a', { 'working-tree-encoding': 'UTF-16' }, '\xff\xfea\0'],
    ['a', { 'working-tree-encoding': 'UTF-16LE-BOM' }, '\xff\xfea\0'],
    ['a', { 'working-tree-encoding': 'UTF-16BE-BOM' }, '\xfe\xff\0a'],
    ['\xc3\xa9', { 'working-tree-encoding': 'ISO-8859-1' }, '\xe9'],
    ['\xc3\xa9', { 'working-tree-encoding': 'latin1' }, '\xe9'],
    ['\xe2\x82\xac', { 'working-tree-encoding': 'latin1' }, '\xe2\x82\xac'],
    ['\xff', { 'working-tree-encoding': 'UTF-16' }, '\xff'],
    ['a', { 'working-tree-encoding': 'EBCDIC' }, 'a'],
    ['a', { 'working-tree-encoding': true }, 'a'],
    ['a\n', { 'working-tree-encoding': 'UTF-16LE', eol: 'crlf' }, 'a\0\r\0\n\0'],
  ])('%j with %j is %j', (given, own, expected) => {
    expect(text(toWorkingTree(bytes(given), oid, attributes(own)))).toBe(expected)
  })
})

describe('placeholders', () => {
  const commit = {
    ...parseCommit(
      Buffer.from(`tree ${oid}\nparent ${oid}\nauthor Zoë Quill <zoe@example.org> 1700000001 -0330\ncommitter B <b@c> 0 +0000\n\nA subject…\non two\n\nBody\n`),
    ),
    oid,
  }
  const filled = (format: string) => Buffer.from(formatCommit(commit, format)).toString()

  test.each([
    ['', ''],
    ['%H %h', `${oid} ${oid.slice(0, 10)}`],
    ['%an <%ae> %al', 'Zoë Quill <zoe@example.org> zoe'],
    ['%s|%f', 'A subject… on two|A-subject'],
    ['%b', 'Body\n'],
    ['%+b', '\nBody\n'],
    ['x%n%n%-D', 'x'],
    ['% s', ' A subject… on two'],
    ['%+D|%-D|% D', '||'],
    ['%%H', '%H'],
    ['%', '%'],
    ['%?', '%?'],
    ['%x4', '%x4'],
    ['%x41%x7a', 'Az'],
    ['%ar %C(red) %GK', '%ar %C(red) %GK'],
    ['%(describe)%(describe:tags)%(decorate)', ''],
    ['%_ %valueOf', '%_ %valueOf'],
    ['%at %ct', '1700000001 0'],
    ['%e', ''],
  ])('%j become %j', (format, expected) => {
    expect(filled(format)).toBe(expected)
  })

  test.each([
    ['%D', 'tag: v1.0-β'],
    ['%d', ' (tag: v1.0-β)'],
    ['% D%+d', ' tag: v1.0-β\n (tag: v1.0-β)'],
    ['%(decorate)', ' (tag: v1.0-β)'],
    ['%(decorate:prefix=,suffix=,tag=)', 'v1.0-β'],
    ['%(decorate:prefix=%x28%n,separator=%x2c)', '(\ntag: v1.0-β)'],
    ['%(describe)', 'v1.0-β'],
    ['%(describe:tags=true,abbrev=0)', 'v1.0-β'],
    ['%(describe:match=v*)', 'v1.0-β'],
    ['%(describe:match=x*,match=*-β)', 'v1.0-β'],
    ['%(describe:match=x*)', ''],
    ['%(describe:exclude=*-*)', ''],
    [`%(describe:match=${'*a'.repeat(60)})`, ''],
  ])('of an archive requested by the tag v1.0-β, %j becomes %j', (format, expected) => {
    const named = { ...commit, tag: new RequestedTag('v1.0-β') }
    expect(Buffer.from(formatCommit(named, format)).toString()).toBe(expected)
  })

  test.each([
    ['$Format:%H$', `${oid}`],
    ['a $Format:%h$ b $Format:%n$ c', `a ${oid.slice(0, 10)} b \n c`],
    ['$Format:', '$Format:'],
    ['$Format:%H', '$Format:%H'],
    ['$Format:$', ''],
    ['$Format:$Format:%h$', 'Format:%h$'],
    ['$ Format:%H$', '$ Format:%H$'],
    [`$Format:${'x'.repeat(4097)}$`, `$Format:${'x'.repeat(4097)}$`],
    [`$Format:${'x'.repeat(4096)}$`, 'x'.repeat(4096)],
  ])('in %j', (given, expected) => {
    expect(text(substituted(bytes(given), commit))).toBe(Buffer.from(expected).toString('latin1'))
  })
})

describe('chunks', () => {
  property('hold all that was written, each but the last an eighth of a megabyte, and are not written to again', 12, async (random) => {
    const sent: Uint8Array[] = []
    const copies: Buffer[] = []
    const writer = new ChunkWriter({
      write: (chunk) => {
        sent.push(chunk)
        copies.push(Buffer.from(chunk))
      },
      end: () => {},
    })
    const pieces = Array.from({ length: 20 }, () => somePiece(random))
    for (const piece of pieces) await writer.write(piece)
    expect(writer.offset).toBe(pieces.reduce((sum, { length }) => sum + length, 0))
    await writer.end()
    expect(Buffer.concat(sent).equals(Buffer.concat(pieces))).toBe(true)
    for (const [i, chunk] of sent.entries()) {
      expect(copies[i]?.equals(chunk)).toBe(true)
      if (i < sent.length - 1) expect(chunk.length).toBe(128 * 1024)
    }
  })

  const somePiece = (random: Random) =>
    Buffer.from(random.bytes(random.chance(0.2) ? random.pick([0, 256 * 1024, 256 * 1024 - 1, 256 * 1024 + 1, 600_000]) : random.skewed(50_000)))
})
