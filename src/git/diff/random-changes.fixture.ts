import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../../../test/generate-history.ts'
import { git, gitDiffTrees, initBare } from '../../../test/git-fixture.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'

interface MadeFile {
  mode: string
  content: Buffer
}

/**
 * A bare repository with commits that change what diffs are about: edits of every size, moves, copies, modes, binaries, links,
 * submodules, lines of blanks only, repeated lines, lost line breaks at the end, names that git quotes. Gone when disposed of.
 */
export class RandomChanges {
  readonly gitDir = mkdtempSync(join(tmpdir(), 'pf-changes-'))
  /** In the order they were made; each has the one before as its parent. */
  readonly commits: Oid[]
  readonly store: DiskStore
  readonly #random: Random
  readonly #trees = new Map<Oid, Oid>()
  readonly #files = new Map<string, MadeFile>()

  constructor(seed: number, commits: number) {
    this.#random = new Random(seed)
    initBare(this.gitDir, 'main')
    const stream = Array.from({ length: commits }, (_, number) => this.#commit(number))
    git(['fast-import', '--quiet', '--force'], { cwd: this.gitDir, stdin: Buffer.concat(stream) })
    const rows = this.git('log', '--reverse', '--format=%H %T', 'main').trim().split('\n')
    for (const row of rows) this.#trees.set(row.slice(0, 40) as Oid, row.slice(41) as Oid)
    this.commits = [...this.#trees.keys()]
    this.store = DiskStore.open(this.gitDir)
  }

  git(...args: string[]): string {
    return this.bytes(...args).toString()
  }

  bytes(...args: string[]): Buffer {
    return git(args, { cwd: this.gitDir })
  }

  tree(commit: Oid): Oid {
    const tree = this.#trees.get(commit)
    if (tree === undefined) throw new Error(`${commit} is none of these commits`)
    return tree
  }

  /** What `git diff-tree` prints of each of these pairs of commits, or of trees. */
  diffs(pairs: readonly (readonly [Oid, Oid])[], ...args: string[]): Buffer[] {
    const trees = pairs.map(([from, to]) => [this.#trees.get(from) ?? from, this.#trees.get(to) ?? to] as const)
    return gitDiffTrees(this.gitDir, trees, args)
  }

  /** Neighbours, and some that lie further apart. */
  pairs(): [Oid, Oid][] {
    return this.commits.slice(1).map((commit, at) => [this.commits[at % 5 === 0 ? Math.max(0, at - 7) : at] as Oid, commit])
  }

  [Symbol.dispose](): void {
    this.store.close()
    rmSync(this.gitDir, { recursive: true, force: true })
  }

  #commit(number: number): Buffer {
    const who = `Ada <ada@example.org> ${1_700_000_000 + number * 60} +0100`
    const message = `Change ${number}\n\nWhy it changed.\n`
    for (let edits = number === 0 ? 25 : 1 + this.#random.below(8); edits > 0; edits--) this.#edit(number)
    const head = `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n${message}\ndeleteall\n`
    return Buffer.concat([Buffer.from(head), ...[...this.#files].flatMap(([path, file]) => fileCommand(path, file)), Buffer.from('\n')])
  }

  #edit(number: number): void {
    const random = this.#random
    const path = this.#files.size === 0 ? undefined : random.pick([...this.#files.keys()])
    const file = path === undefined ? undefined : this.#files.get(path)
    if (path === undefined || file === undefined || this.#files.size < 12 || random.chance(0.15)) return this.#put(this.#newPath(number), this.#newFile())
    if (random.chance(0.1)) return void this.#files.delete(path)
    if (random.chance(0.1)) return this.#put(path, { ...file, mode: file.mode === '100644' ? '100755' : '100644', content: file.content })
    if (random.chance(0.25)) {
      if (random.chance(0.7)) this.#files.delete(path)
      return this.#put(this.#movedPath(path, number), this.#edited(file, random.chance(0.5) ? 0 : 4))
    }
    this.#put(path, this.#edited(file, 1 + random.skewed(12)))
  }

  #put(path: string, file: MadeFile): void {
    for (const other of [...this.#files.keys()]) if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) this.#files.delete(other)
    this.#files.set(path, file)
  }

  #newPath(number: number): string {
    const random = this.#random
    const name = random.pick(['a.c', 'main.py', 'grüße.md', 'with blank', 'tab\there', 'quo"te', 'back\\slash', 'new\nline', 'Makefile', 'a.b.c'])
    return `${random.pick(['', 'src/', 'src/deep/er/', 'ü/', 'x y/'])}${random.chance(0.4) ? number : ''}${name}`
  }

  #movedPath(path: string, number: number): string {
    return this.#random.chance(0.5) ? `moved${this.#random.below(3)}/${path.slice(path.lastIndexOf('/') + 1)}` : this.#newPath(number)
  }

  #newFile(): MadeFile {
    const random = this.#random
    if (random.chance(0.06)) return { mode: '120000', content: Buffer.from(`target${random.below(4)}`) }
    if (random.chance(0.04)) return { mode: '160000', content: Buffer.from(random.below(1e9).toString(16).padStart(40, '1')) }
    if (random.chance(0.08)) return { mode: '100644', content: Buffer.concat([random.bytes(random.skewed(9000)), Buffer.from('\0')]) }
    return { mode: '100644', content: Buffer.from(this.#lines(random.skewed(120)).join('')) }
  }

  #edited(file: MadeFile, edits: number): MadeFile {
    const random = this.#random
    if (file.mode === '160000') return { ...file, content: Buffer.from(random.below(1e9).toString(16).padStart(40, '2')) }
    if (file.content.includes(0)) return edits === 0 ? file : { ...file, content: Buffer.concat([file.content, random.bytes(20), Buffer.from('\0')]) }
    const lines = file.content.toString().split(/(?<=\n)/)
    for (let i = 0; i < edits; i++) {
      const at = random.below(lines.length + 1)
      if (random.chance(0.15)) lines.splice(random.below(lines.length + 1), 0, ...lines.slice(at, at + random.skewed(8)))
      else lines.splice(at, random.skewed(5), ...this.#lines(random.skewed(5)))
    }
    const text = lines.map((line, at) => (line.endsWith('\n') || at === lines.length - 1 ? line : `${line}\n`)).join('')
    return { ...file, content: Buffer.from(edits > 0 && random.chance(0.1) ? text.replace(/\n$/, '') : text) }
  }

  /** Few different lines, so that many are the same. */
  #lines(count: number): string[] {
    const random = this.#random
    const line = (): string => {
      if (random.chance(0.15)) return random.pick(['\n', '  \n', '\t\n', '\r\n'])
      const text = random.pick(['}', '{', 'return x', `int f${random.below(30)}(void)`, 'if (a) {', 'x = 1', 'else', `word ${random.below(200)}`])
      return `${random.pick(['', '', '  ', '    ', '\t', '\t\t'])}${text}${random.pick(['', '', '', ' ', '\r'])}\n`
    }
    return Array.from({ length: count }, line)
  }
}

function fileCommand(path: string, { mode, content }: MadeFile): Buffer[] {
  const quoted = `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
  if (mode === '160000') return [Buffer.from(`M 160000 ${content} ${quoted}\n`)]
  return [Buffer.from(`M ${mode} inline ${quoted}\ndata ${content.length}\n`), content, Buffer.from('\n')]
}
