import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { PATIENCE, property } from '../../../test/seeds.ts'
import { RandomChanges } from '../diff/random-changes.fixture.ts'
import { encodeCommit } from '../objects/commit.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { encodeTree, FILE_MODE } from '../objects/tree.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import { kindOf } from '../store/contract.ts'
import { DiskStore } from '../store/disk.ts'
import { ChangeBudget, commitDetails } from './commit-details.ts'
import { describeTag } from './describe-tag.ts'
import { listTree } from './list-tree.ts'
import { openPath } from './open-path.ts'

const history = new RandomChanges(41, 40)
afterAll(() => history[Symbol.dispose]())
const tip = history.commits.at(-1) as Oid
const absent = '1234567890123456789012345678901234567890' as Oid

/** What `git ls-tree` says: mode, type, id, size and path of each entry. */
function lsTree(tree: Oid, ...flags: string[]): string[] {
  return history
    .git('ls-tree', '-l', '-z', ...flags, tree)
    .split('\0')
    .slice(0, -1)
    .map((line) => line.replace(/ +/g, ' '))
}

const typeOf = (mode: number) => (mode === 0o040000 ? 'tree' : mode === 0o160000 ? 'commit' : 'blob')

property('a tree lists as git ls-tree lists it, whole or by any page, in depth or not', 12, async (random) => {
  const tree = history.tree(random.pick(history.commits))
  const recursive = random.chance(0.6)
  const expected = lsTree(tree, ...(recursive ? ['-r', '-t'] : []))
  const limit = 1 + random.below(9)
  const listed: string[] = []
  for (let offset = 0; offset <= expected.length; offset += limit) {
    const { entries, total } = await listTree(history.store, tree, { recursive, offset, limit })
    expect(total).toBe(expected.length)
    for (const { mode, oid, size, path } of entries) {
      const type = typeOf(mode)
      listed.push(`${mode.toString(8).padStart(6, '0')} ${type} ${oid} ${type === 'blob' ? size : '-'}\t${path}`)
    }
  }
  expect(listed).toEqual(expected)
})

test('the empty tree has no entries, and need not be there', async () => {
  expect(await listTree(history.store, SHA1.emptyTree, { recursive: true, offset: 0, limit: 10 })).toEqual({ entries: [], total: 0 })
})

property('what lies at a path is what git finds there', 10, (random) => {
  const tree = history.tree(random.pick(history.commits))
  for (const line of lsTree(tree, '-r', '-t')) {
    const [meta, path] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]
    const [mode, type, oid, size] = meta.split(' ') as [string, string, Oid, string]
    for (const asked of [path, `/${path}`, `${path}/`].filter((one) => type === 'tree' || !one.endsWith('/'))) {
      const found = openPath(history.store, tree, asked, 1 << 20)
      expect([asked, found?.mode, found?.oid as string, found?.size]).toEqual([asked, Number.parseInt(mode, 8), oid, type === 'blob' ? Number(size) : 0])
      expect(found?.data?.length).toBe(type === 'blob' ? Number(size) : (undefined as never))
    }
    expect(openPath(history.store, tree, `${path}/absent`, 1 << 20)).toBeUndefined()
  }
})

test('a file larger than asked for comes without its content; the root is a directory', () => {
  const tree = history.tree(tip)
  const [meta, path] = (lsTree(tree, '-r').find((line) => Number(line.split(' ')[3]?.split('\t')[0]) > 10) as string).split('\t') as [string, string]
  const size = Number(meta.split(' ')[3])
  expect(openPath(history.store, tree, path, size - 1)?.data).toBeUndefined()
  expect(openPath(history.store, tree, path, size)?.data?.length).toBe(size)
  expect(openPath(history.store, tree, '', 0)).toMatchObject({ mode: 0o040000, oid: tree })
  expect(openPath(history.store, SHA1.emptyTree, '/', 0)).toMatchObject({ mode: 0o040000, oid: SHA1.emptyTree })
  expect(openPath(history.store, SHA1.emptyTree, 'a', 0)).toBeUndefined()
  expect(kindOf(() => openPath(history.store, absent, 'a', 0))).toBe('missing')
})

