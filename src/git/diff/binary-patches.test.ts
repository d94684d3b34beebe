import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { GitError } from '../errors.ts'
import { applyDelta } from '../packs/delta.ts'
import { kindOf } from '../store/contract.ts'
import { writeBinaryPatch } from './binary-patch.ts'
import { ByteWriter } from './byte-writer.ts'
import { parseBinaryHunk } from './parse-binary.ts'
import { parsePatch } from './parse-patch.ts'
import { commonName, readQuoted, sideName, wholeName } from './patch-names.ts'
import { PatchReader } from './patch-reader.ts'
import { PathFilter, trimSlashes } from './path-filter.ts'

function patchOf(before: Uint8Array, after: Uint8Array): Buffer {
  const out = new ByteWriter()
  writeBinaryPatch(out, before, after)
  return Buffer.from(out.take())
}

/** What a direction of the patch makes of what it is applied to. */
function made(reader: PatchReader, from: Uint8Array, most = 1 << 20): Buffer {
  const hunk = parseBinaryHunk(reader, most)
  if (hunk === undefined) throw new Error('there is none')
  return Buffer.from(hunk.kind === 'literal' ? hunk.data : applyDelta(from, hunk.data, most))
}

function somePair(random: Random): [Buffer, Buffer] {
  const before = Buffer.from(random.bytes(random.skewed(6000)))
  const at = random.below(before.length + 1)
  const changed = Buffer.concat([before.subarray(0, at), random.bytes(random.skewed(300)), before.subarray(Math.min(before.length, at + random.skewed(300)))])
  return [before, random.chance(0.2) ? Buffer.from(random.bytes(random.skewed(500))) : changed]
}

describe('a patch of binary contents', () => {
  property('leads there and back, as deltas or whole', 80, (random) => {
    const [before, after] = somePair(random)
    const reader = new PatchReader(patchOf(before, after))
    expect(reader.next()).toBe('GIT binary patch\n')
    expect(made(reader, before).equals(after)).toBe(true)
    expect(made(reader, after).equals(before)).toBe(true)
    expect(parseBinaryHunk(reader, 1 << 20)).toBeUndefined()
  })

  property('that is changed or cut off anywhere is refused, or still means something of the size it says', 8, (random) => {
    const [before, after] = [Buffer.from(random.bytes(200)), Buffer.from(random.bytes(150))]
    const whole = Buffer.concat([Buffer.from('diff --git a/f b/f\nindex 1234567..89abcde 100644\n'), patchOf(before, after)])
    for (let length = whole.indexOf('literal') + 1; length < whole.length - 1; length += 1 + random.below(5)) {
      const cut = kindOf(() => parsePatch(whole.subarray(0, length)))
      // A patch need not lead back.
      if (length <= whole.lastIndexOf('literal') - 1) expect([length, cut]).toEqual([length, 'corrupt'])
    }
    for (let at = whole.indexOf('literal'); at < whole.length; at += 1 + random.below(7)) {
      const bad = Buffer.from(whole)
      bad[at] = random.below(256)
      try {
        for (const file of parsePatch(bad)) expect(file.binary?.data.length ?? 0).toBeLessThanOrEqual(10_000_000)
      } catch (error) {
        expect(error).toBeInstanceOf(GitError)
      }
    }
  })

  test.each<[string, string, string]>([
    ['is larger than allowed', 'literal 2000000\nAcmZQz\n\n', 'limit'],
    ['does not end', 'literal 1\nLcmZQzWMT#Y01f~L\n', 'corrupt'],
    ['has a line without its length', 'literal 1\n!cmZQz\n\n', 'corrupt'],
    ['has a line shorter than it says', 'literal 1\nzcmZQz\n\n', 'corrupt'],
    ['has a letter that is none', 'literal 1\nHc"V?d00001\n\n', 'corrupt'],
    ['does not inflate', 'literal 4\nD00000\n\n', 'corrupt'],
    ['makes another size than it says', 'literal 5\nLcmZQzWMT#Y01f~L\n\n', 'corrupt'],
  ])('that %s is refused', (_, text, kind) => {
    expect(kindOf(() => parseBinaryHunk(new PatchReader(Buffer.from(text)), 1 << 20))).toBe(kind as never)
  })

  test.each(['literal x\n', 'delta\n', 'literal -1\n', 'something else\n', ''])('%j begins none', (text) => {
    expect(parseBinaryHunk(new PatchReader(Buffer.from(text)), 100)).toBeUndefined()
  })
})

describe('names in patches', () => {
  test.each<[string, string | undefined]>([
    ['a/f b/f\n', 'f'],
    ['a/d/f b/d/f\n', 'd/f'],
    ['a/with blank b/with blank\n', 'with blank'],
    ['"a/t\\tab" "b/t\\tab"\n', 't\tab'],
    ['"a/\\303\\274" "b/\\303\\274"\n', '\xc3\xbc'],
    ['a/f b/g\n', undefined],
    ['"a/f" b/f\n', 'f'],
    ['a/f "b/f"\n', 'f'],
    ['a/f\n', undefined],
    ['\n', undefined],
  ])('of a file that %j calls twice: %j', (line, name) => {
    expect(commonName(line)).toBe(name as string)
  })

  test.each<[string, string | null | undefined]>([
    ['a/f\n', 'f'],
    ['a/f\t2020-01-01\n', 'f'],
    ['a/with blank\t\n', 'with blank'],
    ['"a/\\"q\\""\n', '"q"'],
    ['/dev/null\n', null],
    ['"a/open\n', undefined],
  ])('of a side, %j: %j', (line, name) => {
    expect(sideName(line)).toBe(name as string)
  })

  test.each<[string, string | undefined]>([
    ['f\n', 'f'],
    ['d/with blank\n', 'd/with blank'],
    ['"q\\\\"\n', 'q\\'],
    ['\n', undefined],
    ['"bad\\q"\n', undefined],
  ])('as a whole, %j: %j', (line, name) => {
    expect(wholeName(line)).toBe(name as string)
  })

  test.each<[string, { name: string; length: number } | undefined]>([
    ['"a" rest', { name: 'a', length: 3 }],
    ['"\\101\\n"', { name: 'A\n', length: 8 }],
    ['"\\777"', undefined],
    ['a', undefined],
    ['"', undefined],
    ['"line\nbreak"', undefined],
  ])('in quotes, %j', (text, expected) => {
    expect(readQuoted(text)).toEqual(expected as { name: string; length: number })
  })
})

describe('paths asked for', () => {
  test.each<[readonly string[] | undefined, string, boolean, boolean]>([
    [undefined, 'a', true, true],
    [[], 'a', false, false],
    [[''], 'a/b', true, true],
    [['/'], 'a', true, true],
    [['a'], 'a', true, true],
    [['a'], 'a/b', true, true],
    [['a'], 'ab', false, false],
    [['a/'], 'a', true, true],
    [['a/b'], 'a', false, true],
    [['a/b'], 'a/bc', false, false],
    [['a/b', 'c'], 'c/d', true, true],
    [['//a//'], 'a', true, true],
  ])('%j of %j: matched %p, may hold %p', (paths, path, isMatch, mayHold) => {
    const filter = new PathFilter(paths)
    expect([filter.matches(path), filter.mayHold(path)]).toEqual([isMatch, mayHold])
  })

  test.each([
    ['', ''],
    ['/', ''],
    ['///', ''],
    ['/a/', 'a'],
    ['a//b', 'a//b'],
  ])('%j without slashes at its ends is %j', (path, expected) => {
    expect(trimSlashes(path)).toBe(expected)
  })
})
