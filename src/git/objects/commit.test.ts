import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../../test/git.ts'
import { kindOf } from '../store/contract.ts'
import type { Commit } from './commit.ts'
import { commitLinks, encodeCommit, parseCommit } from './commit.ts'
import { parseIdent } from './ident.ts'
import type { Oid } from './oid.ts'
import { hashObject, SHA1 } from './oid.ts'

const tree = SHA1.emptyTree
const [one, two] = ['1'.repeat(40), '2'.repeat(40)] as Oid[] as [Oid, Oid]
const ada = { name: 'Ada Lovelace', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0100' }
const bob = { name: 'Bob', email: 'bob@example.org', seconds: 1_700_000_060, zone: '-0330' }
const people = 'author Ada Lovelace <ada@example.org> 1700000000 +0100\ncommitter Bob <bob@example.org> 1700000060 -0330\n'
const signature = '-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----'
const signed = `gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEz\n -----END PGP SIGNATURE-----\n`

describe('a commit', () => {
  const cases: { name: string; text: string; commit: Commit }[] = [
    { name: 'plain', text: `tree ${tree}\n${people}\nfirst\n`, commit: { tree, parents: [], author: ada, committer: bob, message: 'first\n' } },
    {
      name: 'a merge',
      text: `tree ${tree}\nparent ${one}\nparent ${two}\n${people}\n\nodd\n\n`,
      commit: { tree, parents: [one, two], author: ada, committer: bob, message: '\nodd\n\n' },
    },
    { name: 'without a message', text: `tree ${tree}\n${people}\n`, commit: { tree, parents: [], author: ada, committer: bob, message: '' } },
    {
      name: 'with a value that begins on its second line',
      text: `tree ${tree}\n${people}odd \n first line\n  second\nother \n \n\nmessage\n`,
      commit: {
        tree,
        parents: [],
        author: ada,
        committer: bob,
        message: 'message\n',
        extra: [
          ['odd', '\nfirst line\n second'],
          ['other', '\n'],
        ],
      },
    },
    {
      name: 'signed, with a tag merged',
      text: `tree ${tree}\n${people}mergetag object ${one}\n type commit\n \n text\n${signed}\nsigned\n`,
      commit: {
        tree,
        parents: [],
        author: ada,
        committer: bob,
        message: 'signed\n',
        gpgsig: signature,
        extra: [['mergetag', `object ${one}\ntype commit\n\ntext`]],
      },
    },
  ]

  test.each(cases)('$name is read, and written back byte for byte', ({ text, commit }) => {
    expect(parseCommit(Buffer.from(text))).toEqual(commit)
    expect(Buffer.from(encodeCommit(commit)).toString()).toBe(text)
    expect(commitLinks(Buffer.from(text))).toEqual({ tree, parents: commit.parents, committerTime: bob.seconds })
  })

  test('has the id that git gives it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pf-'))
    const env = {
      ...{ GIT_AUTHOR_NAME: ada.name, GIT_AUTHOR_EMAIL: ada.email, GIT_AUTHOR_DATE: '1700000000 +0100' },
      ...{ GIT_COMMITTER_NAME: bob.name, GIT_COMMITTER_EMAIL: bob.email, GIT_COMMITTER_DATE: '1700000060 -0330' },
    }
    await git(['init', '-q', '--bare', directory])
    await git(['-C', directory, 'mktree'], { input: '' })
    const made = await git(['-C', directory, 'commit-tree', '-m', 'first', tree], { env })
    rmSync(directory, { recursive: true })
    expect(hashObject(SHA1, 'commit', encodeCommit((cases[0] as (typeof cases)[number]).commit))).toBe(made as Oid)
  })

  test('in another encoding is decoded', () => {
    const data = Buffer.from(`tree ${tree}\nauthor Jos\xe9 <j@x> 1 +0000\ncommitter Jos\xe9 <j@x> 1 +0000\nencoding ISO-8859-1\n\ngr\xfc\xdfe\n`, 'latin1')
    const commit = parseCommit(data)
    expect([commit.author.name, commit.message, commit.encoding]).toEqual(['José', 'grüße\n', 'ISO-8859-1'])
    expect(commitLinks(data).committerTime).toBe(1)
  })

  test('in an encoding that nobody knows is read as UTF-8', () => {
    expect(parseCommit(Buffer.from(`tree ${tree}\n${people}encoding x-none\n\ngrüße\n`)).message).toBe('grüße\n')
  })
})

