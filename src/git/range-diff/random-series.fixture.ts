import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../../test/generate-history.ts'
import { git, initBare } from '../../../test/git-fixture.ts'
import { shuffled } from '../../../test/seeds.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import type { Series } from './range-diff.ts'

type Files = Map<string, string[]>

/** What one commit does, wherever it is applied. */
interface Work {
  message: string
  author: string
  edits: { path: string; after: string; drop: number; lines: string[] }[]
}

const words = ['open', 'close', 'read', 'write', 'seek', 'flush', 'stat', 'link', 'sync', 'lock', 'wait', 'poll']

/** A bare repository with commits on a base, and the same ones as somebody has reworked them on another: reordered, edited, dropped, split, new. */
export class RandomSeries {
  readonly gitDir = mkdtempSync(join(tmpdir(), 'pf-series-'))
  readonly before: Series
  readonly after: Series
  readonly store: DiskStore
  readonly #random: Random
  readonly #stream: string[] = []
  #marks = 0
  #lines = 0

  constructor(random: Random) {
    this.#random = random
    initBare(this.gitDir, 'main')
    const files: Files = new Map(['a.c', 'src/b.c', 'README.md', 'x y.txt'].map((path) => [path, this.#text(20 + random.below(60))]))
    const root = this.#commit(files, 'Base')
    const works = Array.from({ length: 1 + random.below(9) }, (_, i) => this.#work(files, i))
    const moved: Files = new Map([...files].map(([path, lines]) => [path, random.chance(0.5) ? [...this.#text(3), ...lines] : [...lines]]))
    const base = random.chance(0.3) ? root : this.#commit(moved, 'Main moved', root)
    const old = this.#series(files, works, root)
    const now = this.#series(base === root ? files : moved, this.#reworked(works, files), base)
    const refs = { a: root, b: old, c: base, d: now }
    for (const [name, mark] of Object.entries(refs)) this.#stream.push(`reset refs/heads/${name}\nfrom :${mark}\n\n`)
    git(['fast-import', '--quiet', '--force'], { cwd: this.gitDir, stdin: this.#stream.join('') })
    const oid = (name: string) => git(['rev-parse', name], { cwd: this.gitDir }).toString().trim() as Oid
    this.before = { base: oid('a'), head: oid('b') }
    this.after = { base: oid('c'), head: oid('d') }
    this.store = DiskStore.open(this.gitDir)
  }

  [Symbol.dispose](): void {
    this.store.close()
    rmSync(this.gitDir, { recursive: true, force: true })
  }

  #work(files: Files, number: number): Work {
    const random = this.#random
    const edits = Array.from({ length: random.below(4) }, () => {
      const path = random.chance(0.2) ? `new${random.below(5)}.txt` : random.pick([...files.keys()])
      return { path, after: random.pick(files.get(path) ?? ['']), drop: random.below(4), lines: this.#text(random.below(8)) }
    })
    const subject = `${random.pick(words)} ${random.pick(words)}${random.chance(0.7) ? ` ${number}` : ''}`
    const body = random.chance(0.4) ? `\n\n${this.#text(1 + random.below(4)).join('\n')}\twith a tab  \n\nEnd` : ''
    return { message: subject + body, author: random.pick(['Ada <ada@example.org>', 'Bob Ünal <bob@example.org>']), edits }
  }

  #reworked(works: readonly Work[], files: Files): Work[] {
    const random = this.#random
    const kept = works.filter(() => !random.chance(0.15))
    const ordered = random.chance(0.4) ? shuffled(random, kept) : kept
    if (ordered.length === 0) return [this.#work(files, 100)]
    return ordered.flatMap((work, i) => {
      const changed = random.chance(0.4) ? this.#perturbed(work) : work
      return random.chance(0.15) ? [this.#work(files, 100 + i), changed] : [changed]
    })
  }

  #perturbed(work: Work): Work {
    const random = this.#random
    const edits = work.edits.map((edit) => (random.chance(0.6) ? { ...edit, lines: [...edit.lines.slice(0, -1), ...this.#text(random.below(4))] } : edit))
    return { ...work, edits, message: random.chance(0.3) ? `${work.message}\n\nReviewed.` : work.message }
  }

  #series(files: Files, works: readonly Work[], base: number): number {
    const now: Files = new Map([...files].map(([path, lines]) => [path, [...lines]]))
    let at = base
    for (const { message, author, edits } of works) {
      for (const { path, after, drop, lines } of edits) {
        const text = now.get(path) ?? []
        text.splice(text.indexOf(after) + 1, drop, ...lines)
        now.set(path, text)
      }
      at = this.#commit(now, message, at, author)
    }
    return at
  }

  #text(count: number): string[] {
    const random = this.#random
    return Array.from({ length: count }, () => {
      if (random.chance(0.2)) return random.pick(['', '}', '{', '  return x', '@@ odd @@', ' ## odd ##'])
      return `${random.pick(['', '  ', '\t'])}${random.pick(words)}(${random.pick(words)}, ${random.chance(0.5) ? this.#lines++ : random.below(6)})`
    })
  }

  #commit(files: Files, message: string, from?: number, author = 'Ada <ada@example.org>'): number {
    const mark = ++this.#marks
    const when = `${1_700_000_000 + (this.#random.chance(0.3) ? 0 : mark * 60)} +0100`
    const parts = [`commit refs/heads/tmp\nmark :${mark}\nauthor ${author} ${when}\ncommitter ${author} ${when}\n${data(message)}`]
    if (from !== undefined) parts.push(`from :${from}\n`)
    parts.push('deleteall\n')
    for (const [path, lines] of files) parts.push(`M 100644 inline "${path}"\n${data(lines.map((line) => `${line}\n`).join(''))}`)
    this.#stream.push(parts.join(''), '\n')
    return mark
  }
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}
