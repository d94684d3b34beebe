import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { DiskStore } from '../store/disk.ts'
import { gitOutcomes, ManyMerges, ourOutcome, type Triple } from './judged-merges.fixture.ts'

type Files = Map<string, string>

const directories = ['a', 'b', 'a/x', 'a/y', 'b/x', 'c/d/e', 'z']
const text = (name: string, mark = '') => `100644 ${Array.from({ length: 8 }, (_, i) => `${name} line ${i}${mark.includes(String(i)) ? mark : ''}\n`).join('')}`

/** A file takes the place of a directory of its name, and the other way round. */
function put(files: Files, path: string, content: string): void {
  for (const other of [...files.keys()]) if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other)
  files.set(path, content)
}

function baseOf(random: Random): Files {
  const files: Files = new Map([['keep', '100644 k']])
  for (let i = 0; i < 12; i++) put(files, `${random.pick(directories)}/f${i}`, text(`f${i}`))
  return files
}

/** What one side does: mostly to whole directories. */
function changed(random: Random, base: Files, side: string): Files {
  const files = new Map(base)
  for (let steps = 1 + random.below(3); steps > 0; steps--) {
    const choice = random.next()
    const from = random.pick(directories)
    const inside = [...files.keys()].filter((path) => path.startsWith(`${from}/`))
    if (choice < 0.45) {
      const to = random.pick([...directories, 'new', `new-${side}`, `${from}/below`, ''])
      if (to === from || from.startsWith(`${to}/`)) continue
      for (const path of inside) {
        if (random.chance(0.1)) continue
        const content = files.get(path) as string
        files.delete(path)
        const rest = path.slice(from.length + 1)
        put(files, to === '' ? rest : `${to}/${rest}`, random.chance(0.2) ? `${content}more of ${side}\n` : content)
      }
    } else if (choice < 0.6) put(files, `${from}/added-${random.below(3)}`, text(`added ${random.chance(0.5) ? side : ''}`))
    else if (choice < 0.7) for (const path of inside) files.delete(path)
    else if (choice < 0.8 && inside.length > 0) {
      const path = random.pick(inside)
      const content = files.get(path) as string
      files.delete(path)
      put(files, random.pick(inside).replace(/[^/]*$/, `renamed-${random.below(2)}`), content)
    } else if (inside.length > 0) {
      const path = random.pick(inside)
      files.set(path, text(path.slice(path.lastIndexOf('/') + 1), `${random.below(8)}${side}`))
    }
  }
  return files
}

describe('directories that are moved into one another, split, emptied and filled on both sides', () => {
  property('merge as git merges them', 4, (random) => {
    const triples = Array.from({ length: soak(40, 60) }, (): Triple => {
      const base = baseOf(random)
      return [base, changed(random, base, 'o'), changed(random, base, 't')].map((files) => Object.fromEntries(files)) as unknown as Triple
    })
    using merges = new ManyMerges(triples)
    const expected = gitOutcomes(merges.gitDir, merges.pairs)
    const store = DiskStore.open(merges.gitDir)
    for (const [i, pair] of merges.pairs.entries()) {
      expect({ about: triples[i], ...ourOutcome(store, pair) }).toEqual({ about: triples[i], ...(expected[i] as (typeof expected)[0]) })
    }
    store.close()
    expect(expected.filter(({ isClean }) => !isClean).length).toBeGreaterThan(5)
  })
})

describe('a file that was renamed', () => {
  /** Twenty lines, those named changed. */
  const body = (mark: string, ...changed: number[]) =>
    `100644 ${Array.from({ length: 20 }, (_, i) => `a line of text, number ${i}${changed.includes(i) ? mark : ''}\n`).join('')}`
  const other = (name: string) => `100644 ${Array.from({ length: 20 }, (_, i) => `${name} has line ${i}\n`).join('')}`
  const rows: [string, Triple][] = [
    [
      'is rather the one of its name than one that is more alike',
      [{ 'a/name': body('') }, { 'b/name': body('o', 0, 1, 2), 'c/other': body('o', 0) }, { 'a/name': body('t', 19) }],
    ],
    [
      'is rather the more alike one than one of its name that is too different',
      [{ 'a/name': body('') }, { 'b/name': body('o', 0, 1, 2, 3, 4, 5, 6, 7), 'c/other': body('o', 0) }, { 'a/name': body('t', 19) }],
    ],
    [
      'is the most alike of several where its name is there twice',
      [{ 'a/name': body('') }, { 'b/name': body('o', 0, 1, 2), 'c/name': body('o', 0, 1), 'd/x': body('o', 0) }, { 'a/name': body('t', 19) }],
    ],
    [
      'is the one that is the same, whatever others are called',
      [{ 'a/name': body('') }, { 'b/name': body('o', 0), 'c/other': body('') }, { 'a/name': body('t', 19) }],
    ],
    ['is none where less than half is left', [{ 'a/name': body('') }, { 'b/other': body('o', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }, { 'a/name': body('t', 19) }]],
    [
      'goes where its directory went when names alone do not tell',
      [
        { 'a/n1': body(''), 'a/n2': other('n2'), 'a/n3': other('n3') },
        { 'b/n1': body('o', 0, 1), 'x/n1': body('o', 0), 'b/n2': other('n2'), 'b/n3': other('n3') },
        { 'a/n1': body('t', 19), 'a/n2': other('n2'), 'a/n3': other('n3') },
      ],
    ],
    [
      'is followed on both sides at once',
      [
        { 'a/n': body(''), 'c/m': other('m') },
        { 'b/n': body('o', 0), 'c/m': other('m') },
        { 'a/n': body('t', 19), 'd/m': other('m') },
      ],
    ],
  ]

  test.each(rows)('%s, as git has it', (_, triple) => {
    const [base, ours, theirs] = triple.map((files) => ({ ...files, keep: '100644 k' })) as unknown as Triple
    using merges = new ManyMerges([
      [base, ours, theirs],
      [base, theirs, ours],
    ])
    const store = DiskStore.open(merges.gitDir)
    expect(merges.pairs.map((pair) => ourOutcome(store, pair))).toEqual(gitOutcomes(merges.gitDir, merges.pairs))
    store.close()
  })
})
