import { describe, expect, test } from 'bun:test'
import { defaultLimits } from '../limits.ts'
import { decodeFetch, decodeV0Line, emptyFetchRequest } from './fetch-request.ts'
import { parseFilter } from './filter.ts'
import { errorOf } from './git-server.fixture.ts'
import { decodeLsRefs, prefixMatcher } from './ls-refs.ts'
import { decodeObjectInfo } from './object-info.ts'

const oid = 'a'.repeat(40)
const all = ['commit', 'tree', 'blob', 'tag']

describe('a filter', () => {
  test.each([
    ['blob:none', 0, Infinity, all],
    ['blob:limit=12', 12, Infinity, all],
    ['blob:limit=3k', 3072, Infinity, all],
    ['blob:limit=1G', 2 ** 30, Infinity, all],
    ['tree:0', Infinity, 0, all],
    ['object:type=tag', Infinity, Infinity, ['tag']],
    ['combine:blob:none+tree:3', 0, 3, all],
    ['combine:tree%3A3+blob%3Alimit%3D5+tree:2', 5, 2, all],
    ['combine:combine:tree:4+object:type=blob', Infinity, 4, ['blob']],
    ['combine:object:type=blob+object:type=tree', Infinity, Infinity, []],
  ])('%s reads as its bounds', (spec, blobLimit, treeDepth, types) => {
    const filter = parseFilter(spec)
    expect({ ...filter, types: [...filter.types] }).toEqual({ blobLimit, treeDepth, types: types as never })
  })

  test.each([
    ['', 'protocol'],
    ['blob:some', 'protocol'],
    ['blob:limit=', 'protocol'],
    ['blob:limit=-1', 'protocol'],
    ['blob:limit=9999999999999999', 'protocol'],
    ['tree:x', 'protocol'],
    ['tree:', 'protocol'],
    ['object:type=thing', 'protocol'],
    ['combine:', 'protocol'],
    ['combine:blob:none+', 'protocol'],
    ['combine:%zz', 'protocol'],
    [`combine:${'combine:'.repeat(500)}tree:1`, 'protocol'],
    [`combine:${'tree:1+'.repeat(500)}tree:1`, 'protocol'],
    ['sparse:oid=main:filter', 'refused'],
  ])('"%s" is turned down', async (spec, kind) => {
    expect(await errorOf(() => parseFilter(spec))).toStartWith(`${kind}: Cannot`)
  })
})

describe('a fetch', () => {
  test('reads as what was asked, and passes over what it does not know', () => {
    const request = decodeFetch(
      [
        `want ${oid}`,
        `have ${oid}`,
        'thin-pack',
        'ofs-delta',
        'deepen 3',
        'deepen-relative',
        `shallow ${oid}`,
        'want-ref refs/heads/x',
        'packfile-uris https',
        'done',
      ],
      defaultLimits,
    )
    expect(request).toEqual({
      ...emptyFetchRequest(),
      wants: [oid],
      haves: [oid],
      shallows: [oid],
      wantRefs: ['refs/heads/x'],
      thinPack: true,
      ofsDelta: true,
      depth: 3,
      deepenRelative: true,
      done: true,
    } as never)
  })

  test.each([
    ['an id that is too short', ['want abc'], 'protocol'],
    ['an id in capitals', [`have ${oid.toUpperCase()}`], 'protocol'],
    ['an id with more behind it', [`want ${oid} x`], 'protocol'],
    ['a depth of 0', ['deepen 0'], 'protocol'],
    ['a negative depth', ['deepen -1'], 'protocol'],
    ['a depth that is no number', ['deepen 0x10'], 'protocol'],
    ['a depth beyond all depths', ['deepen 99999999999'], 'protocol'],
    ['a date that is none', ['deepen-since yesterday'], 'protocol'],
    ['two ways of deepening', ['deepen 1', 'deepen-not refs/heads/x'], 'protocol'],
    ['more haves than allowed', Array.from({ length: 11 }, () => `have ${oid}`), 'limit'],
  ])('with %s is turned down', async (_, lines, kind) => {
    expect(await errorOf(() => decodeFetch(lines, { ...defaultLimits, maxCommands: 10 }))).toStartWith(`${kind}: Cannot`)
  })

  test.each(['', 'have', 'constructor x', '__proto__ x', 'done', 'want-ref x'])('of the old protocol with the line "%s" is turned down', async (line) => {
    expect(await errorOf(() => decodeV0Line(line, emptyFetchRequest()))).toStartWith('protocol: Cannot')
  })
})

test('unknown lines in ls-refs and object-info are turned down', async () => {
  expect(await errorOf(() => decodeLsRefs(['peel', 'colour']))).toStartWith('protocol: ')
  expect(await errorOf(() => decodeObjectInfo(['size', 'oid xyz'], defaultLimits))).toStartWith('protocol: ')
  expect(await errorOf(() => decodeObjectInfo(['colour'], defaultLimits))).toStartWith('protocol: ')
})

test('ref prefixes match as a plain look at each would', () => {
  const names = ['HEAD', 'refs/heads/a', 'refs/heads/a/b', 'refs/heads/ab', 'refs/heads/b', 'refs/tags/\u{10000}', 'refs/tags/\uffff', 'refs/x']
  const sets = [
    [],
    ['HEAD'],
    ['refs/heads/a'],
    ['refs/heads/', 'refs/heads/a', 'HEAD'],
    ['refs/tags/\uffff', 'refs/tags/\u{10000}', 'refs/heads/ab'],
    ['refs/heads/a/b', 'refs/heads/aa'],
    [''],
  ]
  for (const prefixes of sets) {
    const expected = names.filter((name) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)))
    expect(names.filter(prefixMatcher(prefixes))).toEqual(expected)
  }
})
