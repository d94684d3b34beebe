import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initBare } from '../../../test/git-fixture.ts'
import { randomFrom } from '../history/random-history.fixture.ts'
import type { Oid } from '../objects/oid.ts'

/** A bare repository whose made-up commits rename, move, edit, retype and delete files on criss-crossing branches. */
export class RandomMerges {
  readonly gitDir = mkdtempSync(join(tmpdir(), 'pf-merges-'))
  /** In the order they were made: parents first. */
  readonly commits: Oid[]
  readonly #random: () => number
  readonly #isPlain: boolean
  readonly #states: Files[] = []
  #date = 1_000_000_000

  /** @param isPlain no links and no submodules, which would be in the way of checking commits out */
  constructor(seed: number, commits: number, isPlain = false) {
    this.#random = randomFrom(seed)
    this.#isPlain = isPlain
    initBare(this.gitDir)
    const stream: string[] = []
    for (let i = 0; i < commits; i++) stream.push(this.#commit(i))
    this.git(['fast-import', '--quiet', '--export-marks=marks'], Buffer.from(stream.join(''), 'latin1'))
    const marks = readFileSync(join(this.gitDir, 'marks'), 'utf8').trim().split('\n')
    this.commits = []
    for (const line of marks) this.commits[Number(line.slice(1, line.indexOf(' '))) - 1] = line.slice(line.indexOf(' ') + 1) as Oid
  }

  /** Standard output of git. @throws when it ends with a status above 1, as merges in conflict do */
  git(args: string[], stdin: Uint8Array = new Uint8Array()): Buffer {
    const result = Bun.spawnSync(['git', ...args], { cwd: this.gitDir, stdin, env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: this.gitDir } })
    if (result.exitCode > 1) throw new Error(`git ${args.join(' ')}: ${result.stderr.toString()}`)
    return result.stdout
  }

