import { createHash } from 'node:crypto'
import { deflateRawSync, deflateSync } from 'node:zlib'
import type { HostilePack } from './hostile-pack.ts'
import { blob, built, missing, text } from './hostile-pack.ts'
import { changedTrees, hostileModules, hostileTrees } from './hostile-trees.ts'
import type { BuildOptions, BuiltType } from './pack-builder.ts'
import { idOf, makeCommit, makeDelta, makeTag, makeTree, PackBuilder } from './pack-builder.ts'

export type { HostilePack } from './hostile-pack.ts'

const GiB = 2 ** 30

/** A small honest pack: a blob, two trees, a commit, a tag and deltas. About 1 kB. */
export function honestPack(): Uint8Array {
  const builder = new PackBuilder()
  const noise = Buffer.concat(Array.from({ length: 24 }, (_, i) => createHash('sha1').update(`${i}`).digest()))
  const base = builder.add('blob', noise)
  const changed = Buffer.concat([noise.subarray(0, 200), Buffer.from('changed')])
  builder.ofsDelta(base, makeDelta(noise.length, changed.length, [[0, 200], 'changed']))
  builder.add('blob', text)
  const inner = makeTree([['100644', 'inner.txt', idOf('blob', changed)]])
  builder.add('tree', inner)
  const tree = makeTree([
    ['100644', 'a.txt', blob],
    ['40000', 'directory', idOf('tree', inner)],
    ['100755', 'noise', idOf('blob', noise)],
  ])
  builder.add('tree', tree)
  const commit = makeCommit(idOf('tree', tree))
  builder.add('commit', commit)
  builder.add('tag', makeTag(idOf('commit', commit), 'commit'))
  return builder.build()
}

/** Malformed and hostile packs, each with what the pusher must be told. */
export function hostilePacks(): HostilePack[] {
  return [
    ...brokenFrames(),
    ...brokenEntries(),
    ...brokenDeltas(),
    ...bombs(),
    ...hostileTrees(),
    ...changedTrees(),
    ...hostileModules(),
    ...brokenTexts(),
    ...brokenLinks(),
  ]
}

/** The honest pack cut off at, and with a byte changed at, each of its bytes. */
export function damagedPacks(): HostilePack[] {
  const honest = honestPack()
  const packs: HostilePack[] = []
  for (let at = 0; at < honest.length; at++) {
    packs.push({ name: `cut off after ${at} bytes`, pack: honest.slice(0, at), expected: /^Cannot accept pack: / })
    const flipped = Uint8Array.from(honest)
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8))
    packs.push({ name: `with byte ${at} changed`, pack: flipped, expected: /^Cannot accept pack: / })
  }
  return packs
}

function brokenFrames(): HostilePack[] {
  const withBlob = (options: BuildOptions) => (builder: PackBuilder) => {
    builder.add('blob', text)
    return options
  }
  return [
    { name: 'nothing at all', pack: new Uint8Array(), expected: /truncated in its header/ },
    built('another magic', /does not start with "PACK"/, withBlob({ magic: 'PAKC' })),
    built('version 1', /version 1 is not supported/, withBlob({ version: 1 })),
    built('version 4', /version 4 is not supported/, withBlob({ version: 4 })),
    built('a count too high', /byte 7\d: /, withBlob({ count: 2 })),
    built('a count too low', /extra data after its 0 objects/, withBlob({ count: 0 })),
    built('a count of four billion', /over the limit of/, withBlob({ count: 0xffffffff })),
    built('a wrong checksum', /checksum does not match/, withBlob({ checksum: Buffer.alloc(20, 7) })),
    built('a missing checksum', /truncated before its checksum/, withBlob({ checksum: Buffer.alloc(0) })),
    built('half a checksum', /truncated before its checksum/, withBlob({ checksum: Buffer.alloc(10) })),
    built('junk after its end', /extra data after its 1 objects/, withBlob({ junk: Buffer.from('x') })),
    built('another pack after its end', /extra data after its 1 objects/, withBlob({ junk: Buffer.from(honestPack()) })),
  ]
}

