import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { git, gitEnvironment } from './git.ts'

/** What a generated repository shall look like. The same options give the same object ids, wherever and whenever. */
export interface HistoryOptions {
  seed?: number
  /** Commits on all branches together; each makes about eight objects. */
  commits?: number
  /** Files the first commits create; more come with time. */
  files?: number
  /** Branches besides those the history makes by itself, each at some commit. */
  extraBranches?: number
  /** Size of the one big binary; 0 makes none. */
  bigFileBytes?: number
  /** Packs again with searched deltas, as a repository in use is packed; slower. */
  repack?: boolean
}

export interface GeneratedHistory {
  path: string
  commits: number
  objects: number
  /** Bytes of packs on disk. */
  packBytes: number
}

const defaults = { seed: 1, commits: 9_500, files: 900, extraBranches: 0, bigFileBytes: 4 << 20, repack: false }

/**
 * Writes a bare repository with the shape of a real one at `path` (which must not exist): merges and octopuses, long-lived
 * and short branches, annotated and light tags, deep and wide directories, files that grow edit by edit, binaries, renames,
 * symlinks, executables, a submodule, names beyond ASCII, an empty commit and a second root.
 */
export async function generateHistory(path: string, options: HistoryOptions = {}): Promise<GeneratedHistory> {
  const wanted = { ...defaults, ...options }
  mkdirSync(path, { recursive: true })
  await git(['init', '--quiet', '--bare', '--initial-branch=main', path])
  const stream = new FastImport(path)
  await new Story(stream, wanted).tell()
  await stream.end()
  if (wanted.repack) await git(['repack', '-adfq', '--depth=50', '--window=10'], { cwd: path })
  const counts = new Map((await git(['count-objects', '-v'], { cwd: path })).split('\n').map((line) => line.split(': ') as [string, string]))
  return { path, commits: wanted.commits, objects: Number(counts.get('in-pack')), packBytes: Number(counts.get('size-pack')) * 1024 }
}

/**
 * Adds `count` commits to `branch` of a repository, each editing files that are there; for fetches and pushes of what is new.
 * Returns the id of the last.
 */
export async function appendCommits(path: string, branch: string, count: number, seed = 1): Promise<string> {
  const random = new Random(seed)
  const words = new Words(random)
  const paths = await filePaths(path, branch)
  const stream = new FastImport(path)
  const time = Number(await git(['log', '-1', '--format=%ct', branch], { cwd: path }))
  for (let i = 1; i <= count; i++) {
    const parent = i === 1 ? `from refs/heads/${branch}^0\n` : ''
    await stream.write(`commit refs/heads/${branch}\n${signature(random, time + i * 60)}${data(words.sentence())}${parent}`)
    for (let n = 0; n < 2; n++) await stream.write(fileLine('100644', random.pick(paths), words.lines(random.below(60) + 20).join('')))
  }
  await stream.end()
  return git(['rev-parse', branch], { cwd: path })
}

async function filePaths(path: string, branch: string): Promise<string[]> {
  const entries = (await git(['ls-tree', '-r', '-z', branch], { cwd: path })).split('\0')
  return entries.filter((entry) => entry.startsWith('100644')).map((entry) => entry.slice(entry.indexOf('\t') + 1))
}

/** A `git fast-import` that is fed as it reads. */
class FastImport {
  readonly #process
  readonly #pending: (string | Uint8Array)[] = []
  #size = 0

