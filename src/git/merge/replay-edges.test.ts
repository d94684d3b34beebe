import { describe, expect, test } from 'bun:test'
import { GitError } from '../errors.ts'
import { parseCommit } from '../objects/commit.ts'
import type { ObjectType, Oid } from '../objects/oid.ts'
import { encodeTree, type TreeEntry } from '../objects/tree.ts'
import { finish } from '../steps.ts'
import { kindOf } from '../store/contract.ts'
import { MemoryStore } from '../store/memory.ts'
import { ScratchStore } from '../store/scratch-store.ts'
import { writeAmended, writeCommit, writeReplayed } from './made-commit.ts'
import { Merger } from './merge-commits.ts'
import { Replayer } from './replay.ts'

const ada = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }
const grace = { name: 'Grace', email: 'grace@example.org', seconds: 1_800_000_000, zone: '-0330' }

/** A history written by hand: commits named by letters, each a text of files. */
class Hand {
  readonly store = new MemoryStore()
  #time = 1_600_000_000

  tree(files: Record<string, string>): Oid {
    const entries = Object.entries(files).map(([name, content]): TreeEntry => ({ mode: 0o100644, name, oid: this.store.write('blob', Buffer.from(content)) }))
    return this.store.write('tree', encodeTree(entries))
  }

  commit(files: Record<string, string>, ...parents: Oid[]): Oid {
    return this.raw(
      this.tree(files),
      parents,
      `author A <a@example.org> ${++this.#time} +0100\ncommitter A <a@example.org> ${this.#time} +0100\n\nc${this.#time}\n`,
    )
  }

  raw(tree: Oid, parents: readonly Oid[], rest: string | Uint8Array): Oid {
    const header = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), ''].join('\n')
    return this.store.write('commit', Buffer.concat([Buffer.from(header), Buffer.from(rest)]))
  }

  merger(): Merger {
    return new Merger(this.store, undefined)
  }
}

function filesOf(merger: Merger, commit: Oid): Record<string, string> {
  const data = Buffer.from(merger.store.get(merger.treeOf(commit), 'tree').data)
  const files: Record<string, string> = {}
  for (let at = 0; at < data.length; ) {
    const [space, end] = [data.indexOf(' ', at), data.indexOf(0, at)]
    files[data.toString('utf8', space + 1, end)] = Buffer.from(merger.store.get(data.toString('hex', end + 1, end + 21) as Oid).data).toString()
    at = end + 21
  }
  return files
}