function brokenEntries(): HostilePack[] {
  const withEntry = (options: Parameters<PackBuilder['add']>[2]) => (builder: PackBuilder) => void builder.add('blob', text, options)
  const zlib = deflateSync(text)
  const adler = Buffer.from(zlib)
  adler[adler.length - 1] = (adler[adler.length - 1] as number) ^ 1
  return [
    built('entry type 0', /type 0 is unknown/, withEntry({ type: 0 })),
    built('entry type 5', /type 5 is unknown/, withEntry({ type: 5 })),
    built('a size too small', /entry 1 at byte 12: .*does not have the 10 bytes/, withEntry({ size: 10 })),
    built('a size too large', /does not have the 1000 bytes/, withEntry({ size: 1000 })),
    built('a size far too large', /does not have the 5000000 bytes/, withEntry({ size: 5_000_000 })),
    built('a size of 0', /does not have the 0 bytes/, withEntry({ size: 0 })),
    built('a size beyond the limit', /over the limit of/, withEntry({ size: 2 ** 50 })),
    built('a size beyond 53 bits', /does not fit in 53 bits/, withEntry({ size: 2 ** 60 })),
    built('no zlib stream', /entry 1 at byte 12/, withEntry({ zlib: Buffer.alloc(0) })),
    built('noise for a zlib stream', /bad zlib stream/, withEntry({ zlib: Buffer.alloc(40, 0xff) })),
    built('a deflate stream without zlib frame', /bad zlib stream/, withEntry({ zlib: deflateRawSync(text) })),
    built('a zlib stream with a dictionary', /bad zlib stream/, withEntry({ zlib: deflateSync(text, { dictionary: Buffer.from('some text') }) })),
    built('a zlib stream with a wrong checksum', /bad zlib stream/, withEntry({ zlib: adler })),
    built('a zlib stream cut off', /entry 1 at byte 12/, withEntry({ zlib: zlib.subarray(0, 12) })),
  ]
}

function brokenDeltas(): HostilePack[] {
  const size = text.length
  const good = makeDelta(size, 10, [[0, 10]])
  const onText =
    (delta: Uint8Array, options = {}) =>
    (builder: PackBuilder) =>
      void builder.ofsDelta(builder.add('blob', text), delta, options)
  return [
    built('a delta on itself', /its delta base should start/, onText(good, { distance: 0 })),
    built('a delta on something before the pack', /its delta base should start/, onText(good, { distance: 100_000 })),
    built('a delta on the middle of an entry', /its delta base should start/, onText(good, { distance: 5 })),
    built('a delta for another base', /expects a base of 7 bytes/, onText(makeDelta(7, 10, [[0, 10]]))),
    built('a delta that makes too little', /produces 10 bytes instead of 11/, onText(makeDelta(size, 11, [[0, 10]]))),
    built('a delta that copies too much', /a copy instruction is out of range/, onText(makeDelta(size, 9, [[0, 10]]))),
    built('a delta that inserts too much', /an insert instruction is out of range/, onText(makeDelta(size, 2, ['abc']))),
    built('a delta that copies from beyond its base', /a copy instruction is out of range/, onText(makeDelta(size, 10, [[size - 5, 10]]))),
    built('a delta that copies from far beyond its base', /a copy instruction is out of range/, onText(makeDelta(size, 10, [[0xfffffff0, 10]]))),
    built('a delta whose copy is cut off', /a copy instruction is out of range/, onText(makeDelta(size, 10, [[0, 10]]).slice(0, -1))),
    built('a delta whose insert is cut off', /an insert instruction is out of range/, onText(makeDelta(size, 3, ['abc']).slice(0, -1))),
    built('a delta with opcode 0', /opcode 0/, onText(Buffer.concat([makeDelta(size, 10, ['a']), Buffer.from([0])]))),
    built('a delta of fewer bytes than git reads', /its delta has 2 bytes/, onText(makeDelta(size, 0, []))),
    built('an empty delta', /truncated or too long/, onText(Buffer.alloc(0))),
    built('a delta whose header does not end', /truncated or too long/, onText(Buffer.alloc(30, 0x80))),
    built('a delta with a size lie', /does not have the 3 bytes/, onText(good, { size: 3 })),
    built('a delta on a missing object', new RegExp(`delta base ${missing} is neither`), (builder) => void builder.refDelta(missing, good)),
    built('a delta on its own result', /is neither in the pack/, (builder) => void builder.refDelta(idOf('blob', text.slice(0, 10)), good)),
    built('two deltas on each other', /is neither in the pack/, (builder) => {
      builder.refDelta(idOf('blob', 'bbb'), makeDelta(3, 3, ['aaa']))
      builder.refDelta(idOf('blob', 'aaa'), makeDelta(3, 3, ['bbb']))
    }),
    built(
      'a delta on a delta on a missing object',
      /is neither in the pack/,
      (builder) => void builder.ofsDelta(builder.refDelta(missing, good), makeDelta(10, 5, [[0, 5]])),
    ),
    built('a delta chain 4,097 long', /chain is longer than the limit of 4095/, (builder) => {
      let base = builder.add('blob', text)
      for (let depth = 0; depth < 4097; depth++) base = builder.ofsDelta(base, makeDelta(size, size, [[0, size]]))
    }),
  ]
}

