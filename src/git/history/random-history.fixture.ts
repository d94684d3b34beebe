import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initBare } from '../../../test/git-fixture.ts'
import type { Oid } from '../objects/oid.ts'

export interface HistoryShape {
  seed: number
  commits: number
  /** Chance of a merge, of a third and further parents on a merge, of a root; of dates that go backwards or stand still. */
  merges?: number
  octopuses?: number
  roots?: number
  skew?: number
  equalDates?: number
  /** What the commits change. */
  paths?: readonly string[]
  /** Lines that every version of a file has besides its own first one, so that packs have deltas of it. */
  lines?: number
}

/** A bare repository with a made-up history, written by `git fast-import`; removed when disposed of. */
export class RandomHistory {
  readonly gitDir: string
  /** In the order they were made: parents first. */
  readonly oids: Oid[]
  readonly random: () => number

  constructor(shape: HistoryShape) {
    this.gitDir = mkdtempSync(join(tmpdir(), 'pf-history-'))
    this.random = randomFrom(shape.seed)
    initBare(this.gitDir)
    const marks = join(this.gitDir, 'marks')
    const stream = writeStream(shape, this.random)
    run(['git', 'fast-import', '--quiet', '--force', `--export-marks=${marks}`], this.gitDir, stream)
    this.oids = readMarks(marks)
  }

  /** Standard output of git; throws when git fails. */
  git(...args: string[]): string {
    return run(['git', ...args], this.gitDir)
  }

  lines(...args: string[]): string[] {
    return this.git(...args)
      .split('\n')
      .filter((line) => line !== '')
  }

  pick(): Oid {
    return this.oids[Math.floor(this.random() * this.oids.length)] as Oid
  }

  /** One of the later commits, which have more history below them. */
  pickLate(): Oid {
    return this.oids[Math.floor(this.oids.length * (0.7 + 0.3 * this.random()))] as Oid
  }

  [Symbol.dispose](): void {
    rmSync(this.gitDir, { recursive: true, force: true })
  }
}

/** mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function run(command: string[], cwd: string, stdin = ''): string {
  const result = Bun.spawnSync(command, { cwd, stdin: Buffer.from(stdin), env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: cwd } })
  if (!result.success) throw new Error(`${command.join(' ')}: ${result.stderr.toString()}`)
  return result.stdout.toString()
}

function readMarks(path: string): Oid[] {
  const oids: Oid[] = []
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const [mark, oid] = line.split(' ') as [string, string]
    oids[Number(mark.slice(1)) - 1] = oid as Oid
  }
  return oids
}

type Files = Map<string, string>

function writeStream(shape: HistoryShape, random: () => number): string {
  const states: Files[] = []
  const out: string[] = []
  let date = 1_000_000_000
  for (let i = 0; i < shape.commits; i++) {
    const parents = pickParents(i, shape, random)
    const files = edit(
      mix(
        parents.map((parent) => states[parent] as Files),
        random,
      ),
      random,
      shape.paths ?? allPaths,
      i,
    )
    states.push(files)
    if (random() >= (shape.equalDates ?? 0.2)) date += Math.floor(random() * 100)
    const shown = random() < (shape.skew ?? 0) ? date - Math.floor(random() * 3000) : date
    out.push(commit(i, parents, files, shown, shape.lines ?? 0))
  }
  return out.join('')
}

function pickParents(index: number, shape: HistoryShape, random: () => number): number[] {
  if (index === 0 || random() < (shape.roots ?? 0.01)) return []
  const recent = (): number => Math.max(0, index - 1 - Math.floor(random() * random() * 12))
  const parents = new Set([recent()])
  if (random() < (shape.merges ?? 0.3)) parents.add(recent())
  if (parents.size > 1) while (random() < (shape.octopuses ?? 0.1)) parents.add(recent())
  return [...parents]
}

function mix(states: Files[], random: () => number): Files {
  if (states.length < 2 || random() < 0.3) return new Map(states[0] ?? [])
  if (random() < 0.4) return new Map(states[states.length - 1])
  const mixed: Files = new Map()
  for (const path of new Set(states.flatMap((state) => [...state.keys()]))) {
    const content = (states[Math.floor(random() * states.length)] as Files).get(path)
    if (content !== undefined) put(mixed, path, content)
  }
  return mixed
}

/** Names that sort in git's way only, a file and a directory of one name, letters beyond ASCII. */
const allPaths = ['a', 'b', 'c.txt', 'd', 'd/x', 'd/e/y', 'd/e/z', 'f-g/h', 'ü/ñ']

function edit(files: Files, random: () => number, paths: readonly string[], index: number): Files {
  for (let edits = Math.floor(random() * 3); edits > 0; edits--) {
    const path = paths[Math.floor(random() * paths.length)] as string
    const choice = random()
    if (choice < 0.15) files.delete(path)
    else put(files, path, `${choice < 0.25 ? '100755' : choice < 0.3 ? '120000' : '100644'} ${choice < 0.5 ? 'same' : index}`)
  }
  return files
}

/** A file takes the place of a directory of its name, and the other way round. */
function put(files: Files, path: string, content: string): void {
  for (const other of [...files.keys()]) if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other)
  files.set(path, content)
}

function commit(index: number, parents: number[], files: Files, date: number, common: number): string {
  const ident = `A <a@example.org> ${date} +0000`
  const lines = ['reset refs/heads/main', '', 'commit refs/heads/main', `mark :${index + 1}`, `author ${ident}`, `committer ${ident}`, ...data(`c${index}`)]
  for (const parent of parents) lines.push(`${parent === parents[0] ? 'from' : 'merge'} :${parent + 1}`)
  lines.push('deleteall')
  for (const [path, content] of files) lines.push(`M ${content.split(' ')[0]} inline ${path}`, ...data(content.slice(7) + linesOf(path, common)))
  return `${lines.join('\n')}\n\n`
}

function linesOf(path: string, count: number): string {
  return Array.from({ length: count }, (_, line) => `\nline ${line} of ${path}, always the same`).join('')
}

function data(text: string): string[] {
  return [`data ${Buffer.byteLength(text)}`, text]
}
