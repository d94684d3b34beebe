import { afterAll, describe, expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { PATIENCE, property } from '../../../test/seeds.ts'
import type { Oid } from '../objects/oid.ts'
import { kindOf } from '../store/contract.ts'
import { DiskStore } from '../store/disk.ts'
import { decodeBase85, encodeBase85 } from './base85.ts'
import { writeMails } from './commit-mail.ts'
import { PathFilter } from './path-filter.ts'
import { quotePath } from './quote-path.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
initBare(root.path)

describe('base 85', () => {
  property('comes back as it was, whatever the bytes and their number', 80, (random, seed) => {
    const bytes = random.chance(0.2) ? new Uint8Array(seed).fill(random.pick([0, 255])) : random.bytes(seed)
    const text = encodeBase85(bytes)
    expect(text.length).toBe(Math.ceil(bytes.length / 4) * 5)
    expect(Buffer.from(decodeBase85(text, bytes.length)).equals(Buffer.from(bytes))).toBe(true)
  })

  test.each([
    ['00000', 4, '00000000'],
    ['|NsC0', 4, 'ffffffff'],
    ['|NsC', 4, 'corrupt'],
    ['|NsC1', 4, 'corrupt'],
    ['~~~~~', 4, 'corrupt'],
    ['0000"', 4, 'corrupt'],
    ['0000ü', 4, 'corrupt'],
    ['00000', 5, 'corrupt'],
    ['0000000000', 4, 'corrupt'],
    ['', 0, ''],
  ])('%j for %d bytes is %s', (text, length, expected) => {
    let found = ''
    const kind = kindOf(() => {
      found = Buffer.from(decodeBase85(text, length)).toString('hex')
    })
    expect(kind ?? found).toBe(expected)
  })
})

test('paths are quoted as git quotes them, whatever their bytes', () => {
  const names = Array.from({ length: 255 }, (_, byte) => byte + 1)
    .filter((byte) => byte !== 47)
    .map((byte) => Buffer.from([120, byte, 121]))
    .concat(['plain', 'with blank', 'grüße', 'a"b\\c', '🐧'].map((name) => Buffer.from(name)))
  const blob = git(['hash-object', '-w', '--stdin'], { cwd: root.path, stdin: 'x' }).toString().trim()
  const input = Buffer.concat(names.flatMap((name) => [Buffer.from(`100644 blob ${blob}\t`), name, Buffer.from([0])]))
  const tree = git(['mktree', '-z'], { cwd: root.path, stdin: input }).toString().trim()
  const shown = git(['ls-tree', '--name-only', tree], { cwd: root.path }).toString('latin1').trim().split('\n')
  expect(names.toSorted(Buffer.compare).map((name) => quotePath(name))).toEqual(shown)
})

property('paths asked for are those that git takes them for', 40, (random) => {
  const pieces = ['a', 'b', 'ab', 'a.b']
  const path = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(pieces)).join('/')
  const wanted = Array.from({ length: 1 + random.below(3) }, () => random.pick(['', '/']) + path() + random.pick(['', '/']))
  const filter = new PathFilter(wanted)
  for (let i = 0; i < 30; i++) {
    const file = path()
    const bare = wanted.map((one) => one.replace(/^\/|\/$/g, ''))
    const isIn = bare.some((one) => file === one || file.startsWith(`${one}/`))
    expect([wanted, file, filter.matches(file)]).toEqual([wanted, file, isIn])
    expect(filter.mayHold(file)).toBe(isIn || bare.some((one) => one.startsWith(`${file}/`)))
  }
  expect([new PathFilter(['', 'a']).matches('z'), new PathFilter(undefined).mayHold('z'), new PathFilter([]).matches('z')]).toEqual([true, true, false])
})

