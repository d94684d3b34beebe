import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../../../test/generate-history.ts'
import { git, initBare } from '../../../test/git-fixture.ts'
import { outcome } from '../../../test/outcome.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { Lines } from '../diff/lines.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { type BlameOptions, blame } from './blame.ts'
import { CommitSource } from './commit-source.ts'
import { fingerprintOf, similarity, subtract } from './fingerprint.ts'
import { matchLines } from './match-lines.ts'

/** One file through many commits: edited, indented anew, moved about, merged, renamed. The same seed gives the same history. */
class OneFile {
  readonly gitDir = mkdtempSync(join(tmpdir(), 'pf-blame-'))
  readonly commits: Oid[]
  readonly names: string[] = []
  readonly #random: Random
  readonly #versions: { name: string; lines: string[] }[] = []

  constructor(seed: number, count: number) {
    this.#random = new Random(seed)
    initBare(this.gitDir)
    const stream = Array.from({ length: count }, (_, i) => this.#commit(i)).join('')
    git(['fast-import', '--quiet'], { cwd: this.gitDir, stdin: stream })
    const asked = Array.from({ length: count }, (_, i) => `refs/heads/c${i}\n`).join('')
    this.commits = git(['cat-file', '--batch-check=%(objectname)'], { cwd: this.gitDir, stdin: asked }).toString().trim().split('\n') as Oid[]
    this.names = this.#versions.map(({ name }) => name)
  }

  [Symbol.dispose](): void {
    rmSync(this.gitDir, { recursive: true, force: true })
  }

  #commit(index: number): string {
    const random = this.#random
    const parents = index === 0 ? [] : [index - 1]
    if (index > 3 && random.chance(0.25)) parents.push(index - 2 - random.below(2))
    if (index > 3 && random.chance(0.2)) parents[0] = index - 2
    const from = this.#versions[parents[0] ?? -1] ?? { name: 'file.c', lines: [] }
    const version = {
      name: random.chance(0.08) ? `file${index}.c` : from.name,
      lines: this.#edited(from.lines, parents.length > 1 ? this.#versions[parents[1] as number]?.lines : undefined, index),
    }
    this.#versions.push(version)
    const text = version.lines.map((line) => `${line}\n`).join('')
    const head = [`commit refs/heads/c${index}`, `mark :${index + 1}`, `committer A <a@example.org> ${1_000_000 + index * 10} +0000`, 'data 1', 'x']
    for (const [i, parent] of parents.entries()) head.push(`${i === 0 ? 'from' : 'merge'} :${parent + 1}`)
    return `${head.join('\n')}\ndeleteall\nM 100644 inline ${version.name}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  }

  #edited(lines: readonly string[], other: readonly string[] | undefined, index: number): string[] {
    const random = this.#random
    let out = [...lines]
    if (index === 0) return this.#some(40)
    // A merge takes some stretches as the other side has them.
    if (other !== undefined)
      for (let at = random.below(9); at < Math.min(out.length, other.length); at += 5 + random.below(9)) out.splice(at, 3, ...other.slice(at, at + 3))
    const kind = random.next()
    if (kind < 0.15) out = out.map((line) => (line === '' ? line : `  ${line}`))
    else if (kind < 0.25) out = out.map((line) => line.trim().replaceAll(' ', '  '))
    else if (kind < 0.35) out = out.map((line) => line.replaceAll('(', '( ').replace('x', 'xx'))
    for (let edits = random.below(4); edits > 0; edits--) {
      if (random.chance(0.25)) out.splice(random.below(out.length + 1), 0, ...out.splice(random.below(out.length), random.skewed(7)))
      else out.splice(random.below(out.length + 1), random.skewed(5), ...this.#some(random.skewed(5)))
    }
    return out
  }

  #some(count: number): string[] {
    const random = this.#random
    return Array.from({ length: count }, () =>
      random.pick(['', '}', '{', `call(x${random.below(50)})`, `int f${random.below(20)}(int x) {`, `return ${random.below(9)}`]),
    )
  }
}

const history = new OneFile(3, 60)
const store = DiskStore.open(history.gitDir)
afterAll(() => {
  store.close()
  history[Symbol.dispose]()
})

/** Line by line: commit, line there, name there. */
function gitBlame(commit: Oid, path: string, flags: readonly string[]): string[] {
  const porcelain = git(['blame', '--line-porcelain', ...flags, commit, '--', path], { cwd: history.gitDir }).toString()
  const heads = porcelain.match(/^[0-9a-f]{40} \d+ \d+|^filename .*|^(?:ignored|unblamable)$/gm) ?? []
  const lines: string[] = []
  for (const head of heads) {
    if (/^[0-9a-f]{40}/.test(head)) lines.push(head)
    else lines[lines.length - 1] += ` ${head.replace('filename ', '')}`
  }
  return lines
}

async function ourBlame(commit: Oid, path: string, options: BlameOptions): Promise<string[]> {
  const { groups } = await blame(new CommitSource(store), commit, path, options)
  return groups.flatMap((group) => Array.from({ length: group.count }, (_, i) => `${group.commit} ${group.originLine + i} ${group.line + i} ${group.path}`))
}

const at = (index: number): [Oid, string] => [history.commits[index] as Oid, history.names[index] as string]

describe('each line of a file that was edited, moved about, indented anew and merged', () => {
  const some = [5, 14, 22, 33, 41, 50, 58, 59]
  const ignored = (step: number) => history.commits.filter((_, i) => i % step === 2)

  test.each<[string, readonly string[], BlameOptions]>([
    ['as it stands', [], {}],
    ['whatever the blanks', ['-w'], { ignoredSpace: 'all' }],
    ['with a third of all commits ignored', ignored(3).map((oid) => `--ignore-rev=${oid}`), { ignoreRevisions: ignored(3) }],
    [
      'with a few commits ignored, whatever the blanks',
      ['-w', ...ignored(9).map((oid) => `--ignore-rev=${oid}`)],
      { ignoredSpace: 'all', ignoreRevisions: ignored(9) },
    ],
  ])(
    'comes from where git says it does: %s',
    async (_, flags, options) => {
      for (const index of some) {
        const [commit, path] = at(index)
        expect([index, await ourBlame(commit, path, options)]).toEqual([index, gitBlame(commit, path, flags)])
      }
    },
    PATIENCE,
  )

  test('is told once, in order, and what stands together in one group', async () => {
    const { groups, lineCount } = await blame(new CommitSource(store), ...at(59))
    let next = 1
    for (const [i, group] of groups.entries()) {
      expect(group.line).toBe(next)
      next += group.count
      const last = groups[i - 1]
      const goesOn = last !== undefined && last.commit === group.commit && last.path === group.path && last.originLine + last.count === group.originLine
      expect(goesOn).toBe(false)
    }
    expect(next - 1).toBe(lineCount)
  })

  test('is not told for a file over the limit', async () => {
    expect(await outcome(blame(new CommitSource(store), ...at(59), { maxFileBytes: 10 }))).toThrow('over the limit of 10')
  })

  test('is looked for no longer once nobody wants it', async () => {
    expect(await outcome(blame(new CommitSource(store), ...at(59), { signal: AbortSignal.abort(new Error('gone')) }))).toThrow('gone')
  })
})

describe('lines are matched by the pairs of letters that they share', () => {
  const print = (text: string) => fingerprintOf(new Lines(Buffer.from(text)), 0)
  const prints = (text: string) => {
    const lines = new Lines(Buffer.from(text))
    return Array.from({ length: lines.count }, (_, i) => fingerprintOf(lines, i))
  }

  test.each([
    ['abc', 'abc', 4],
    ['abc', 'ABC', 4],
    ['abc', 'xyz', 0],
    ['abc', 'abd', 2],
    ['abab', 'ab', 3],
    ['a b', 'b a', 4],
    ['', '', 0],
    ['', 'abc', 0],
  ])('%j and %j share %d', (a, b, expected) => {
    expect([similarity(print(a), print(b)), similarity(print(b), print(a))]).toEqual([expected, expected])
  })

  test('what is taken out of a fingerprint is gone from it, and never less than nothing', () => {
    const left = print('ababx')
    subtract(left, print('ab'))
    expect(similarity(left, print('ab'))).toBe(1)
    subtract(left, print('ababababx'))
    expect([...left.values()].every((count) => count > 0)).toBe(true)
  })

  test.each<[string, string, string, number[]]>([
    ['each with its like', 'alpha\nbeta\ngamma\n', 'alpha1\nbeta1\ngamma1\n', [0, 1, 2]],
    ['in order, though it changed', 'alpha\nbeta\n', 'beta2\nalpha2\n', [-1, 0]],
    ['none with nothing', '', 'alpha\n', [-1]],
    ['none with what has no like', 'alpha\n', '12345\n', [-1]],
    ['two with one', 'call(alpha, beta)\n', 'call(alpha,\n     beta)\n', [0, 0]],
    ['past one that is new', 'alpha\ngamma\n', 'alpha\nbrand new 123\ngamma\n', [0, -1, 1]],
  ])('%s', (_, before, after, expected) => {
    expect([...matchLines({ oldStart: 0, newStart: 0, old: prints(before), new: prints(after) })]).toEqual(expected)
  })
})