describe('a commit', () => {
  test(
    'tells which files it added, changed and removed, and how many lines, as git does',
    async () => {
      const pairs = history.commits.map((oid, at) => [history.commits[at - 1] ?? SHA1.emptyTree, oid] as const)
      const statuses = history.diffs(pairs, '-r', '-z', '--name-status')
      // Of a file that moved count the lines that changed: so it is in what git shows people.
      const counts = history.diffs(pairs, '-r', '--numstat', '-M', '-l1000')
      const messages = history.git('log', '-z', '--reverse', '--format=%B', 'main').split('\0')
      for (const [at, oid] of history.commits.entries()) {
        const { files, stats, commit } = await commitDetails(history.store, oid, { files: true, stat: true })
        const status = (statuses[at] as Buffer).toString().split('\0').slice(0, -1)
        const names = { A: 'added', D: 'removed', M: 'modified', T: 'modified' } as Record<string, string>
        const expected = Array.from({ length: status.length / 2 }, (_, i) => ({ path: status[i * 2 + 1], status: names[status[i * 2] as string] }))
        expect(files).toEqual(expected as never)
        const numbers = (counts[at] as Buffer).toString().trim().split('\n')
        const sum = (column: number) => numbers.reduce((total, line) => total + (Number(line.split('\t')[column]) || 0), 0)
        expect([oid, stats?.additions, stats?.deletions]).toEqual([oid, sum(0), sum(1)])
        expect(commit.message).toBe(messages[at] as string)
      }
    },
    PATIENCE,
  )

  test('that is signed tells what was signed: itself without the signature, byte for byte', async () => {
    using directory = temporaryDirectory()
    initBare(directory.path)
    const who = 'A <a@b> 1 +0000'
    const [head, tail] = [`tree ${SHA1.emptyTree}\nauthor ${who}\ncommitter ${who}\n`, '\nsubject\n\ngpgsig not a header\n continued\n']
    const signatures = [
      'gpgsig -----BEGIN\n \n abc\n -----END\n',
      'gpgsig-sha256 one\n two\n',
      'gpgsig a\n b\ngpgsig-sha256 c\n d\n',
      'gpgsig a\n b\nx-more kept\n and this\n',
    ]
    const store = DiskStore.open(directory.path)
    for (const signature of signatures) {
      const oid = store.write('commit', Buffer.from(head + signature + tail, 'latin1'))
      const { payload } = await commitDetails(store, oid, { files: false, stat: false })
      const kept = signature.includes('x-more') ? 'x-more kept\n and this\n' : ''
      if (signature.startsWith('gpgsig ')) expect(Buffer.from(payload as Uint8Array).toString()).toBe(head + kept + tail)
      else expect(payload).toBeUndefined()
    }
    expect((await commitDetails(store, store.write('commit', Buffer.from(head + tail)), { files: false, stat: false })).payload).toBeUndefined()
    store.close()
  })

  test('of megabytes is told without most of them, and so is a tag', async () => {
    using directory = temporaryDirectory()
    initBare(directory.path)
    const long = (text: string) => text.repeat(1_000_000 / text.length)
    const who = `${long('👍')} <${long('e')}> 1 +0000`
    const more = `encoding ${long('x')}\ngpgsig a\n ${long('s')}\nmergetag ${long('m')}\n`
    const store = DiskStore.open(directory.path)
    const oid = store.write('commit', Buffer.from(`tree ${SHA1.emptyTree}\nauthor ${who}\ncommitter ${who}\n${more}\n${long('word ')}`))
    const tag = store.write('tag', Buffer.from(`object ${oid}\ntype commit\ntag v1\ntagger ${who}\n\n${long('word ')}`))
    const details = await commitDetails(store, oid, { files: true, stat: true })
    const told = [details, describeTag(store, oid), describeTag(store, tag)]
    for (const one of told) expect(JSON.stringify(one).length).toBeLessThan(100_000)
    expect(details.payload).toBeUndefined()
    expect(details.commit.message.endsWith('…\n')).toBe(true)
    expect(details.commit.author.name).toBe('👍'.repeat(512))
    store.close()
  })

  test('of a list tells its files while some are left for the list', async () => {
    using directory = temporaryDirectory()
    initBare(directory.path)
    const store = DiskStore.open(directory.path)
    const commitOf = (content: string) =>
      store.write('commit', Buffer.from(`tree ${unfoldingTree(store, 4, Buffer.from(content))}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`))
    const left = new ChangeBudget()
    const told: [number | undefined, number | undefined][] = []
    for (let n = 0; n < 6; n++) {
      const { files, stats } = await commitDetails(store, commitOf(`${n}\n`), { files: true, stat: true }, 6, left)
      told.push([files?.length, stats?.additions])
    }
    expect(told).toEqual([...Array.from({ length: 4 }, () => [5000, 5000] as [number, number]), [0, 0], [0, 0]])
    const { files } = await commitDetails(store, commitOf('x\n'), { files: true, stat: false }, 6, Object.assign(new ChangeBudget(), { paths: 100 }))
    expect(files?.map(({ path }) => path.length)).toEqual(Array.from({ length: 9 }, () => 'd0/d0/d0/d0'.length))
    store.close()
  })

  test('of a list has its moved files looked for while the list may compare as many', async () => {
    using directory = temporaryDirectory()
    initBare(directory.path)
    const store = DiskStore.open(directory.path)
    const someone = { name: 'A', email: 'a@b', seconds: 1, zone: '+0000' }
    const treeWith = (path: string, text: string) =>
      store.write('tree', encodeTree([{ mode: FILE_MODE, name: path, oid: store.write('blob', Buffer.from(`${'same\n'.repeat(20)}${text}\n`)) }]))
    const commitOf = (tree: Oid, parents: Oid[]) => store.write('commit', encodeCommit({ tree, parents, author: someone, committer: someone, message: 'x\n' }))
    const [first, second] = [treeWith('a', '1'), treeWith('b', '2')]
    const moved = commitOf(second, [commitOf(first, [])])
    const left = Object.assign(new ChangeBudget(), { pairs: 2 })
    const additions: (number | undefined)[] = []
    for (let n = 0; n < 3; n++) additions.push((await commitDetails(store, moved, { files: false, stat: true }, 3, left)).stats?.additions)
    expect(additions).toEqual([1, 1, 21])
    store.close()
  })

  test('that is not there, or is something else, is an error', async () => {
    const failure = async (oid: Oid) =>
      kindOf(
        await commitDetails(history.store, oid, { files: true, stat: true }).then(
          () => () => {},
          (error) => () => {
            throw error
          },
        ),
      )
    expect([await failure(absent), await failure(history.tree(tip))]).toEqual(['missing', 'corrupt'])
  })
})

