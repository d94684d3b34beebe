import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Random } from '../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { PATIENCE, property } from '../../../test/seeds.ts'
import { kindOf } from '../store/contract.ts'
import { type Commit, commitLinks, commitTime, encodeCommit, parseCommit } from './commit.ts'
import { encodeIdent, parseIdent, zoneMinutes } from './ident.ts'
import { hashObject, isOid, type Oid, oidAt, parseOid, rawOid, SHA1 } from './oid.ts'
import { parseTag, type Tag } from './tag.ts'
import { eachEntry, encodeTree, entryType, findEntry, parseTree, type TreeEntry } from './tree.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
initBare(root.path)
const someOid = (random: Random) => Buffer.from(random.bytes(20)).toString('hex') as Oid

describe('trees', () => {
  const modes = [0o100644, 0o100755, 0o120000, 0o040000, 0o160000]
  const pieces = ['a', 'b', 'ab', '.', '-', '0', 'ü', ' ', '\x01', '\xff', '\xc3', '~', '🐧']

  /** A name of bytes, UTF-8 or not. */
  const someName = (random: Random) => {
    const parts = Array.from({ length: 1 + random.below(4) }, () => random.pick(pieces))
    return Buffer.concat(parts.map((part) => Buffer.from(part, part.length === 1 && part > '\x7f' && part !== 'ü' ? 'latin1' : 'utf8')))
  }

  const someEntries = (random: Random): TreeEntry[] => {
    const byName = new Map<string, TreeEntry>()
    for (let i = random.below(30); i > 0; i--) {
      const raw = someName(random)
      const name = raw.toString()
      const entry: TreeEntry = { mode: random.pick(modes), name, oid: someOid(random), ...(name.includes('\ufffd') ? { rawName: new Uint8Array(raw) } : {}) }
      byName.set(raw.toString('latin1'), entry)
    }
    return [...byName.values()]
  }

  property('come out as they went in, in git’s order whatever theirs, names in any bytes', 60, (random) => {
    const entries = someEntries(random)
    const data = encodeTree(entries)
    const parsed = parseTree(data)
    const key = ({ mode, name, oid, rawName }: TreeEntry) => `${mode} ${oid} ${Buffer.from(rawName ?? Buffer.from(name)).toString('hex')}`
    expect(parsed.map(key).sort()).toEqual(entries.map(key).sort())
    expect(Buffer.from(encodeTree(parsed)).equals(Buffer.from(data))).toBe(true)
    for (const entry of entries) expect(findEntry(data, entry.rawName ?? entry.name)).toEqual(entry)
    for (const absent of ['zz', '', 'a/b']) if (!entries.some(({ name }) => name === absent)) expect(findEntry(data, absent)).toBeUndefined()
  })

  test('have the ids that git gives them', () => {
    const trees = Array.from({ length: 60 }, (_, seed) => someEntries(new Random(seed)))
    const lineOf = ({ mode, name, oid, rawName }: TreeEntry) =>
      Buffer.concat([Buffer.from(`${mode.toString(8).padStart(6, '0')} ${entryType(mode)} ${oid}\t`), rawName ?? Buffer.from(name), Buffer.from([0])])
    const stdin = Buffer.concat(trees.flatMap((entries) => [...entries.map(lineOf), Buffer.from([0])]))
    const ids = git(['mktree', '-z', '--batch', '--missing'], { cwd: root.path, stdin }).toString().trim().split('\n')
    expect(trees.map((entries): string => hashObject(SHA1, 'tree', encodeTree(entries)))).toEqual(ids)
  })

  test('cut off anywhere are no trees, or shorter ones: never other entries', () => {
    const entries = [0, 1, 2].map((i) => ({ mode: 0o100644, name: `file-${i}`, oid: String(i + 1).repeat(40) as Oid }))
    const data = encodeTree(entries)
    for (let length = 0; length < data.length; length++) {
      const kind = kindOf(() => expect(parseTree(data.subarray(0, length))).toEqual(entries.slice(0, length / (data.length / 3))))
      expect(kind === undefined).toBe(length % (data.length / 3) === 0)
    }
  })

  test('stop where the visitor says', () => {
    const data = encodeTree(['a', 'b', 'c'].map((name) => ({ mode: 0o100644, name, oid: '1'.repeat(40) as Oid })))
    const seen: string[] = []
    eachEntry(data, (_mode, from, to) => {
      seen.push(Buffer.from(data.subarray(from, to)).toString())
      return seen.length === 2
    })
    expect(seen).toEqual(['a', 'b'])
  })

  test.each<[string, TreeEntry[]]>([
    ['an empty name', [{ mode: 0o100644, name: '', oid: '1'.repeat(40) as Oid }]],
    ['a slash', [{ mode: 0o100644, name: 'a/b', oid: '1'.repeat(40) as Oid }]],
    ['a NUL', [{ mode: 0o100644, name: 'a\0b', oid: '1'.repeat(40) as Oid }]],
    ['one name twice', [0o100644, 0o040000].map((mode) => ({ mode, name: 'a', oid: '1'.repeat(40) as Oid }))],
    ['one name twice, with another between', ['a', 'a.b', 'a'].map((name, i) => ({ mode: i === 2 ? 0o040000 : 0o100644, name, oid: '1'.repeat(40) as Oid }))],
  ])('with %s are not made', (_, entries) => expect(kindOf(() => encodeTree(entries))).toBe('refused'))
})