  /** Pairs of commits that have not too much in common. */
  pairs(count: number): [Oid, Oid][] {
    const pairs: [Oid, Oid][] = []
    while (pairs.length < count) {
      const at = Math.floor(this.#random() * this.commits.length)
      const other = Math.max(0, at - 1 - Math.floor(this.#random() * 9))
      if (at !== other)
        pairs.push(this.#random() < 0.5 ? [this.commits[at] as Oid, this.commits[other] as Oid] : [this.commits[other] as Oid, this.commits[at] as Oid])
    }
    return pairs
  }

  [Symbol.dispose](): void {
    rmSync(this.gitDir, { recursive: true, force: true })
  }

  #commit(index: number): string {
    const parents = this.#pickParents(index)
    const files = this.#mix(parents)
    if (index === 0) for (let i = 0; i < 14; i++) this.#add(files)
    for (let edits = 1 + this.#below(3); edits > 0; edits--) this.#edit(files)
    this.#states.push(files)
    return commitText(index, parents, files, (this.#date += this.#below(3)))
  }

  #pickParents(index: number): number[] {
    if (index === 0) return []
    const recent = (): number => Math.max(0, index - 1 - this.#below(5))
    const parents = new Set([recent()])
    if (this.#random() < 0.45) parents.add(recent())
    return [...parents]
  }

  /** Merges take each path from either parent. */
  #mix(parents: number[]): Files {
    const states = parents.map((parent) => this.#states[parent])
    if (states.length < 2) return new Map(states[0] ?? [])
    const mixed: Files = new Map()
    for (const path of new Set(states.flatMap((state) => [...(state?.keys() ?? [])]))) {
      const file = (states[this.#random() < 0.6 ? 0 : 1] as Files).get(path)
      if (file !== undefined) put(mixed, path, file)
    }
    return mixed
  }

  #edit(files: Files): void {
    const paths = [...files.keys()]
    if (paths.length < 5) return this.#add(files)
    const path = paths[this.#below(paths.length)] as string
    const file = files.get(path) as File
    const choice = this.#random()
    if (choice < 0.34) files.set(path, { ...file, content: this.#change(file) })
    else if (choice < 0.52) this.#move(files, path, this.#newPath(path))
    else if (choice < 0.66) this.#moveDirectory(files, path)
    else if (choice < 0.76) files.delete(path)
    else if (choice < 0.82) files.set(path, { ...file, mode: file.mode === '100644' ? '100755' : '100644' })
    else if (choice < 0.86) files.set(path, this.#special())
    else this.#add(files)
  }

  #move(files: Files, from: string, to: string): void {
    const file = files.get(from)
    // Another file may have taken the place of the directory meanwhile.
    if (file === undefined) return
    files.delete(from)
    put(files, to, this.#random() < 0.5 ? file : { ...file, content: this.#change(file) })
  }

  #moveDirectory(files: Files, path: string): void {
    const from = path.includes('/') ? path.slice(0, path.indexOf('/', this.#random() < 0.5 ? 0 : path.lastIndexOf('/'))) : 'd1'
    const to = this.#random() < 0.3 ? `${this.#pick(directories)}/${this.#pick(directories)}` : this.#pick(directories)
    if (to === from || to.startsWith(`${from}/`)) return
    for (const inside of [...files.keys()].filter((other) => other.startsWith(`${from}/`))) {
      if (this.#random() < 0.9) this.#move(files, inside, to + inside.slice(from.length))
    }
  }

  #newPath(path: string): string {
    const name = this.#random() < 0.5 ? path.slice(path.lastIndexOf('/') + 1) : this.#pick(names)
    return this.#random() < 0.2 ? name : `${this.#pick(directories)}/${name}`
  }

  #add(files: Files): void {
    const [kind, path] = [this.#random(), this.#newPath('f1')]
    const content = kind < 0.1 ? `\0binary${this.#below(9)}` : this.#lines(4 + this.#below(16))
    put(files, path, kind > 0.93 ? this.#special() : { mode: '100644', content })
  }

  /** A link or a submodule. */
  #special(): File {
    if (this.#isPlain) return { mode: '100755', content: this.#lines(6) }
    return this.#random() < 0.6 ? { mode: '120000', content: `to${this.#below(3)}` } : { mode: '160000', content: `${1 + this.#below(3)}`.repeat(40) }
  }

  #change(file: File): string {
    if (file.mode === '120000') return `to${this.#below(3)}`
    if (file.mode === '160000') return `${1 + this.#below(3)}`.repeat(40)
    if (file.content.startsWith('\0')) return `\0binary${this.#below(9)}`
    const lines = file.content.split('\n').slice(0, -1)
    lines.splice(this.#below(lines.length + 1), this.#below(3), ...this.#lines(this.#below(3)).split('\n').slice(0, -1))
    return lines.map((line) => `${line}\n`).join('')
  }

  #lines(count: number): string {
    return Array.from({ length: count }, () => `line ${this.#below(this.#random() < 0.5 ? 6 : 1000)}\n`).join('')
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
}

interface File {
  mode: string
  /** The bytes as latin1; of a submodule, its commit's id. */
  content: string
}

type Files = Map<string, File>

const directories = ['d1', 'd1/s', 'd2', 'd2/s/t', 'd3', 'd-3', 'f1']
const names = ['f1', 'f2', 'f3', 'g-1', 'g', 'd1', 's', '\xc3\xbc', '\xff']

/** A file takes the place of a directory of its name, and the other way round. */
function put(files: Files, path: string, file: File): void {
  for (const other of [...files.keys()]) if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other)
  files.set(path, file)
}

function commitText(index: number, parents: number[], files: Files, date: number): string {
  const who = `A <a@example.org> ${date} +0000`
  const lines = [
    `reset refs/heads/c${index}`,
    `commit refs/heads/c${index}`,
    `mark :${index + 1}`,
    `author ${who}`,
    `committer ${who}`,
    `data ${String(index).length + 1}`,
    `c${index}`,
  ]
  for (const parent of parents) lines.push(`${parent === parents[0] ? 'from' : 'merge'} :${parent + 1}`)
  lines.push('deleteall')
  for (const [path, { mode, content }] of files) {
    const name = `"${path.replace(/[\x80-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8)}`)}"`
    if (mode === '160000') lines.push(`M ${mode} ${content} ${name}`)
    else lines.push(`M ${mode} inline ${name}`, `data ${content.length}`, content)
  }
  return `${lines.join('\n')}\n\n`
}