describe('tags', () => {
  const names = ['light', 'annotated', 'nested', 'of-tree', 'of-blob']
  beforeAll(() => {
    const tag = (target: string, type: string, name: string, message: string) =>
      git(['hash-object', '-t', 'tag', '-w', '--stdin'], {
        cwd: history.gitDir,
        stdin: `object ${target}\ntype ${type}\ntag ${name}\ntagger Tag Ger <t@example.org> 1600000000 -0330\n\n${message}`,
      })
        .toString()
        .trim()
    const blob = history
      .git(
        'rev-parse',
        `${tip}:${
          lsTree(history.tree(tip), '-r')
            .find((line) => line.includes(' blob '))
            ?.split('\t')[1]
        }`,
      )
      .trim()
    const annotated = tag(tip, 'commit', 'annotated', 'Subject\n\nBody\n')
    const oids = [tip, annotated, tag(annotated, 'tag', 'nested', 'grüße\n'), tag(history.tree(tip), 'tree', 'of-tree', ''), blob]
    for (const [at, name] of names.entries()) history.git('update-ref', `refs/tags/${name}`, oids[at] as string)
  })

  test('tell what git for-each-ref tells of them', () => {
    const format = '%(objecttype)%00%(contents)%00%(creator)%00%(objectname)'
    for (const name of names) {
      const [type, contents, creator, oid] = history.git('for-each-ref', `--format=${format}`, `refs/tags/${name}`).split('\0') as [
        string,
        string,
        string,
        string,
      ]
      const described = describeTag(history.store, oid.trim() as Oid)
      const who = described.who && `${described.who.name} <${described.who.email}> ${described.who.seconds} ${described.who.zone}`
      expect([name, described.type as string, described.message, who ?? '']).toEqual([name, type, type === 'blob' ? '' : contents, creator])
    }
    expect(kindOf(() => describeTag(history.store, absent))).toBe('missing')
  })
})
