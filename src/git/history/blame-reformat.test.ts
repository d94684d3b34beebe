import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { PATIENCE, property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { Lines } from '../diff/lines.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { blame } from './blame.ts'
import { guessLines } from './blame-guess.ts'
import { CommitSource } from './commit-source.ts'
import { FirstGreatest } from './first-greatest.ts'

/** What revisions are ignored for: a commit that indents a whole file anew, so that all of its lines have changed. */

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

interface Version {
  lines: readonly string[]
}

/** A bare repository of one file through some versions; answers the commits. */
function repositoryOf(name: string, versions: readonly Version[]): { path: string; commits: Oid[] } {
  const path = join(root.path, `${name}.git`)
  initBare(path)
  const stream = versions.map(({ lines }, i) => {
    const text = lines.map((line) => `${line}\n`).join('')
    const from = i === 0 ? '' : `from :${i}\n`
    return `commit refs/heads/main\nmark :${i + 1}\ncommitter A <a@example.org> ${1_000_000 + i} +0000\ndata 1\nx\n${from}M 100644 inline file.c\ndata ${Buffer.byteLength(text)}\n${text}\n`
  })
  git(['fast-import', '--quiet'], { cwd: path, stdin: stream.join('') })
  const commits = git(['rev-list', '--reverse', 'main'], { cwd: path }).toString().trim().split('\n') as Oid[]
  return { path, commits }
}

function gitLines(path: string, ignored: readonly Oid[]): string[] {
  const options = ignored.flatMap((oid) => ['--ignore-rev', oid])
  const text = git(['blame', '--line-porcelain', ...options, 'main', '--', 'file.c'], { cwd: path }).toString()
  return Array.from(text.matchAll(/^([0-9a-f]{40}) (\d+) \d+/gm), ([, oid, line]) => `${oid} ${line}`)
}

async function ourLines(path: string, head: Oid, ignored: readonly Oid[]): Promise<string[]> {
  const store = DiskStore.open(path)
  try {
    const { groups } = await blame(new CommitSource(store), head, 'file.c', { ignoreRevisions: ignored })
    return groups.flatMap(({ commit, originLine, count }) => Array.from({ length: count }, (_, i) => `${commit} ${originLine + i}`))
  } finally {
    store.close()
  }
}

/** So many lines from each of some commits, each line with a number of its own. */
function grown(commits: number, each: number, line: (number: number) => string): Version[] {
  return Array.from({ length: commits }, (_, i) => ({ lines: Array.from({ length: (i + 1) * each }, (_, number) => line(number)) }))
}

describe('a commit that changed all lines of a file, and is ignored,', () => {
  test(
    'leaves each of very many lines to who wrote it, as git blame does',
    async () => {
      const versions = grown(5, soak(300, 2000), (number) => `  call_${number}(${(number * 7919) % 1000}, "text")`)
      const indented = { lines: (versions.at(-1) as Version).lines.map((line) => `\t${line.trim()};`) }
      const { path, commits } = repositoryOf('indented', [...versions, indented])
      const ignored = [commits.at(-1) as Oid]
      expect(await ourLines(path, ignored[0] as Oid, ignored)).toEqual(gitLines(path, ignored))
    },
    PATIENCE,
  )

  property('leaves them to who wrote them also where lines are split, joined and moved meanwhile', 8, async (random, seed) => {
    const versions = grown(
      4,
      5 + random.below(30),
      (number) => `${random.pick(['', '  '])}${random.pick(['call', 'read', 'x'])}_${random.below(40)}(${number % 7});`,
    )
    const last = (versions.at(-1) as Version).lines
    const reformatted: string[] = []
    for (let i = 0; i < last.length; i++) {
      const line = `\t${(last[i] as string).trim()}`
      const lot = random.next()
      if (lot < 0.1) reformatted.push(line.slice(0, 6), `\t\t${line.slice(6)}`)
      else if (lot < 0.2 && i + 1 < last.length) reformatted.push(`${line} ${last[++i]?.trim()}`)
      else if (lot < 0.95) reformatted.push(line)
      if (random.chance(0.05)) reformatted.push(...reformatted.splice(random.below(reformatted.length + 1), 1))
    }
    const { path, commits } = repositoryOf(`reformatted-${seed}`, [...versions, { lines: reformatted }, { lines: [...reformatted, 'one more'] }])
    for (const ignored of [commits.slice(4, 5), commits.slice(1, 5), commits.slice(3)]) {
      expect(await ourLines(path, commits.at(-1) as Oid, ignored)).toEqual(gitLines(path, ignored))
    }
  })
})

describe('guessing', () => {
  const guess = (before: string, after: string) => {
    const [old, now] = [new Lines(Buffer.from(before)), new Lines(Buffer.from(after))]
    const change = { oldStart: 0, oldCount: old.count, newStart: 0, newCount: now.count, isIgnored: false }
    return guessLines(old, now, [change])
  }
  const text = (count: number, line: (number: number) => string) => Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')

  test(
    'finds each of very many lines, without trying each with each',
    () => {
      const count = soak(10_000, 50_000)
      const found = guess(
        text(count, (i) => `  same words ${i}`),
        text(count, (i) => `\tsame words ${i};`),
      )
      expect([...found].filter(([line, from]) => line === from).length).toBe(count)
    },
    PATIENCE,
  )

  test(
    'ends where one line gave way to very many, and where very many gave way to one',
    () => {
      const count = soak(1000, 20_000)
      const many = text(count, (i) => `ab ${i % 10}`)
      expect(guess(`${'ab '.repeat(count)}\n`, many).size).toBeLessThanOrEqual(count)
      expect(guess(many, `${'ab '.repeat(count)}\n`).size).toBeLessThanOrEqual(1)
    },
    PATIENCE,
  )

  test.each([
    ['200,000 lines', 200_000, true],
    ['200,001 lines', 200_001, false],
  ])('is done up to %s', (_, count, isDone) => {
    const before = text(count, () => '')
    expect(guess(`${before.slice(1)}a sure line of some length\n`, 'a sure line of some length;\n').size > 0).toBe(isDone)
  })

  test('of files of more than four mebibytes is left out, since it would take many times as much', () => {
    const line = 'a sure line of some length'
    const padded = (length: number) => `${line}\n${'x'.repeat(length - line.length - 2)}\n`
    expect(guess(padded(4 << 20), `${line};\n`).size).toBe(1)
    expect(guess(padded((4 << 20) + 1), `${line};\n`).size).toBe(0)
  })
})

property('the first of the greatest of a stretch is the one that looking at all finds', 60, (random) => {
  const values = Int32Array.from({ length: 1 + random.below(70) }, () => random.below(6) - 2)
  const greatest = new FirstGreatest(values)
  for (let step = 0; step < 60; step++) {
    const place = random.below(values.length)
    values[place] = random.below(6) - 2
    greatest.update(place)
    const [from, to] = [random.below(values.length + 1), random.below(values.length + 1)].sort((a, b) => a - b) as [number, number]
    const stretch = values.subarray(from, to)
    expect(greatest.within(from, to)).toBe(stretch.length === 0 ? -1 : from + stretch.indexOf(Math.max(...stretch)))
  }
})
