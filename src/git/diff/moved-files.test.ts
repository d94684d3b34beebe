import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { MapStore } from '../../../test/map-store.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { hashObject, type Oid, SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { ByteWriter } from './byte-writer.ts'
import { detectRenames, type FileChange, type RenameOptions } from './renames.ts'
import { MAX_SCORE, Similarity } from './similarity.ts'
import { diffTrees } from './tree-diff.ts'
import { type Files, TwoTrees } from './two-trees.fixture.ts'

/** As `git diff-tree -z` prints raw changes. */
function raw(change: FileChange): string {
  const letter = { added: 'A', deleted: 'D', modified: 'M', 'type-changed': 'T', renamed: 'R', copied: 'C' }[change.status]
  const side = (at: FileChange['old']) => [(at?.mode ?? 0).toString(8).padStart(6, '0'), at?.oid ?? SHA1.zero]
  const [old, now] = [side(change.old), side(change.new)]
  const score = 'similarity' in change ? String(change.similarity).padStart(3, '0') : ''
  const paths = 'oldPath' in change ? `${change.oldPath}\0${change.path}` : change.path
  return `:${old[0]} ${now[0]} ${old[1]} ${now[1]} ${letter}${score}\0${paths}\0`
}

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `this is line number ${from + i}\n`).join('')

function expectJudged(trees: TwoTrees, options: RenameOptions, flags: readonly string[]): FileChange[] {
  const { changes } = finish(detectRenames(trees.store, [...diffTrees(trees.store, trees.from, trees.to)], options))
  const found = Buffer.from(changes.map(raw).join('')).toString('latin1')
  expect({ flags, found }).toEqual({ flags, found: trees.diff('-r', '-z', ...flags) })
  return changes
}

/** Many files that have more or less in common, gone here and come there. */
function crowd(random: Random): [Files, Files] {
  const [before, after]: [Record<string, string>, Record<string, string>] = [{}, {}]
  const families = Array.from({ length: 4 }, (_, i) => Array.from({ length: 20 }, (_, line) => `family ${i} line ${line} ${random.below(3)}\n`))
  const member = () => {
    const family = [...random.pick(families)]
    for (let edits = random.below(14); edits > 0; edits--) family[random.below(family.length)] = `own ${random.below(1000)}\n`
    return family.join('')
  }
  for (let i = 0; i < 12; i++) {
    const content = member()
    const name = `${random.pick(['', 'src/', 'lib/'])}${random.pick(['a', 'b', 'main', 'x'])}${random.below(4)}.c`
    before[name] = content
    const fate = random.next()
    if (fate < 0.2) after[name] = content
    else if (fate < 0.35) after[name] = member()
    else if (fate < 0.6) after[`moved/${name}`] = content
    else if (fate < 0.8) after[`${random.pick(['lib/', 'new/'])}${random.below(9)}.c`] = content.replace(/line/, 'LINE')
  }
  for (let i = 0; i < 6; i++) after[`new/${random.below(30)}.c`] = member()
  return [
    { ...before, keep: 'k' },
    { ...after, keep: 'k', 'moved/only here.c': member() },
  ]
}