function bombs(): HostilePack[] {
  const base = Buffer.alloc(65536, 'x')
  const copies = Array.from({ length: GiB / 65536 }, () => [0, 65536] as const)
  const nulls = deflateSync(Buffer.alloc(8 * 1024 * 1024))
  return [
    built(
      'a delta of 1 GiB',
      /the result of its delta has 1073741824 bytes, over the limit/,
      (builder) => void builder.ofsDelta(builder.add('blob', base), makeDelta(base.length, GiB, copies)),
    ),
    built(
      'a delta said to be small that makes much',
      /a copy instruction is out of range/,
      (builder) => void builder.ofsDelta(builder.add('blob', base), makeDelta(base.length, 100, copies)),
    ),
    built('a blob said to have 1 GiB', /1073741824 bytes are over the limit/, (builder) => void builder.add('blob', '', { size: GiB, zlib: nulls })),
    built(
      'a blob said to be small that inflates to much',
      /does not have the 100 bytes/,
      (builder) => void builder.add('blob', '', { size: 100, zlib: nulls }),
    ),
    built('a large blob that inflates to more', /does not have the 5000000 bytes/, (builder) => void builder.add('blob', '', { size: 5_000_000, zlib: nulls })),
    built('a commit of 65 MiB', /over the limit of \d+ for a commit/, (builder) => void builder.add('commit', '', { size: 65 * 1024 * 1024, zlib: nulls })),
  ]
}