describe('a commit replayed', () => {
  const hand = new Hand()
  const root = hand.commit({ f: 'one\n' })
  const changed = hand.commit({ f: 'one\n', g: 'new\n' }, root)
  const other = hand.commit({ f: 'two\n' }, root)
  const clash = hand.commit({ f: 'three\n' }, root)
  const merge = hand.commit({ f: 'two\n', g: 'new\n' }, changed, other)
  const second = hand.commit({ x: 'of another root\n' })
  const empty = hand.commit({ f: 'one\n' }, root)

  const pick = (commit: Oid, onto: Oid, mainline?: number) => {
    const merger = hand.merger()
    const picked = finish(new Replayer(merger).cherryPick({ commit, onto, mainline }, grace))
    return picked.status === 'done' ? filesOf(merger, picked.commit) : picked.status
  }
  const revert = (commit: Oid, onto: Oid, mainline?: number) => {
    const merger = hand.merger()
    const reverted = finish(new Replayer(merger).revert({ commit, onto, mainline }, { message: 'Revert', author: ada, committer: grace }))
    return reverted.status === 'done' ? filesOf(merger, reverted.commit) : reverted.status
  }

  test.each<[string, () => unknown, unknown]>([
    ['brings its change only', () => pick(changed, other), { f: 'two\n', g: 'new\n' }],
    ['that changes what is changed is in conflict', () => pick(clash, other), 'conflict'],
    ['that is there already is empty', () => pick(changed, changed), 'empty'],
    ['without parents brings all that it has', () => pick(second, root), { f: 'one\n', x: 'of another root\n' }],
    ['that changed nothing is empty', () => pick(empty, other), 'empty'],
    ['as a merge brings what it has over its first parent', () => pick(merge, root, 1), { f: 'two\n' }],
    ['as a merge brings what it has over its second parent', () => pick(merge, root, 2), { f: 'one\n', g: 'new\n' }],
    ['taken back takes its change away', () => revert(changed, merge), { f: 'two\n' }],
    ['taken back where it never was is empty', () => revert(changed, other), 'empty'],
    ['taken back where somebody went on is in conflict', () => revert(other, clash), 'conflict'],
    ['taken back from the first commit on leaves nothing', () => revert(root, root), {}],
    ['as a merge taken back takes away what it brought to its first parent', () => revert(merge, merge, 1), { f: 'one\n', g: 'new\n' }],
    ['as a merge taken back takes away what it brought to its second parent', () => revert(merge, merge, 2), { f: 'two\n' }],
  ])('%s', (_, work, expected) => {
    expect(work()).toEqual(expected)
  })

  test.each<[string, Oid, number | undefined]>([
    ['a merge without a mainline', merge, undefined],
    ['a merge with a mainline it has not', merge, 3],
    ['a mainline of 0', merge, 0],
    ['a mainline of a commit without that parent', changed, 2],
    ['a mainline of a first commit', root, 1],
  ])('is refused for %s', (_, commit, mainline) => {
    expect(kindOf(() => pick(commit, other, mainline))).toBe('refused')
    expect(kindOf(() => revert(commit, other, mainline))).toBe('refused')
  })

  test('names the commit and the paths of a conflict', () => {
    const picked = finish(new Replayer(hand.merger()).cherryPick({ commit: clash, onto: other }, grace))
    if (picked.status !== 'conflict') throw new Error(picked.status)
    expect([picked.commit, picked.conflicts.map(({ path }) => path), picked.notes.map(({ kind }) => kind)]).toEqual([clash, ['f'], ['content']])
  })

  test('may say something of its own', () => {
    const merger = hand.merger()
    const text = { message: 'In other words', author: ada, committer: grace }
    const picked = finish(new Replayer(merger).cherryPick({ commit: changed, onto: other }, grace, text))
    if (picked.status !== 'done') throw new Error(picked.status)
    const made = parseCommit(merger.store.get(picked.commit).data)
    expect([made.message, made.author, made.committer, made.parents]).toEqual(['In other words\n', ada, grace, [other]])
  })
})

