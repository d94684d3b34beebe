import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { git, tryGit } from '../../../test/git.ts'
import { type BuiltType, idOf, makeTree } from '../../../test/pack-builder.ts'
import { GitError } from '../errors.ts'
import { randomFrom } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import { checkObject } from './check.ts'
import { checkGitattributes } from './check-gitattributes.ts'
import { type IgnorableFault, ignorableFaults } from './fsck-messages.ts'
import { SHA1 } from './oid.ts'

/** The judge is stock git: what its fsck calls an error we refuse by the same name, and what it takes we take. */

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
let blob = ''

beforeAll(async () => {
  await git(['init', '-q', '--bare'], { cwd: directory })
  await git(['hash-object', '-w', '-t', 'tree', '--stdin'], { cwd: directory, input: '' })
  blob = await git(['hash-object', '-w', '--stdin'], { cwd: directory, input: '' })
})
afterAll(() => rmSync(directory, { recursive: true }))

const tree = SHA1.emptyTree
const good = 'Ada Lovelace <ada@example.org> 1700000000 +0100'

function commitBy(author: string, committer = good): string {
  return `tree ${tree}\nauthor ${author}\ncommitter ${committer}\n\nx\n`
}

function tagBy(tagger: string): string {
  return `object ${blob}\ntype blob\ntag x\ntagger ${tagger}\n\nx\n`
}

/** Writes an object that neither git nor we would write. */
function writeLoose(type: BuiltType, data: string | Uint8Array): void {
  const [oid, bytes] = [idOf(type, data), Buffer.from(data)]
  const folder = join(directory, 'objects', oid.slice(0, 2))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, oid.slice(2)), deflateSync(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])))
}

/** What git's fsck calls the errors of each object, or undefined where it has none. */
async function judge(objects: readonly (readonly [type: 'commit' | 'tag', text: string])[]): Promise<(string | undefined)[]> {
  for (const [type, text] of objects) writeLoose(type, text)
  const { stderr } = await tryGit(['fsck', '--no-dangling'], { cwd: directory })
  const said = new Map([...stderr.matchAll(/^error in \w+ ([0-9a-f]{40}): (\w+):/gm)].map(([, oid, id]) => [oid, id]))
  return objects.map(([type, text]) => said.get(idOf(type, text)))
}

/** Our name for what is wrong, or undefined. */
function ours(type: 'commit' | 'tag' | 'tree', data: string | Uint8Array, ignoredFaults: readonly IgnorableFault[] = []): string | undefined {
  try {
    checkObject(SHA1, type, typeof data === 'string' ? Buffer.from(data) : data, { ...defaultLimits, ignoredFaults })
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return /\((\w+)\)$/.exec(error.message)?.[1] ?? error.message
  }
}

const identities: [identity: string, id: string | undefined][] = [
  [good, undefined],
  ['Ada <> 0 -0000', undefined],
  [' <ada@example.org> 1 +0000', undefined],
  ['Ada <ada at example> 1 +9999', undefined],
  ['<ada@example.org> 1 +0000', 'missingNameBeforeEmail'],
  ['Ada > <ada@example.org> 1 +0000', 'badName'],
  ['Ada ada@example.org 1 +0000', 'missingEmail'],
  ['Ada<ada@example.org> 1 +0000', 'missingSpaceBeforeEmail'],
  ['Ada << <ada@example.org> 1 +0000', 'badEmail'],
  ['Ada <<ada@example.org>> 1 +0000', 'badEmail'],
  ['Ada <ada@example.org 1 +0000', 'badEmail'],
  ['Ada <ada@example.org>1 +0000', 'missingSpaceBeforeDate'],
  ['Ada <ada@example.org>> 1 +0000', 'missingSpaceBeforeDate'],
  ['Ada <ada@example.org>', 'missingSpaceBeforeDate'],
  ['Ada <ada@example.org> 01 +0000', 'zeroPaddedDate'],
  ['Ada <ada@example.org> -1 +0000', 'badDateOverflow'],
  ['Ada <ada@example.org> 99999999999999999999 +0000', 'badDateOverflow'],
  ['Ada <ada@example.org> yesterday +0000', 'badDate'],
  ['Ada <ada@example.org> 1.5 +0000', 'badDate'],
  ['Ada <ada@example.org> 1', 'badDate'],
  ['Ada <ada@example.org> 1 0000', 'badTimezone'],
  ['Ada <ada@example.org> 1 +00000', 'badTimezone'],
  ['Ada <ada@example.org> 1 +000', 'badTimezone'],
  ['Ada <ada@example.org> 1 +0000 ', 'badTimezone'],
  ['Ada <ada@example.org> 1 UTC', 'badTimezone'],
]

