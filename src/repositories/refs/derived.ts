import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { randomHex } from '#kernel/ids.ts'
import { getState, listRefs, listUnwritten, markWritten, type RefRow } from './store.ts'

/** A burst of pushes to one repository writes its files once. */
const DELAY_MS = 250

const scheduled = new WeakMap<Context, Set<number>>()

/** Soon rewrites the repository's `packed-refs` and `HEAD`, which follow the rows so that stock git can read the directory. */
export function scheduleDerived(context: Context, repoId: number): void {
  const waiting = scheduled.get(context) ?? new Set()
  scheduled.set(context, waiting)
  if (waiting.has(repoId)) return
  waiting.add(repoId)
  context.jobs.soon(DELAY_MS, 'write packed-refs', () => {
    waiting.delete(repoId)
    writeDerived(context, repoId)
  })
}

/** Rewrites what a crash left behind the rows. Call at start. */
export function writeAllDerived(context: Context): void {
  for (const repoId of listUnwritten(context.db)) scheduleDerived(context, repoId)
}

/** Writes `packed-refs` and `HEAD` from the rows, each whole or not at all. */
export function writeDerived(context: Context, repoId: number): void {
  const repo = accessStore.findRepoById(context.db, repoId)
  if (!repo) return
  const { version } = getState(context.db, repoId)
  const directory = context.git.pathOf(repoId)
  replaceFile(join(directory, 'packed-refs'), formatPackedRefs(listRefs(context.db, repoId)))
  writeHead(join(directory, 'HEAD'), formatHead(repo.default_branch))
  context.db.tx((tx) => markWritten(tx, repoId, version))
}

export function formatHead(branch: string): string {
  return `ref: ${HEADS}${branch}\n`
}

/** Source: `git pack-refs`; every tag is peeled, which the header promises. */
export function formatPackedRefs(refs: readonly RefRow[]): string {
  const lines = refs.map((ref) => `${ref.oid} ${ref.name}\n${ref.peeled === null ? '' : `^${ref.peeled}\n`}`)
  return `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`
}

/** Most pushes leave HEAD as it is. */
function writeHead(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, 'latin1') !== text) replaceFile(path, text)
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${randomHex(4)}.tmp`
  const fd = openSync(temporary, 'wx', 0o644)
  try {
    writeFileSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, path)
}
