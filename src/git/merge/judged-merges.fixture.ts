import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git, initBare } from '../../../test/git-fixture.ts'
import type { Oid } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { type Conflict, Merger } from './merge-commits.ts'

/** What a merge comes to, as `git merge-tree` prints it. */
export interface Outcome {
  isClean: boolean
  tree: string
  /** Mode, id, stage and path of every version in conflict. */
  stages: string[]
}

/** Git's answers to all pairs, out of one process. */
export function gitOutcomes(gitDir: string, pairs: readonly (readonly [Oid, Oid])[], ...settings: string[]): Outcome[] {
  const input = Buffer.from(pairs.map(([ours, theirs]) => `${ours} ${theirs}\n`).join(''))
  const args = [...settings, 'merge-tree', '--write-tree', '--stdin', '--no-messages', '--allow-unrelated-histories']
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], { cwd: gitDir, stdin: input, env })
  // 1 stands for conflicts; none at all for a process that was killed.
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`git merge-tree: ${stderr}`)
  const fields = stdout.toString('latin1').split('\0')
  let at = 0
  return pairs.map(() => {
    const outcome: Outcome = { isClean: fields[at++] === '1', tree: fields[at++] as string, stages: [] }
    while (at < fields.length && fields[at] !== '') outcome.stages.push(fields[at++] as string)
    at++
    return outcome
  })
}

export function ourOutcome(store: ObjectReader, [ours, theirs]: readonly [Oid, Oid], diff3 = false): Outcome {
  const merger = new Merger(store, undefined, { labels: { ours, theirs }, diff3 })
  const { isClean, tree, conflicts } = finish(merger.mergeCommits(ours, theirs))
  return { isClean, tree, stages: conflicts.flatMap(stageLines) }
}

function stageLines({ path, rawPath, stages }: Conflict): string[] {
  const name = Buffer.from(rawPath ?? Buffer.from(path)).toString('latin1')
  return stages.map(({ stage, mode, oid }) => `${mode.toString(8).padStart(6, '0')} ${oid} ${stage}\t${name}`)
}

/** Paths, and what lies there: a mode, a blank, and the content (of a submodule, its commit). */
export type Version = Readonly<Record<string, string>>
export type Triple = readonly [base: Version, ours: Version, theirs: Version]

/** A repository of many merges that have nothing to do with one another: a base and two commits on it for each. */
export class ManyMerges {
  readonly gitDir = mkdtempSync(join(tmpdir(), 'pf-merges-'))
  readonly pairs: [Oid, Oid][]

  constructor(triples: readonly Triple[]) {
    initBare(this.gitDir)
    const stream = triples.map((triple, at) => triple.map((version, side) => commitOf(version, at * 3, side)).join('')).join('')
    git(['fast-import', '--quiet', '--export-marks=marks'], { cwd: this.gitDir, stdin: stream })
    const asked = triples.map((_, at) => `refs/heads/s${at * 3 + 1}\nrefs/heads/s${at * 3 + 2}\n`).join('')
    const found = git(['cat-file', '--batch-check=%(objectname)'], { cwd: this.gitDir, stdin: asked }).toString().trim().split('\n') as Oid[]
    this.pairs = triples.map((_, at) => [found[at * 2] as Oid, found[at * 2 + 1] as Oid])
  }

  [Symbol.dispose](): void {
    rmSync(this.gitDir, { recursive: true, force: true })
  }
}

/** Side 0 is the base of the other two. */
function commitOf(version: Version, first: number, side: number): string {
  const lines = [`commit refs/heads/s${first + side}`, `mark :${first + side + 1}`, 'committer A <a@example.org> 1000 +0000', 'data 1', 'x']
  if (side > 0) lines.push(`from :${first + 1}`)
  lines.push('deleteall')
  for (const [path, entry] of Object.entries(version)) {
    const [mode, content] = [entry.slice(0, 6), entry.slice(7)]
    if (mode === '160000') lines.push(`M ${mode} ${content} ${path}`)
    else lines.push(`M ${mode} inline ${path}`, `data ${Buffer.byteLength(content)}`, content)
  }
  return `${lines.join('\n')}\n\n`
}
