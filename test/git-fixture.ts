import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs stock git and returns what it prints; throws with its complaint when it fails. */
export function git(args: readonly string[], options: { cwd?: string; stdin?: string | Uint8Array; env?: Record<string, string> } = {}): Buffer {
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...options.env }
  const stdin = options.stdin === undefined ? undefined : Buffer.from(options.stdin)
  const ran = Bun.spawnSync(['git', ...args], { cwd: options.cwd, stdin, env: environment })
  if (ran.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr.toString()}`)
  return ran.stdout
}

/** Makes `path` a bare repository, as `git init --bare` does but without hooks and without a process. The directory may be there. */
export function initBare(path: string, branch = 'master'): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']) mkdirSync(join(path, folder), { recursive: true })
  writeFileSync(join(path, 'HEAD'), `ref: refs/heads/${branch}\n`)
  writeFileSync(join(path, 'config'), '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n')
}

/** What `git diff-tree` prints for each pair of trees. One process compares all of them, as each process takes some milliseconds. */
export function gitDiffTrees(cwd: string, pairs: readonly (readonly [from: string, to: string])[], args: readonly string[]): Buffer[] {
  const heads = pairs.map(([from, to]) => `${from} ${to}\n`)
  const printed = git(['diff-tree', '--stdin', ...args], { cwd, stdin: heads.join('') })
  let at = 0
  return heads.map((head, i) => {
    if (!printed.subarray(at).toString('latin1', 0, head.length).startsWith(head)) throw new Error(`git diff-tree says nothing of ${head}`)
    const from = at + head.length
    const next = heads[i + 1]
    at = next === undefined ? printed.length : printed.indexOf(next, from)
    return printed.subarray(from, at)
  })
}

/** A directory that is gone after `using` it. */
export function temporaryDirectory(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'pf-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

export interface HistoryOptions {
  commits: number
  /** Files in the root directory; each commit changes one there and one below. */
  files: number
}

/**
 * Makes a bare repository whose history has what packs are about: wide trees that change a little, long delta chains, merges, tags of
 * commits and of tags, symbolic links, executables, a submodule, a `.gitmodules` file, a tag on `v1` half-way.
 */
export function makeHistory(path: string, { commits, files }: HistoryOptions): void {
  initBare(path, 'main')
  const stream: string[] = []
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`
  for (let number = 1; number <= commits; number++) {
    const merge = number % 25 === 0 ? `merge :${number - 10}\n` : ''
    const from = number > 1 ? `from :${number - 1}\n` : ''
    stream.push(
      `commit refs/heads/main\nmark :${number}\ncommitter C O <c@example.com> ${1700000000 + number} +0000\n${data(`change ${number}`)}${from}${merge}`,
    )
    if (number === 1) stream.push(...firstFiles(files, data))
    stream.push(`M 100644 inline file-${number % files}.txt\n${data(longText(number % files, number))}`)
    stream.push(`M 100644 inline deep/er/file-${number % 7}.txt\n${data(longText(number % 7, number))}`)
  }
  stream.push(`tag v1\nfrom :${Math.ceil(commits / 2)}\ntagger T <t@example.com> 1700000000 +0000\n${data('half-way')}`)
  git(['fast-import', '--quiet'], { cwd: path, stdin: stream.join('') })
  git(['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'tag', '-a', '-m', 'a tag of a tag', 'v1-again', 'v1'], { cwd: path })
}

function firstFiles(files: number, data: (text: string) => string): string[] {
  const lines: string[] = []
  for (let file = 0; file < files; file++) lines.push(`M 100644 inline file-${file}.txt\n${data(longText(file, 0))}`)
  lines.push(`M 100755 inline run.sh\n${data('#!/bin/sh\n')}M 120000 inline link\n${data('run.sh')}`)
  lines.push(`M 160000 ${'5'.repeat(40)} module\nM 100644 inline .gitmodules\n${data('[submodule "module"]\n\tpath = module\n\turl = ../module.git\n')}`)
  return lines
}

/** Text that changes in one line from version to version. */
function longText(file: number, version: number): string {
  return Array.from({ length: 60 }, (_, line) => `file ${file} line ${line} ${line === version % 60 ? `version ${version}` : 'as ever'}`).join('\n')
}