describe('mails of commits', () => {
  const subjects = [
    'plain',
    'grüße an alle',
    `${'a long subject that goes on and on '.repeat(5)}`,
    `${'überlang und mit Umlauten äöü '.repeat(6)}`,
    '=?UTF-8?q?already=20encoded?=',
    'question? = under_score',
    'tab\there',
    '日本語の件名がここにあります、そしてとても長いのです、もっともっと長く',
    '🐧'.repeat(40),
    'x'.repeat(200),
    '[brackets] of its own',
    'first line\nsecond line of the subject',
    '   blanks around   ',
    '-- ',
    // On both sides of where a line ends.
    ...[54, 55, 56, 57, 58].flatMap((length) => [`${'x'.repeat(length)} tail`, `${'ü'.repeat(length - 40)} tail`]),
  ]
  const bodies = ['', 'A body.\n', 'Two\n\nparts\n\n\n', 'grüße\n', '---\nnot the end\n', 'From here on\n', 'trailing blanks   \n']
  const authors = [
    'Ada',
    'Ada B. Lovelace',
    'Jürgen Größe',
    '"Quoted" Name',
    "O'Brien, Jr.",
    'a@b',
    '日本 太郎',
    `${'Very Long Name '.repeat(6)}`.trim(),
    'Søren Ærø '.repeat(8).trim(),
  ]
  const dates = ['1700000000 +0100', '0 +0000', '1700000000 -1130', '4000000000 +1400', '951782400 +0000']

  test(
    'have the heads and texts of git format-patch, whatever people write',
    async () => {
      const commits = subjects.flatMap((subject, at) =>
        [0, 1].map((more) => ({
          message: `${subject}\n${bodies[(at + more * 3) % bodies.length] ? `\n${bodies[(at + more * 3) % bodies.length]}` : ''}`,
          author: `${authors[(at + more) % authors.length]} <${'e'.repeat(more * 60)}@example.org> ${dates[(at + more) % dates.length]}`,
        })),
      )
      const stream = commits.map(
        ({ message, author }, at) =>
          `commit refs/heads/mails\nauthor ${author}\ncommitter C <c@example.org> ${1_700_000_000 + at} +0000\ndata ${Buffer.byteLength(message)}\n${message}\nM 100644 inline f\ndata ${String(at).length}\n${at}\n\n`,
      )
      git(['fast-import', '--quiet'], { cwd: root.path, stdin: stream.join('') })
      const oids = git(['rev-list', '--reverse', 'mails'], { cwd: root.path }).toString().trim().split('\n') as Oid[]
      const store = DiskStore.open(root.path)
      const flags = ['--root', '--no-signature', '--full-index', '-k', '--subject-prefix=', '--stdout']
      for (const [at, oid] of oids.entries()) {
        const sent: Uint8Array[] = []
        await writeMails(store, [oid], { subjectPrefix: 'PATCH' }, async (bytes) => void sent.push(Buffer.from(bytes)))
        const args = ['format-patch', ...flags.filter((flag) => flag !== '-k' && !flag.startsWith('--subject')), '-1', oid]
        const expected = git(args, { cwd: root.path }).toString()
        expect({ commit: commits[at], mail: Buffer.concat(sent).toString() }).toEqual({ commit: commits[at], mail: expected } as never)
      }
      store.close()
    },
    PATIENCE,
  )

  test('cost nothing to speak of for very many spaces in a line', async () => {
    const message = `Subject\n\nmany${' '.repeat(60_000)}spaces\n`
    const stream = `commit refs/heads/wide\ncommitter C <c@example.org> 1700000000 +0000\ndata ${message.length}\n${message}\nM 100644 inline f\ndata 1\n1\n\n`
    git(['fast-import', '--quiet'], { cwd: root.path, stdin: stream })
    const store = DiskStore.open(root.path)
    const sent: Uint8Array[] = []
    const spent = cpuMeter()
    await writeMails(store, [git(['rev-parse', 'wide'], { cwd: root.path }).toString().trim() as Oid], {}, async (bytes) => void sent.push(Buffer.from(bytes)))
    expect([
      Buffer.concat(sent)
        .toString()
        .includes(message.slice(message.indexOf('many'))),
      spent() < 500,
    ]).toEqual([true, true])
    store.close()
  })
})
