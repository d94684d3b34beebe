import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../test/generate-history.ts'
import { git } from '../../../test/git-fixture.ts'
import { PATIENCE, property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { gitOutcomes, ManyMerges, ourOutcome, type Triple, type Version } from './judged-merges.fixture.ts'
import { RandomMerges } from './random-merges.fixture.ts'

describe('merges of criss-crossing histories full of renames come to what git merge-tree says', () => {
  test.each([1, 2, 3, 4])(
    'seed %d',
    (seed) => {
      using history = new RandomMerges(seed, 80)
      const pairs = history.pairs(120)
      const expected = gitOutcomes(history.gitDir, pairs)
      const store = DiskStore.open(history.gitDir)
      const ours = pairs.map((pair) => ourOutcome(store, pair))
      store.close()
      expect(ours).toEqual(expected)
      expect(expected.filter(({ isClean }) => isClean).length).toBeGreaterThan(10)
    },
    PATIENCE,
  )
})

/**
 * Merges each, and compares with what git makes of it; answers how many came out clean.
 * @param attributes what a checkout's `.gitattributes` say, told to git, which has none, in another way
 */
function judge(triples: readonly Triple[], diff3 = false, attributes?: string): number {
  using merges = new ManyMerges(triples)
  if (attributes !== undefined) writeFileSync(join(merges.gitDir, 'info', 'attributes'), attributes)
  const expected = gitOutcomes(merges.gitDir, merges.pairs, ...(diff3 ? ['-c', 'merge.conflictStyle=diff3'] : []))
  const store = DiskStore.open(merges.gitDir)
  for (const [at, pair] of merges.pairs.entries()) {
    const about = triples[at]
    expect({ about, ...ourOutcome(store, pair, diff3) }).toEqual({ about, ...(expected[at] as (typeof expected)[0]) })
  }
  store.close()
  return expected.filter(({ isClean }) => isClean).length
}

const text = (marked: string) => Array.from({ length: 12 }, (_, i) => `line ${i}${marked.includes(String(i)) ? ` ${marked}` : ''}\n`).join('')

test(
  'every way in which three versions of a path can differ: absent, files, programs, links, submodules, directories',
  () => {
    const states: Version[] = [
      {},
      { p: `100644 ${text('')}` },
      { p: `100644 ${text('1 a')}` },
      { p: `100755 ${text('')}` },
      { p: `100644 ${text('9 b')}` },
      { p: '120000 here' },
      { p: '120000 there' },
      { p: `160000 ${'1'.repeat(40)}` },
      { p: `160000 ${'2'.repeat(40)}` },
      { 'p/q': `100644 ${text('5 inside')}` },
      { 'p/q': `100644 ${text('')}`, 'p/r': '100644 other' },
    ]
    const triples = states.flatMap((base) => states.flatMap((ours) => states.map((theirs): Triple => [base, ours, theirs])))
    const beside = { keep: '100644 so that there is always a tree' }
    expect(judge(triples.map((versions) => versions.map((version) => ({ ...beside, ...version })) as unknown as Triple))).toBeGreaterThan(300)
  },
  PATIENCE,
)

test(
  'every pair of fates of one file: edited, renamed, moved, copied over, deleted, replaced',
  () => {
    const content = text('')
    const [edited, other] = [text('3 x'), text('8 y')]
    const target = (name: string, body = content): Version => ({ [name]: `100644 ${body}` })
    const fates: Version[] = [
      target('a/f'),
      target('a/f', edited),
      target('a/f', other),
      {},
      target('a/g'),
      target('a/g', edited),
      target('a/h', other),
      target('b/f'),
      target('b/f', other),
      { ...target('a/g'), ...target('a/f', 'something else entirely\n') },
      target('a/f/f', edited),
      { a: `100644 ${content}` },
      { 'a/f': '120000 link', ...target('a/g') },
      { ...target('a/f'), ...target('b/f') },
    ]
    const around: Version[] = [{}, { 'a/1': '100644 one\n', 'a/2': '100644 two\n', 'b/3': '100644 three\n' }]
    const withoutClash = (fate: Version, beside: Version): Version =>
      'a' in fate ? { ...fate, 'b/3': '100644 three\n' } : { ...beside, ...fate, keep: '100644 k' }
    const triples = around.flatMap((beside) =>
      fates.flatMap((ours) => fates.map((theirs): Triple => [withoutClash(target('a/f'), beside), withoutClash(ours, beside), withoutClash(theirs, beside)])),
    )
    expect(judge(triples)).toBeGreaterThan(100)
  },
  PATIENCE,
)

test(
  'every pair of fates of one directory: renamed, split, emptied, moved into another, added to',
  () => {
    const file = (name: string) => `100644 ${text(name)}of ${name}\n`
    const dir = (at: string, names: readonly string[]): Version => Object.fromEntries(names.map((name) => [`${at}/${name}`, file(name)]))
    const all = ['1', '2', '3', '4']
    const fates: Version[] = [
      dir('old', all),
      dir('new', all),
      dir('old', [...all, '5']),
      dir('old', ['1', '2']),
      { ...dir('new', ['1', '2', '3']), ...dir('old', ['4']) },
      { ...dir('new', ['1', '2']), ...dir('else', ['3', '4']) },
      dir('new/deep', all),
      { ...dir('new', all), ...dir('old', ['6']) },
      { ...dir('old', all), ...dir('old/sub', ['7']) },
      dir('', []),
      { ...dir('new', ['1', '2', '3']), 'new/4': '100644 rewritten\n', 'new/8': file('8') },
    ]
    const withRoot = (version: Version): Version => ({ ...version, top: '100644 top\n' })
    const triples = fates.flatMap((ours) => fates.map((theirs): Triple => [withRoot(dir('old', all)), withRoot(ours), withRoot(theirs)]))
    expect(judge(triples)).toBeGreaterThan(30)
  },
  PATIENCE,
)

describe('texts', () => {
  /** Few different lines, so that the same edit can be made in several places. */
  const someLines = (random: Random, count: number) =>
    Array.from({ length: count }, () => random.pick(['', '', '}', 'a', 'b', '  c', 'd\r', `${random.below(90)}`]))

  function edited(random: Random, lines: readonly string[]): string[] {
    const out = [...lines]
    for (let edits = random.below(5); edits > 0; edits--) {
      const at = random.below(out.length + 1)
      if (random.chance(0.2)) out.splice(random.below(out.length + 1), 0, ...out.splice(at, random.skewed(6)))
      else out.splice(at, random.skewed(4), ...someLines(random, random.skewed(4)))
    }
    return out
  }

  const joined = (random: Random, lines: readonly string[]) => lines.join('\n') + (random.chance(0.85) && lines.length > 0 ? '\n' : '')

  for (const diff3 of [false, true]) {
    property(
      `with edits anywhere, ends without a line feed and equal edits on both sides merge as git merges them${diff3 ? ', with the base shown' : ''}`,
      2,
      (random) => {
        const triples = Array.from({ length: soak(60, 150) }, (): Triple => {
          const base = someLines(random, random.skewed(40))
          const shared = random.chance(0.3) ? edited(random, base) : base
          const sides = [base, edited(random, shared), edited(random, shared)].map((lines) => ({ f: `100644 ${joined(random, lines)}` }))
          return sides as unknown as Triple
        })
        expect(judge(triples, diff3)).toBeGreaterThan(soak(8, 20))
      },
    )
  }
})

test(
  'line breaks merge as they are stored, whatever the attributes say of a checkout: as git does unless told to renormalize',
  () => {
    const attributes = '*.crlf text eol=crlf\n*.lf text eol=lf\n*.auto text=auto\n*.not -text\n'
    const dos = (content: string) => content.replaceAll('\n', '\r\n')
    const contents = [text(''), dos(text('')), text('3 a'), dos(text('3 a')), text('9 b'), dos(text('9 b')), text('').replace('line 5\n', 'line 5\r\n')]
    const names = ['a.crlf', 'a.lf', 'a.auto', 'a.not', 'a']
    const versions = contents.map((content): Version => {
      return { '.gitattributes': `100644 ${attributes}`, ...Object.fromEntries(names.map((name) => [name, `100644 ${content}`])) }
    })
    const all = versions.flatMap((base) => versions.flatMap((ours) => versions.map((theirs): Triple => [base, ours, theirs])))
    const triples = all.filter((_, at) => at % soak(3, 1) === 0)
    expect(judge(triples, false, attributes)).toBeGreaterThan(soak(30, 100))
  },
  PATIENCE,
)

test(
  'submodules that both sides moved are in conflict, as in git without a checkout of them, even where one side is ahead of the other',
  () => {
    // The commits that submodules are at lie in the very repository, one ahead of the other two.
    const linked: Triple = [{ a: '100644 1' }, { a: '100644 2' }, { a: '100644 3' }]
    using first = new ManyMerges([linked])
    const [ours, theirs] = first.pairs[0] as [Oid, Oid]
    const base = git(['rev-parse', `${ours}^`], { cwd: first.gitDir })
      .toString()
      .trim()
    const states = ['', base, ours, theirs].map((oid): Version => {
      const modules = { '.gitmodules': '100644 [submodule "s"]\n\tpath = s\n\turl = ./s\n' }
      return oid === '' ? modules : { ...modules, s: `160000 ${oid}` }
    })
    const triples = states.flatMap((old) => states.flatMap((our) => states.map((their): Triple => [old, our, their])))
    expect(judge([linked, ...triples])).toBe(40)
  },
  PATIENCE,
)

test('entries whose modes are written as git wrote them long ago are written as it does now, next to what changed', () => {
  using merges = new ManyMerges([[{ 'd/e': '100644 e' }, { 'd/e': '100644 e' }, { 'd/e': '100644 e' }]])
  const run = (args: string[], stdin?: Uint8Array): string => git(args, { cwd: merges.gitDir, stdin }).toString().trim()
  const blobs = ['0', '1', '2'].map((content) => run(['hash-object', '-w', '--stdin'], Buffer.from(content)))
  const treeOf = (items: [mode: string, name: string, oid: string][]): string => {
    const data = Buffer.concat(items.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]))
    return run(['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], data)
  }
  const [zero, one, two] = blobs as [string, string, string]
  const inner = treeOf([['100664', 'e', zero]])
  const version = (b: string, y: string): string => {
    const items: [string, string, string][] = [
      ['100664', 'a', zero],
      ['100644', 'b', b],
      ['040000', 'd', inner],
      ['100644', 'd.c', zero],
      ['100664', 'x', zero],
      ['100664', 'y', y],
      ['100755', 'z', zero],
    ]
    return treeOf(items)
  }
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit-tree', '-m', 'x']
  const base = run([...who, version(zero, zero)])
  const [ours, theirs] = [version(one, zero), version(zero, two)].map((tree) => run([...who, '-p', base, tree]) as Oid) as [Oid, Oid]
  const store = DiskStore.open(merges.gitDir)
  expect([ourOutcome(store, [ours, theirs])]).toEqual(gitOutcomes(merges.gitDir, [[ours, theirs]]))
  store.close()
})