function brokenTexts(): HostilePack[] {
  const tree = makeTree([])
  const good = makeCommit(idOf('tree', tree))
  const faulty = (type: BuiltType, name: string, content: string, expected: RegExp): HostilePack =>
    built(`a ${type} ${name}`, new RegExp(`${type} ${idOf(type, content)}: ${expected.source}`), (builder) => {
      builder.add('tree', tree)
      builder.add(type, content)
    })
  const tag = makeTag(idOf('tree', tree), 'tree')
  return [
    faulty('commit', 'without content', '', /its header does not end/),
    faulty('commit', 'without a tree', good.replace(/^tree.*\n/, ''), /it has no "tree" line/),
    faulty('commit', 'with a malformed tree', good.replace(/^tree ..../, 'tree '), /its "tree" line is not an object ID/),
    faulty(
      'commit',
      'with a tree in upper case',
      good.replace(/^tree .*/, (line) => `tree ${line.slice(5).toUpperCase()}`),
      /its "tree" line is not an object ID/,
    ),
    faulty('commit', 'with a malformed parent', good.replace('author', 'parent 1234\nauthor'), /its "parent" line is not an object ID/),
    faulty('commit', 'without an author', good.replace(/author.*\n/, ''), /it has no "author" line/),
    faulty('commit', 'with two authors', good.replace(/(author.*\n)/, '$1$1'), /it has more than one "author" line \(multipleAuthors\)/),
    faulty('commit', 'without a committer', good.replace(/committer.*\n/, ''), /it has no "committer" line/),
    faulty('commit', 'whose author has no address', good.replace('<author@example.com>', ''), /its "author" line has no <email>/),
    faulty('commit', 'whose author has no date', good.replace('1700000000 +0100', ''), /its "author" line has a date that is not a number \(badDate\)/),
    faulty('commit', 'with a NUL in its header', good.replace('A U Thor', 'A\0U Thor'), /its header has a NUL byte/),
    faulty('commit', 'that ends in a line', good.slice(0, good.indexOf('committer') + 20), /its header does not end/),
    faulty('tag', 'without an object', tag.replace(/^object.*\n/, ''), /it has no "object" line/),
    faulty('tag', 'without a type', tag.replace(/type.*\n/, ''), /it has no "type" line/),
    faulty('tag', 'of an unknown type', tag.replace('type tree', 'type bush'), /its type "bush" is unknown/),
    faulty('tag', 'of a type from the prototype', tag.replace('type tree', 'type constructor'), /its type "constructor" is unknown/),
    faulty('tag', 'without a name', tag.replace(/tag v1\n/, ''), /it has no "tag" line/),
    faulty('tag', 'whose tagger has no address', tag.replace('<author@example.com>', ''), /its "tagger" line has no <email>/),
  ]
}

function manyIds(nth: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => (nth * count + i).toString(16).padStart(40, '5'))
}

function brokenLinks(): HostilePack[] {
  const tree = makeTree([['100644', 'x', blob]])
  const treeId = idOf('tree', tree)
  const commit = makeCommit(treeId)
  const tag = makeTag(treeId, 'tree')
  const linking = (name: string, type: BuiltType, content: string | Uint8Array, expected: RegExp): HostilePack =>
    built(name, new RegExp(`${type} ${idOf(type, content)} names the ${expected.source}`), (builder) => {
      builder.add('blob', text)
      builder.add('tree', tree)
      builder.add('commit', commit)
      builder.add('tag', tag)
      builder.add(type, content)
    })
  const absent = / 1234567890123456789012345678901234567890, which is neither in the pack nor in the repository/.source
  return [
    linking('a tree with a missing blob', 'tree', makeTree([['100644', 'x', missing]]), new RegExp(`blob${absent}`)),
    linking('a tree with a missing tree', 'tree', makeTree([['40000', 'x', missing]]), new RegExp(`tree${absent}`)),
    linking('a commit with a missing tree', 'commit', makeCommit(missing), new RegExp(`tree${absent}`)),
    linking('a commit with a missing parent', 'commit', makeCommit(treeId, [missing]), new RegExp(`commit${absent}`)),
    linking('a tag of a missing commit', 'tag', makeTag(missing, 'commit'), new RegExp(`commit${absent}`)),
    linking('a commit with a commit for a tree', 'commit', makeCommit(idOf('commit', commit)), /tree \w+, which is a commit/),
    linking('a commit with a tag for a parent', 'commit', makeCommit(treeId, [idOf('tag', tag)]), /commit \w+, which is a tag/),
    linking('a tag of a commit said to be a blob', 'tag', makeTag(idOf('commit', commit), 'blob'), /blob \w+, which is a commit/),
    built('commits that name very many parents each', /its objects refer to more than 1\d{5} other objects/, (builder) => {
      for (let nth = 0; nth < 6; nth++) builder.add('commit', makeCommit(treeId, manyIds(nth, 20_000)))
      // What a pack announces has not arrived.
      return { count: 10_000_000 }
    }),
    linking('a tree with a commit for a blob', 'tree', makeTree([['100644', 'x', idOf('commit', commit)]]), /blob \w+, which is a commit/),
  ]
}