describe('commits', () => {
  const people = ['Ada', 'Ærø Søren', 'a.b', '山田 太郎', "Miles O'Brien"]
  const someone = (random: Random) => ({
    name: random.pick(people),
    email: random.pick(['a@example.org', 'x+y@z', '']),
    seconds: random.below(2 ** 31),
    zone: random.pick(['+0000', '-0330', '+1245', '+0530', '-1200']),
  })
  const someCommit = (random: Random): Commit => {
    const extra: [string, string][] = [
      ['x-one', 'value'],
      ['x-lines', 'first\nsecond\n\nfourth'],
      ['gpgsig-sha256', 'x\ny'],
    ]
    return {
      tree: someOid(random),
      parents: Array.from({ length: random.below(4) }, () => someOid(random)),
      author: someone(random),
      committer: someone(random),
      message: random.pick(['', 'one line', 'subject\n\nbody\n', '\n\nblank first', 'ünï 🐧\n', 'no end', 'x\n'.repeat(50)]),
      gpgsig: random.chance(0.3) ? '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----' : undefined,
      extra: extra.filter(() => random.chance(0.3)),
    }
  }

  property('come out as they went in, with headers that nobody knows, and byte for byte the same again', 80, (random) => {
    const written = someCommit(random)
    const commit = parseCommit(encodeCommit(written))
    const { gpgsig, extra: more = [], ...rest } = commit
    expect({ gpgsig, extra: more, ...rest }).toEqual(written as never)
    const data = encodeCommit(commit)
    expect(parseCommit(data)).toEqual(commit)
    expect(Buffer.from(encodeCommit(parseCommit(data))).equals(Buffer.from(data))).toBe(true)
    const { tree, parents, committerTime } = commitLinks(data)
    expect([tree, parents, committerTime, commitTime(data)]).toEqual([commit.tree, commit.parents, commit.committer.seconds, commit.committer.seconds])
  })

  test(
    'say to git what they say to us',
    async () => {
      const made = Array.from({ length: 80 }, (_, seed) => {
        const data = encodeCommit(someCommit(new Random(seed)))
        return { commit: parseCommit(data), data, id: hashObject(SHA1, 'commit', data) }
      })
      const paths = await Promise.all(
        made.map(async ({ data }, at) => {
          const path = join(root.path, `commit-${at}`)
          await Bun.write(path, data)
          return path
        }),
      )
      const ids = git(['hash-object', '-t', 'commit', '-w', '--literally', '--stdin-paths'], { cwd: root.path, stdin: `${paths.join('\n')}\n` })
        .toString()
        .trim()
        .split('\n')
      expect(ids).toEqual(made.map(({ id }) => id))
      const format = ['%T', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%P', '%B'].join('%x00')
      const shown = git(['cat-file', '--batch'], { cwd: root.path, stdin: ids.join('\n') })
      expect(made.every(({ data }) => shown.includes(Buffer.from(data)))).toBe(true)
      const log = git(['log', '--no-walk=unsorted', '--stdin', '-z', '--date=raw', `--format=${format}%x00%x01`], {
        cwd: root.path,
        stdin: ids.join('\n'),
      }).toString()
      const rows = log.split('\0\u0001').map((row) => row.replace(/^\0/, '').split('\0'))
      const person = ({ name, email, seconds, zone }: Commit['author']) => [name, email, `${seconds} ${zone}`]
      for (const [at, { commit }] of made.entries()) {
        expect(rows[at]?.slice(0, 8)).toEqual([commit.tree, ...person(commit.author), ...person(commit.committer), commit.parents.join(' ')])
        expect(rows[at]?.[8]?.trimEnd()).toBe(commit.message.trimEnd())
      }
    },
    PATIENCE,
  )
})

property('a tag says what git wrote into it, its signature apart', 20, (random) => {
  const target = git(['hash-object', '-w', '--stdin'], { cwd: root.path, stdin: random.pick(['', 'a', 'b\n']) })
    .toString()
    .trim() as Oid
  const tag: Tag = {
    object: target,
    type: 'blob',
    name: random.pick(['v1', 'a/b', 'ünï']),
    tagger: { name: random.pick(['Ada', 'Ünï Ä', "O'B"]), email: 'a@b', seconds: random.below(2 ** 31), zone: random.pick(['+0100', '-0330', '+0000']) },
    message: random.pick(['', 'one\n', 'two\n\nparts\n', 'ü🐧\n']),
  }
  if (random.chance(0.3)) tag.signature = '-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----\n'
  const { name, email, seconds, zone } = tag.tagger as NonNullable<Tag['tagger']>
  const text = `object ${target}\ntype blob\ntag ${tag.name}\ntagger ${name} <${email}> ${seconds} ${zone}\n\n${tag.message}${tag.signature ?? ''}`
  const oid = git(['mktag'], { cwd: root.path, stdin: text }).toString().trim() as Oid
  expect(parseTag(Buffer.from(text))).toEqual(tag)
  expect(hashObject(SHA1, 'tag', Buffer.from(text))).toBe(oid)
})

describe('identities', () => {
  test.each<[zone: string, minutes: number]>([
    ['+0000', 0],
    ['+0100', 60],
    ['-0330', -210],
    ['+1245', 765],
    ['-1200', -720],
    ['+1400', 840],
  ])('the zone %s is %d minutes east', (zone, minutes) => expect(zoneMinutes(zone)).toBe(minutes))

  property('of people come back as they were', 60, (random) => {
    const ident = {
      name: random.pick(['', 'A', 'Ada B', 'ü', 'x'.repeat(300)]),
      email: random.pick(['', 'a@b', 'with blank']),
      seconds: random.below(2 ** 40),
      zone: '-0330',
    }
    expect(parseIdent(encodeIdent(ident))).toEqual(ident)
  })

  test.each([
    { name: 'a\nb', email: 'x' },
    { name: 'a', email: 'x>' },
    { name: 'a<', email: 'x' },
    { name: 'a\0', email: 'x' },
  ])('that would break their line are not written: %j', (broken) => {
    expect(kindOf(() => encodeIdent({ ...broken, seconds: 0, zone: '+0000' }))).toBe('refused')
  })
})

describe('ids', () => {
  test.each([
    ['a'.repeat(40), true],
    ['0123456789abcdef0123456789abcdef01234567', true],
    ['a'.repeat(64), false],
    ['a'.repeat(39), false],
    ['a'.repeat(41), false],
    ['A'.repeat(40), false],
    [`${'a'.repeat(39)}g`, false],
    [`${'a'.repeat(39)}\n`, false],
    ['', false],
  ])('%p is one: %p', (text, isOne) => {
    expect([isOid(text), kindOf(() => parseOid(text)) === undefined]).toEqual([isOne, isOne])
  })

  property('are the same as text and as bytes, wherever those lie', 30, (random) => {
    const oid = someOid(random)
    const lead = random.bytes(random.below(7))
    expect(oidAt(Buffer.concat([lead, rawOid(oid), random.bytes(3)]), lead.length)).toBe(oid)
  })
})