describe.skipIf(Bun.which('git') === null)('as git fsck names it', () => {
  test('an identity is taken or refused, wherever it stands', async () => {
    const objects = identities.flatMap(
      ([identity]) => [['commit', commitBy(identity)] as const, ['commit', commitBy(good, identity)] as const, ['tag', tagBy(identity)] as const] as const,
    )
    const expected = identities.flatMap(([, id]) => [id, id, id])
    expect(objects.map(([type, text]) => ours(type, text))).toEqual(expected)
    expect(await judge(objects)).toEqual(expected)
  })

  test('of random identities no fault is missed or invented', async () => {
    const random = randomFrom(11)
    const parts = ['Ada', ' ', ' ', '<', '>', '<a@b>', ' <a@b> ', ' <a@b> 17', '1700000000', ' 0', ' +0100', '-1200', '+', '-', '0', '9', 'x']
    const made = Array.from({ length: 150 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 6) }, () => parts[Math.floor(random() * parts.length)]).join(''),
    )
    // Versions of git differ on white space and signs before the date.
    const objects = made.filter((identity) => !/> *([ +-]|$)/.test(identity)).map((identity) => ['commit', commitBy(identity)] as const)
    expect(objects.map(([type, text]) => ours(type, text))).toEqual(await judge(objects))
  })

  test('two authors are one too many', async () => {
    const text = `tree ${tree}\nauthor ${good}\nauthor ${good}\ncommitter ${good}\n\nx\n`
    expect([ours('commit', text), ...(await judge([['commit', text]]))]).toEqual(['multipleAuthors', 'multipleAuthors'])
  })

  test('a NUL byte in the message of a commit hides what follows from readers in C', async () => {
    const text = `${commitBy(good)}seen\0hidden\n`
    expect([ours('commit', text), ours('commit', text, ['nulInCommit'])]).toEqual(['nulInCommit', undefined])
    writeLoose('commit', text)
    const { stderr } = await tryGit(['fsck', '--strict', '--no-dangling'], { cwd: directory })
    expect(stderr).toContain(`error in commit ${idOf('commit', text)}: nulInCommit:`)
  })
})

describe('of a tree', () => {
  const entry = (mode: string, name: string) => makeTree([[mode, name, idOf('blob', '')]])
  const faulty: [IgnorableFault, Uint8Array][] = [
    ['zeroPaddedFilemode', entry('0100644', 'x')],
    ['largePathname', entry('100644', 'x'.repeat(4097))],
  ]

  test.each(faulty)('%s is refused, and let pass where it is ignored', (id, data) => {
    const others = ignorableFaults.filter((other) => other !== id)
    expect([ours('tree', data), ours('tree', data, others), ours('tree', data, [id])]).toEqual([id, id, undefined])
  })

  test('a name may be as long as git lets it be', () => {
    expect(ours('tree', entry('100644', 'x'.repeat(4096)))).toBeUndefined()
  })

  test.skipIf(Bun.which('git') === null)('git pads no mode either', async () => {
    const data = entry('0100644', 'x')
    writeLoose('tree', data)
    const { stderr } = await tryGit(['fsck', '--strict', '--no-dangling'], { cwd: directory })
    expect(stderr).toContain(`error in tree ${idOf('tree', data)}: zeroPaddedFilemode:`)
  })
})

describe.skipIf(Bun.which('git') === null)('a name of a tree that is no UTF-8', () => {
  const names = ['.git\xff', '.GIT\xe2\x80x', '.git\xef\xbf\xbe', '.g\xe2\x80\x8cit\xc0\xaex', '.gitmodules\xed\xa0\x80', '\xff.git', '.gi\xfft', 'x\xff']

  test.each(names)('%j is hostile where it is to git', async (name) => {
    const data = Buffer.concat([Buffer.from(`120000 ${name}\0`, 'latin1'), Buffer.from(blob, 'hex')])
    writeLoose('tree', data)
    const { stderr } = await tryGit(['fsck', '--strict', '--no-dangling'], { cwd: directory })
    expect(ours('tree', data) !== undefined).toBe(stderr.includes(`error in tree ${idOf('tree', data)}:`))
  })
})

describe('a fault that is ignored is let pass, and no other', () => {
  const texts = new Map(
    identities.flatMap(([identity, id]) => (id === undefined || id === 'missingEmail' ? [] : [[id as IgnorableFault, commitBy(identity)] as const])),
  )
  test.each([...texts])('%s', (id, text) => {
    expect(
      ours(
        'commit',
        text,
        ignorableFaults.filter((other) => other !== id),
      ),
    ).toBe(id)
    // What has no date that can be read at all is refused even so.
    expect(ours('commit', text, [id]) ?? 'taken').toMatch(/^taken$|has no date$|has no <email>$/)
  })

  test('of which there are many in old histories', () => {
    for (const identity of ['<ada@example.org> 1 +0000', 'Ada <a> 1 +000', 'Ada <a> 01 +0000', 'Ada <<a>> 1 +0000', 'Ada <a> -1 +0000']) {
      expect([identity, ours('commit', commitBy(identity), ignorableFaults)]).toEqual([identity, undefined])
    }
  })
})

test('a .gitattributes file is refused for a line of 2048 bytes, whatever its line ends', () => {
  const ignored = new Set<string>()
  const long = 'x'.repeat(2047)
  checkGitattributes(Buffer.from(`${long}\n${long}`), ignored)
  for (const text of [`${long}x`, `*.c text\n${long}x\n`]) {
    expect(() => checkGitattributes(Buffer.from(text), ignored)).toThrow('gitattributesLineLength')
    checkGitattributes(Buffer.from(text), new Set(['gitattributesLineLength']))
  }
})