describe('files that were moved or copied', () => {
  property('in a crowd of files alike are those that git names, whatever similarity is asked for', soak(2, 5), (random) => {
    const [before, after] = crowd(random)
    using trees = new TwoTrees(before, after)
    for (const threshold of [1, 30, 50, 51, 75, 90, 100]) expectJudged(trees, { threshold }, [`-M${threshold}%`])
    for (const threshold of [30, 50, 80]) expectJudged(trees, { threshold, copies: true }, [`-C${threshold}%`])
    for (const limit of [1, 2, 4, 8]) expectJudged(trees, { limit }, ['-M', `-l${limit}`])
  })

  test('are as similar as git counts, one line after another changed', () => {
    const before: Record<string, string> = {}
    const after: Record<string, string> = {}
    for (let changed = 0; changed <= 20; changed++) {
      const name = String(changed).padStart(2, '0')
      const own = (text: string) => text.replaceAll('line', `line of ${name}`)
      before[`old/${name}`] = own(lines(0, 20))
      after[`new/${name}.txt`] = own(lines(changed * 7, changed * 7 + 20))
    }
    using trees = new TwoTrees(before, after)
    expectJudged(trees, { threshold: 1 }, ['-M1%'])
    expectJudged(trees, {}, ['-M'])
  })

  test.each<[string, Files, Files, string[]]>([
    ['with the same content and another mode', { a: lines(0, 9) }, { b: { mode: '100755', content: lines(0, 9) } }, ['a→b 100']],
    [
      'of the same name go before others of the same content',
      { 'x/f': 'same\n', 'x/g': 'same\n' },
      { 'y/g': 'same\n', 'y/f': 'same\n' },
      ['x/f→y/f 100', 'x/g→y/g 100'],
    ],
    ['that turned into a link are none', { a: 'target' }, { b: { mode: '120000', content: 'target' } }, []],
    ['that are links keep where they lead', { a: { mode: '120000', content: 't' } }, { b: { mode: '120000', content: 't' } }, ['a→b 100']],
    ['that are submodules are none', { s: { mode: '160000', content: '1'.repeat(40) } }, { t: { mode: '160000', content: '1'.repeat(40) } }, ['s→t 100']],
    ['that are empty are found', { a: '' }, { b: '' }, ['a→b 100']],
    ['that had a line and lost it are none', { a: 'x\n' }, { b: '' }, []],
    ['of half the lines are found', { a: lines(0, 20) }, { b: lines(10, 30) }, ['a→b 50']],
    ['of one line less than half are none', { a: lines(0, 20) }, { b: lines(11, 31) }, []],
    ['that swapped names are modified, not moved', { a: lines(0, 9), b: lines(20, 40) }, { a: lines(20, 40), b: lines(0, 9) }, []],
    ['that are binary are compared as well', { a: `\0${lines(0, 20)}` }, { b: `\0${lines(0, 19)}` }, ['a→b 94']],
    ['whose line breaks were turned are the same', { a: lines(0, 30) }, { b: lines(0, 30).replaceAll('\n', '\r\n') }, ['a→b 95']],
  ])('%s', (_, before, after, expected) => {
    const keep = { keep: 'kept\n' }
    using trees = new TwoTrees({ ...before, ...keep }, { ...after, ...keep })
    const changes = expectJudged(trees, {}, ['-M'])
    expect(changes.flatMap((change) => ('oldPath' in change ? `${change.oldPath}→${change.path} ${change.similarity}` : []))).toEqual(expected)
  })
})

describe('similarity', () => {
  const store = new MapStore()
  const blob = (content: string): Oid => {
    const data = Buffer.from(content, 'latin1')
    const oid = hashObject(SHA1, 'blob', data)
    store.objects.set(oid, { type: 'blob', data })
    return oid
  }
  const side = (content: string) => ({ oid: blob(content) })
  const score = (a: string, b: string, least = 0) => new Similarity(store).score(side(a), side(b), least)

  property('is whole of what is the same, the same both ways, and none of what shares nothing', 60, (random) => {
    const some = () => Array.from({ length: 1 + random.below(40) }, () => `${random.below(60)} ${'x'.repeat(random.skewed(100))}\n`).join('')
    const [a, b] = [some(), some()]
    expect(score(a, a)).toBe(MAX_SCORE)
    expect(score(a, b)).toBe(score(b, a))
    expect(score(a, b)).toBeGreaterThanOrEqual(0)
    expect(score(a, b)).toBeLessThanOrEqual(MAX_SCORE)
    expect(score(a, a.replace(/[^\n]/g, '#'))).toBeLessThan(MAX_SCORE)
    // What cannot come up to what is asked for may be told as nothing, and nothing else may.
    const whole = score(a, b)
    for (const least of [1, 20_000, 40_000, MAX_SCORE]) expect([whole, whole >= least ? whole : 0]).toContain(score(a, b, least))
  })

  test('of more than may be looked at is none', () => {
    const text = lines(0, 100)
    expect(new Similarity(store, { maxFileBytes: 100 }).score(side(text), side(`${text}x\n`), 0)).toBe(0)
    expect(new Similarity(store, { maxFileBytes: 1 << 20 }).score(side(text), side(`${text}x\n`), 0)).toBeGreaterThan(50_000)
  })
})

describe('bytes put together piece by piece', () => {
  property('are all there, in order, taken at any time, of any first size', 60, (random) => {
    const writer = new ByteWriter(1 + random.below(50))
    let [expected, taken] = ['', '']
    for (let i = 0; i < 60; i++) {
      const piece = random.pick(['', 'a', 'é', '\u{1f427}', 'x'.repeat(random.skewed(400))])
      if (random.chance(0.5)) writer.text(piece)
      else writer.bytes(Buffer.from(piece))
      expected += piece
      expect(writer.length).toBe(Buffer.byteLength(expected) - Buffer.byteLength(taken))
      if (random.chance(0.1)) taken += Buffer.from(writer.take()).toString()
    }
    expect(taken + Buffer.from(writer.take()).toString()).toBe(expected)
  })

  test('that were taken are not written to again', () => {
    const writer = new ByteWriter(4)
    writer.text('abc')
    const first = writer.take()
    writer.text('xyz')
    expect([Buffer.from(first).toString(), Buffer.from(writer.take()).toString()]).toEqual(['abc', 'xyz'])
  })
})