  constructor(path: string) {
    this.#process = Bun.spawn(['git', '-C', path, '-c', 'core.fsync=none', 'fast-import', '--quiet', '--force', '--active-branches=64'], {
      env: gitEnvironment,
      stdin: 'pipe',
      stderr: 'pipe',
    })
  }

  async write(piece: string | Uint8Array): Promise<void> {
    this.#pending.push(piece)
    this.#size += piece.length
    if (this.#size > 1 << 18) await this.#send()
  }

  async end(): Promise<void> {
    await this.#send()
    await this.#process.stdin.end()
    if ((await this.#process.exited) !== 0) throw new Error(`git fast-import failed: ${await new Response(this.#process.stderr).text()}`)
  }

  async #send(): Promise<void> {
    for (const piece of this.#pending.splice(0)) this.#process.stdin.write(piece)
    this.#size = 0
    await this.#process.stdin.flush()
  }
}

/** mulberry32: small, fast, and the same everywhere. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** Small numbers far more often than great ones, as edits and words are spread. */
  skewed(limit: number): number {
    return Math.floor(this.next() ** 3 * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  bytes(length: number): Uint8Array {
    const out = new Uint32Array(Math.ceil(length / 4))
    for (let i = 0; i < out.length; i++) out[i] = this.next() * 2 ** 32
    return new Uint8Array(out.buffer, 0, length)
  }
}

/** Text that compresses about as well as source code does. */
class Words {
  readonly #random: Random
  readonly #words: string[]

  constructor(random: Random) {
    this.#random = random
    const syllables = ['ta', 'ren', 'mi', 'co', 'del', 'su', 'por', 'va', 'nex', 'lo', 'gri', 'the', 'ban', 'u', 'ke', 'sor']
    this.#words = Array.from({ length: 1500 }, () => Array.from({ length: 1 + random.below(4) }, () => random.pick(syllables)).join(''))
  }

  word(): string {
    return this.#words[this.#random.skewed(this.#words.length)] as string
  }

  line(): string {
    const text = Array.from({ length: 2 + this.#random.below(7) }, () => this.word()).join(' ')
    return `${'  '.repeat(this.#random.below(4))}${text}${this.#random.pick([';', ' {', '}', ',', ' = 0', '()'])}\n`
  }

  lines(count: number): string[] {
    return Array.from({ length: count }, () => this.line())
  }

  sentence(): string {
    const text = Array.from({ length: 3 + this.#random.below(6) }, () => this.word()).join(' ')
    return `${(text[0] as string).toUpperCase()}${text.slice(1)}\n${this.#random.chance(0.3) ? `\n${this.lines(3).join('')}` : ''}`
  }
}

const people = ['Ada Lovelace', 'Grace Hopper', 'Søren Ærø', '山田 太郎', 'Zoë Quaß', 'Linus T.', "Miles O'Brien", 'Ítalo Núñez', 'bot'].flatMap((name) =>
  ['example.com', 'example.org', 'mail.example'].map(
    (host, index) => `${name}${index || ''} <${encodeURIComponent(name).toLowerCase().slice(0, 20)}${index}@${host}>`,
  ),
)

function signature(random: Random, time: number): string {
  const zone = () => random.pick(['+0000', '+0100', '-0700', '+0530', '+1245'])
  return `author ${random.pick(people)} ${time - random.skewed(86_400)} ${zone()}\ncommitter ${random.pick(people)} ${time} ${zone()}\n`
}

function data(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}\n`
}

function fileLine(mode: string, path: string, content: string): string {
  return `M ${mode} inline ${quoted(path)}\n${data(content)}`
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&')}"`
}

interface Branch {
  name: string
  /** Mark of its last commit. */
  tip: number
  /** False until its first commit, which must say where it forks off. */
  isBorn: boolean
  /** Files that differ from main's. */
  changed: Map<string, string[]>
}

const MAX_LIVE_BRANCHES = 8

/** Makes up one history and writes it down. */
class Story {
  readonly #out: FastImport
  readonly #options: Required<HistoryOptions>
  readonly #random: Random
  readonly #words: Words
  readonly #files = new Map<string, string[]>()
  readonly #directories: string[] = ['']
  readonly #main: Branch = { name: 'refs/heads/main', tip: 0, isBorn: true, changed: new Map() }
  #paths: string[] = []
  #live: Branch[] = []
  #mark = 0
  #time = 1_300_000_000
  #count = 0

  constructor(out: FastImport, options: Required<HistoryOptions>) {
    this.#out = out
    this.#options = options
    this.#random = new Random(options.seed)
    this.#words = new Words(this.#random)
    for (let i = 0; i < 80; i++) this.#directories.push(`${this.#random.pick(this.#directories.slice(-40))}${this.#words.word()}${i}/`)
  }

  async tell(): Promise<void> {
    const { commits, files } = this.#options
    await this.#start(Math.min(files, 200))
    await this.#addOddities()
    while (this.#count < commits) {
      if (this.#paths.length < files) await this.#editFiles(this.#main, 12, 0.8)
      else if (this.#live.length > 1 && this.#random.chance(0.05)) await this.#merge()
      else await this.#editFiles(this.#random.chance(0.3) ? this.#someBranch() : this.#main, 1 + this.#random.skewed(5), 0.06)
      if (this.#count % Math.max(20, Math.ceil(commits / 80)) === 0) await this.#tag()
    }
    await this.#startSecondRoot()
    for (let i = 0; i < this.#options.extraBranches; i++) await this.#point(`refs/heads/topic/${i % 100}/${i}`, 1 + this.#random.below(this.#main.tip))
  }

  async #start(files: number): Promise<void> {
    await this.#commit(this.#main, 'Start\n')
    for (let i = 0; i < files; i++) await this.#writeNewFile(this.#main)
  }

  /** What a server must also carry, each kind once: the list in the docstring of `generateHistory`. */
  async #addOddities(): Promise<void> {
    await this.#commit(this.#main, 'An empty commit\n')
    await this.#commit(this.#main, 'Add what is rare: links, programs, a submodule, names beyond ASCII\n')
    const { lib, link } = { lib: 'vendor/lib', link: 'docs/latest' }
    await this.#put('120000', link, 'grüße.md')
    await this.#put('100755', 'bin/run', '#!/bin/sh\necho run\n')
    await this.#put('100644', '.gitmodules', `[submodule "lib"]\n\tpath = ${lib}\n\turl = https://example.com/lib.git\n`)
    await this.#out.write(`M 160000 ${'1234567890'.repeat(4)} ${lib}\n`)
    for (const name of ['docs/grüße.md', 'docs/日本語/説明.md', 'docs/🦊 "quoted" back\\slash.txt', `deep/${'level/'.repeat(40)}end.txt`, 'empty']) {
      await this.#put('100644', name, name === 'empty' ? '' : this.#words.lines(5).join(''))
    }
    for (let i = 0; i < 1200; i++) await this.#put('100644', `wide/case-${i}.txt`, `case ${i}\n${this.#words.line()}`)
    for (let i = 0; i < 12; i++) await this.#putBytes(`assets/image-${i}.bin`, this.#random.bytes(2_000 + this.#random.skewed(60_000)))
    if (this.#options.bigFileBytes > 0) await this.#putBytes('assets/big.bin', this.#random.bytes(this.#options.bigFileBytes))
    this.#files.set('CHANGES.ts', this.#words.lines(4000))
    this.#paths.push('CHANGES.ts')
  }

  async #editFiles(branch: Branch, edits: number, shareOfNew: number): Promise<void> {
    await this.#commit(branch, this.#words.sentence())
    const done = new Set<string>()
    for (let i = 0; i < edits; i++) {
      if (this.#random.chance(shareOfNew)) done.add(await this.#writeNewFile(branch))
      else if (branch === this.#main && this.#random.chance(0.02)) await this.#renameOrRemove(done)
      else await this.#editFile(branch, this.#random.pick(this.#random.chance(0.2) ? this.#paths.slice(0, 60) : this.#paths), done)
    }
  }

  async #writeNewFile(branch: Branch): Promise<string> {
    const path = `${this.#random.pick(this.#directories)}${this.#words.word()}-${this.#paths.length}.ts`
    this.#paths.push(path)
    await this.#store(branch, path, this.#words.lines(10 + this.#random.skewed(300)))
    return path
  }

  async #editFile(branch: Branch, path: string, done: Set<string>): Promise<void> {
    const lines = branch.changed.get(path) ?? this.#files.get(path)
    if (!lines || done.has(path)) return
    done.add(path)
    const next = lines.slice()
    for (let i = this.#random.skewed(6); i >= 0; i--) {
      const removed = this.#random.chance(next.length > 300 ? 0.9 : 0.4) ? 1 + this.#random.skewed(4) : 0
      next.splice(this.#random.below(next.length), removed, ...this.#words.lines(1 + this.#random.skewed(4)))
    }
    await this.#store(branch, path, next)
  }

  async #store(branch: Branch, path: string, lines: string[]): Promise<void> {
    if (branch === this.#main) this.#files.set(path, lines)
    else branch.changed.set(path, lines)
    await this.#put('100644', path, lines.join(''))
  }

  async #renameOrRemove(done: Set<string>): Promise<void> {
    const index = this.#random.below(this.#paths.length)
    const path = this.#paths[index] as string
    const lines = this.#files.get(path)
    if (!lines || done.has(path)) return
    const renamed = `${this.#random.pick(this.#directories)}moved-${this.#count}-${index}.ts`
    this.#paths[index] = renamed
    this.#files.delete(path)
    await this.#out.write(`D ${quoted(path)}\n`)
    await this.#store(this.#main, renamed, this.#random.chance(0.3) ? this.#words.lines(20) : lines)
    done.add(renamed)
  }

  #someBranch(): Branch {
    if (this.#live.length > 0 && (this.#live.length >= MAX_LIVE_BRANCHES || this.#random.chance(0.85))) return this.#random.pick(this.#live)
    const branch = { name: `refs/heads/feature/${this.#words.word()}-${this.#count}`, tip: this.#main.tip, isBorn: false, changed: new Map<string, string[]>() }
    this.#live.push(branch)
    return branch
  }

  /** Takes one branch, or sometimes three at once, into main. */
  async #merge(): Promise<void> {
    const merged = this.#live.splice(0, this.#random.chance(0.05) ? 3 : 1).filter((branch) => branch.isBorn)
    if (merged.length === 0) return
    await this.#commit(this.#main, `Merge ${merged.map((branch) => `'${branch.name.slice(11)}'`).join(', ')}\n`, merged)
    const changed = new Map(merged.flatMap((branch) => [...branch.changed]))
    for (const [path, lines] of changed) await this.#store(this.#main, path, lines)
  }

  async #commit(branch: Branch, message: string, merged: Branch[] = []): Promise<void> {
    this.#time += 60 + this.#random.skewed(20_000)
    const from = branch.isBorn ? '' : `from :${branch.tip}\n`
    branch.isBorn = true
    branch.tip = ++this.#mark
    this.#count++
    const parents = from + merged.map((other) => `merge :${other.tip}\n`).join('')
    await this.#out.write(`commit ${branch.name}\nmark :${this.#mark}\n${signature(this.#random, this.#time)}${data(message)}${parents}`)
  }

  async #tag(): Promise<void> {
    const name = `v${Math.floor(this.#count / 1000)}.${this.#count % 1000}`
    if (this.#random.chance(0.3)) return this.#point(`refs/tags/light-${name}`, this.#main.tip)
    await this.#out.write(`tag ${name}\nfrom :${this.#main.tip}\ntagger ${this.#random.pick(people)} ${this.#time} +0000\n${data(`Release ${name}\n`)}`)
  }

  async #startSecondRoot(): Promise<void> {
    await this.#commit({ name: 'refs/heads/pages', tip: 0, isBorn: true, changed: new Map() }, 'A history of its own\n')
    await this.#put('100644', 'index.html', '<!doctype html>\n')
  }

  async #point(ref: string, mark: number): Promise<void> {
    await this.#out.write(`reset ${ref}\nfrom :${mark}\n\n`)
  }

  async #put(mode: string, path: string, content: string): Promise<void> {
    await this.#out.write(fileLine(mode, path, content))
  }

  async #putBytes(path: string, content: Uint8Array): Promise<void> {
    await this.#out.write(`M 100644 inline ${path}\ndata ${content.length}\n`)
    await this.#out.write(content)
    await this.#out.write('\n')
  }
}

const usage = 'Usage: bun test/generate-history.ts PATH [--seed N] [--commits N] [--files N] [--extra-branches N] [--big-file-bytes N] [--repack]'

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const options = { seed: text, commits: text, files: text, 'extra-branches': text, 'big-file-bytes': text, repack: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (positionals.length !== 1) throw new Error(usage)
  const number = (value: string | undefined, fallback: number) => (value === undefined ? fallback : Number(value))
  const made = await generateHistory(positionals[0] as string, {
    seed: number(values.seed, defaults.seed),
    commits: number(values.commits, defaults.commits),
    files: number(values.files, defaults.files),
    extraBranches: number(values['extra-branches'], defaults.extraBranches),
    bigFileBytes: number(values['big-file-bytes'], defaults.bigFileBytes),
    repack: values.repack === true,
  })
  console.log(`${made.path}: ${made.commits} commits, ${made.objects} objects, ${(made.packBytes / 2 ** 20).toFixed(1)} MiB`)
}

if (import.meta.main) await main()