describe('history is not thrown away for what is odd in it', () => {
  const odd: { name: string; line: string; seconds: number }[] = [
    { name: 'no name', line: '<a@b> 1700000000 +0000', seconds: 1_700_000_000 },
    { name: 'no address', line: 'Ada 1700000000 +0000', seconds: 0 },
    { name: 'two addresses', line: 'Ada <a@b> <c@d> 1700000000 +0000', seconds: 1_700_000_000 },
    { name: 'a > too many', line: 'Ada <a@b>> 1700000000 +0000', seconds: 1_700_000_000 },
    { name: 'no zone', line: 'Ada <a@b> 1700000000', seconds: 1_700_000_000 },
    { name: 'a long zone', line: 'Ada <a@b> 1700000000 +051800', seconds: 1_700_000_000 },
    { name: 'no date', line: 'Ada <a@b>', seconds: 0 },
    { name: 'a date beyond all calendars', line: 'Ada <a@b> 18446744073709551615 +0000', seconds: 0 },
    { name: 'a negative date', line: 'Ada <a@b> -5 +0000', seconds: 0 },
    { name: 'spaces everywhere', line: '  Ada   < a@b >   7   +0000 ', seconds: 7 },
    { name: 'nothing', line: '', seconds: 0 },
  ]

  test.each(odd)('a committer with $name', ({ line, seconds }) => {
    const data = Buffer.from(`tree ${tree}\nparent ${one}\nauthor ${line}\ncommitter ${line}\n\nmessage\n`)
    expect(parseCommit(data)).toMatchObject({ tree, parents: [one], message: 'message\n', committer: { seconds } })
    expect(commitLinks(data)).toEqual({ tree, parents: [one], committerTime: seconds })
  })

  test('a commit with neither author nor committer, or without an end', () => {
    for (const text of [`tree ${tree}\n\nmessage`, `tree ${tree}\n`, `tree ${tree}`]) {
      expect(parseCommit(Buffer.from(text))).toMatchObject({ tree, parents: [], author: { name: '', seconds: 0 } })
      expect(commitLinks(Buffer.from(text))).toEqual({ tree, parents: [], committerTime: 0 })
    }
  })
})

test.each(['', '\n\n', 'tree', 'tree 123\n', `parent ${one}\n`, `tree ${tree.toUpperCase()}\n`, `tree ${tree}\nparent x\n`])('%j is no commit', (text) => {
  expect(kindOf(() => parseCommit(Buffer.from(text)))).toBe('corrupt')
  expect(kindOf(() => commitLinks(Buffer.from(text)))).toBe('corrupt')
})

describe('nobody writes more into a commit than they may', () => {
  const commit: Commit = { tree, parents: [], author: ada, committer: bob, message: 'm\n' }
  const forged = { ...ada, name: `Ada\nparent ${one}` }
  const cases: { name: string; commit: Commit }[] = [
    { name: 'a line in a name', commit: { ...commit, author: forged } },
    { name: 'an address in a name', commit: { ...commit, committer: { ...bob, name: 'B <x@y>' } } },
    { name: 'a NUL in an address', commit: { ...commit, committer: { ...bob, email: 'x\0y' } } },
    { name: 'a zone that is none', commit: { ...commit, author: { ...ada, zone: 'CET' } } },
    { name: 'a time before 1970', commit: { ...commit, author: { ...ada, seconds: -1 } } },
    { name: 'a line in a header’s key', commit: { ...commit, extra: [['x\nparent', one]] } },
    { name: 'a second tree', commit: { ...commit, extra: [['tree', one]] } },
  ]

  test.each(cases)('$name is refused', ({ commit: bad }) => {
    expect(kindOf(() => encodeCommit(bad))).toBe('refused')
  })

  test('lines in a header’s value stay in that value', () => {
    const data = encodeCommit({ ...commit, extra: [['note', `text\nparent ${one}`]] })
    expect(parseCommit(data).parents).toEqual([])
    expect(parseCommit(data).extra).toEqual([['note', `text\nparent ${one}`]])
  })
})

test('an identity is taken apart as git does', () => {
  expect(parseIdent('Ada Lovelace <ada@example.org> 1700000000 +0100')).toEqual(ada)
  expect(parseIdent('  Ada   < a@b >   7   -0000 ')).toEqual({ name: 'Ada', email: 'a@b', seconds: 7, zone: '-0000' })
})