describe('a rebase', () => {
  const hand = new Hand()
  const base = hand.commit({ f: 'base\n' })
  const onto = hand.commit({ f: 'base\n', up: '1\n' }, base)
  const rebase = (head: Oid, target = onto, upstream?: Oid) => {
    const merger = hand.merger()
    const result = finish(new Replayer(merger).rebase({ head, onto: target, committer: grace, ...(upstream === undefined ? {} : { upstream }) }))
    return { merger, result, files: result.status === 'done' ? filesOf(merger, result.tip) : undefined }
  }

  test('of commits that are on top already leaves them as they are', () => {
    const head = hand.commit({ f: 'x\n', up: '1\n' }, onto)
    const { result } = rebase(head)
    expect(result).toEqual({ status: 'done', tip: head, commits: [head], dropped: [] })
  })

  test('of a branch that is behind comes to its upstream', () => {
    expect(rebase(base).result).toEqual({ status: 'done', tip: onto, commits: [], dropped: [] })
  })

  test('leaves out what upstream has in other words, and what comes to nothing, but keeps what was empty from the start', () => {
    const same = hand.commit({ f: 'base\n', up: '1\n' }, base)
    const more = hand.commit({ f: 'more\n', up: '1\n' }, same)
    const nothing = hand.commit({ f: 'more\n', up: '1\n' }, more)
    const { result, files } = rebase(nothing)
    if (result.status !== 'done') throw new Error(result.status)
    expect([result.dropped, result.commits.length, files]).toEqual([[same], 2, { f: 'more\n', up: '1\n' }])
  })

  test('leaves merges out and takes the commits of both their sides', () => {
    const left = hand.commit({ f: 'base\n', left: 'l\n' }, base)
    const right = hand.commit({ f: 'base\n', right: 'r\n' }, base)
    const merged = hand.commit({ f: 'base\n', left: 'l\n', right: 'r\n' }, left, right)
    const { result, files } = rebase(merged)
    if (result.status !== 'done') throw new Error(result.status)
    expect([result.commits.length, files]).toEqual([2, { f: 'base\n', left: 'l\n', right: 'r\n', up: '1\n' }])
  })

  test('takes only what its upstream has not', () => {
    const first = hand.commit({ f: 'base\n', a: 'a\n' }, base)
    const next = hand.commit({ f: 'base\n', a: 'a\n', b: 'b\n' }, first)
    expect(rebase(next, onto, first).files).toEqual({ f: 'base\n', b: 'b\n', up: '1\n' })
  })

  test('stops at the first commit in conflict and names it', () => {
    const good = hand.commit({ f: 'base\n', a: 'a\n' }, base)
    const bad = hand.commit({ f: 'base\n', a: 'a\n', up: 'other\n' }, good)
    const after = hand.commit({ f: 'base\n', a: 'a\n', up: 'other\n', b: 'b\n' }, bad)
    const { result } = rebase(after)
    expect(result.status === 'conflict' && [result.commit, result.conflicts.map(({ path }) => path)]).toEqual([bad, ['up']])
  })

  test('keeps author, author’s date and message, and names who did it and when', () => {
    const head = hand.raw(
      hand.tree({ f: 'base\n', z: 'z\n' }),
      [base],
      'author Ü <u@example.org> 12345 +0545\ncommitter C <c@example.org> 5 +0000\n\n\n odd \n\n\nmessage',
    )
    const { merger, result } = rebase(head)
    if (result.status !== 'done') throw new Error(result.status)
    const text = Buffer.from(merger.store.get(result.tip).data).toString()
    expect(text.slice(text.indexOf('author'))).toBe(
      'author Ü <u@example.org> 12345 +0545\ncommitter Grace <grace@example.org> 1800000000 -0330\n\n\n odd \n\n\nmessage',
    )
  })
})

describe('commits made', () => {
  const made = (work: (scratch: ScratchStore, tree: Oid) => Oid) => {
    const hand = new Hand()
    const scratch = new ScratchStore(hand.store, 1 << 20)
    return Buffer.from(scratch.get(work(scratch, hand.tree({})), 'commit' satisfies ObjectType).data).toString('latin1')
  }
  const message = (text: string) =>
    made((scratch, tree) => writeCommit(scratch, tree, [], { message: text, author: ada, committer: ada }))
      .split('\n\n')
      .slice(1)
      .join('\n\n')

  test.each([
    ['x', 'x\n'],
    ['x\n', 'x\n'],
    ['x\n\n', 'x\n\n'],
    ['', '\n'],
    ['a\0b', 'ab\n'],
    ['  kept as it is', '  kept as it is\n'],
  ])('say %j as %j', (text, expected) => {
    expect(message(text)).toBe(expected)
  })

  test.each([
    ['Ada <x>', 'Ada x'],
    ['\nAda\n', 'Ada'],
    ['"Ada"', 'Ada'],
    ['A\nparent 0', 'Aparent 0'],
    [' ada. ', 'ada'],
  ])('by %j are by %j: nobody writes header lines with a name', (name, expected) => {
    const text = made((scratch, tree) => writeCommit(scratch, tree, [], { message: 'x', author: { ...ada, name }, committer: { ...ada, name } }))
    expect(text.split('\n').slice(1, 3)).toEqual([
      `author ${expected} <ada@example.org> 1700000000 +0000`,
      `committer ${expected} <ada@example.org> 1700000000 +0000`,
    ])
  })

  test.each([
    ['a time before 1970', { ...ada, seconds: -1 }],
    ['half a second', { ...ada, seconds: 0.5 }],
    ['a zone of words', { ...ada, zone: 'CET' }],
  ])('with %s are refused', (_, author) => {
    expect(kindOf(() => made((scratch, tree) => writeCommit(scratch, tree, [], { message: 'x', author, committer: ada })))).toBe('refused')
  })

  const rows: [string, string | Uint8Array, string | Uint8Array][] = [
    [
      'bytes that are no UTF-8 are kept',
      Buffer.from('author \xe9 <e@x> 1 +0000\ncommitter C <c@x> 1 +0000\n\n\xff\xfe', 'latin1'),
      Buffer.from('author \xe9 <e@x> 1 +0000\n\xff\xfe', 'latin1'),
    ],
    [
      'an encoding is turned into UTF-8',
      Buffer.from('author \xe9 <e@x> 1 +0000\ncommitter C <c@x> 1 +0000\nencoding ISO-8859-1\n\n\xe9', 'latin1'),
      'author é <e@x> 1 +0000\né',
    ],
    ['a signature is left out', 'author A <a@x> 1 +0000\ncommitter C <c@x> 1 +0000\ngpgsig -----BEGIN\n \n -----END\n\nm\n', 'author A <a@x> 1 +0000\nm\n'],
    ['a merged tag is left out', 'author A <a@x> 1 +0000\ncommitter C <c@x> 1 +0000\nmergetag object 1\n type commit\n\nm\n', 'author A <a@x> 1 +0000\nm\n'],
    ['a message that is missing stays so', 'author A <a@x> 1 +0000\ncommitter C <c@x> 1 +0000\n', 'author A <a@x> 1 +0000\n'],
    ['an odd author line is kept', 'author A <a@x> Thu Jan 1\ncommitter C <c@x> 1 +0000\n\nm\n', 'author A <a@x> Thu Jan 1\nm\n'],
  ]
  test.each(rows)('like others: %s', (_, rest, expected) => {
    const text = made((scratch, tree) => {
      const original = Buffer.concat([Buffer.from(`tree ${tree}\n`), Buffer.from(rest)])
      return writeReplayed(scratch, original, tree, [], grace)
    })
    const shown = text.slice(text.indexOf('author')).replace('committer Grace <grace@example.org> 1800000000 -0330\n\n', '')
    expect(Buffer.from(shown, 'latin1').toString('hex')).toBe(Buffer.from(expected).toString('hex'))
  })

  test('like others without an author are refused', () => {
    expect(kindOf(() => made((scratch, tree) => writeReplayed(scratch, Buffer.from(`tree ${tree}\n\nm\n`), tree, [], grace)))).toBe('corrupt')
  })

  test('amended keep tree, parents and author', () => {
    const hand = new Hand()
    const parent = hand.commit({ f: '1\n' })
    const commit = hand.commit({ f: '2\n' }, parent)
    const scratch = new ScratchStore(hand.store, 1 << 20)
    const before = parseCommit(hand.store.get(commit).data)
    const after = parseCommit(scratch.get(writeAmended(scratch, commit, 'other', grace)).data)
    expect(after).toEqual({ ...before, message: 'other\n', committer: grace })
  })

  test('that no check would pass are never written', () => {
    const hand = new Hand()
    const scratch = new ScratchStore(hand.store, 1 << 20)
    expect(() => writeCommit(scratch, 'not a tree' as Oid, [], { message: 'x', author: ada, committer: ada })).toThrow(GitError)
  })
})
