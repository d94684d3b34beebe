import { breathe, isDue } from '#kernel/breathe.ts'
import { ByteWriter } from '../diff/byte-writer.ts'
import { changedFiles } from '../diff/changed-files.ts'
import { compareFile } from '../diff/compare-file.ts'
import { hunksOf, linesOf, withoutBrokenEnd } from '../diff/hunks.ts'
import type { LineDiff } from '../diff/line-diff.ts'
import { octal, splitTypeChange } from '../diff/patch-header.ts'
import { quotePath } from '../diff/quote-path.ts'
import type { FileChange } from '../diff/renames.ts'
import { GitError } from '../errors.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps, type Steps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'

/** A commit as the text that versions of it are compared by: author, message and patch, without what a rebase changes. */
export interface PatchText {
  oid: Oid
  /** The first line of its message. */
  title: string
  bytes: Uint8Array
  /** Where the patch begins; 0 when it changes no file. */
  patchStart: number
  /** Lines of the patch. */
  lines: number
}

export interface PatchTextLimits {
  /** Bytes of one text. */
  maxBytes: number
  maxFiles: number
  /** Bytes of a file on either side. */
  maxFileBytes: number
  signal?: AbortSignal
}

/**
 * Makes the text of a commit against its first parent. Source: `read_patches` in git's `range-diff.c`.
 * @throws GitError `limit` when it is more than is allowed; `missing` or `corrupt` when an object is
 */
export async function patchText(store: ObjectReader, oid: Oid, limits: PatchTextLimits): Promise<PatchText> {
  const { parents, tree, author, message } = parseCommit(store.get(oid, 'commit').data)
  const body = messageLines(message)
  const out = new TextWriter(limits.maxBytes)
  out.text(` ## Metadata ##\nAuthor: ${author.name} <${author.email}>\n\n ## Commit message ##\n${body.map((line) => `${line}\n`).join('')}`)
  const { changes, isTruncated } = await changedFiles(store, parents[0], tree, { maxFiles: limits.maxFiles, signal: limits.signal })
  if (isTruncated) throw tooMuch(oid)
  const patchStart = changes.length === 0 ? 0 : out.length + 1
  for (const change of changes) {
    for (const part of splitTypeChange(change)) await runSteps(writeFile(out, store, part, limits.maxFileBytes), limits.signal)
    if (isDue()) await breathe()
    limits.signal?.throwIfAborted()
  }
  return { oid, title: body[0]?.trim() ?? '', bytes: out.take(), patchStart, lines: out.lines }
}

function tooMuch(oid: Oid): GitError {
  return new GitError('limit', `Cannot compare: commit ${oid} changes too much`)
}

/** The message as a log shows it: indented, without blank lines around it and blanks at the ends of lines. */
function messageLines(message: string): string[] {
  const lines = message.split('\n').map((line) => (line.trim() === '' ? '' : `    ${withoutTabs(line)}`.trimEnd()))
  const first = lines.findIndex((line) => line !== '')
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1)
}

const TAB_WIDTH = 8

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  return line.split('\t').reduce((before, part) => before.padEnd(before.length + TAB_WIDTH - (before.length % TAB_WIDTH)) + part)
}

/** Counts the lines of the patch, and its bytes before they become too many. */
class TextWriter {
  readonly #out = new ByteWriter()
  readonly #maxBytes: number
  lines = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get length(): number {
    return this.#out.length
  }

  text(text: string): void {
    this.#out.text(text)
    this.#check()
  }

  line(sign: string, bytes: Uint8Array): void {
    this.#out.text(sign)
    this.#out.bytes(bytes)
    this.lines++
    this.#check()
  }

  take(): Uint8Array {
    return this.#out.take()
  }

  #check(): void {
    if (this.#out.length > this.#maxBytes) throw new GitError('limit', 'Cannot compare: a commit changes too much')
  }
}

const signs = { context: ' ', added: '+', deleted: '-' } as const
const LF = 10

function* writeFile(out: TextWriter, store: ObjectReader, change: FileChange, maxFileBytes: number): Steps<void> {
  const comparison = yield* compareFile(store, change, { maxFileBytes })
  if (comparison.kind === 'same' && change.status === 'modified' && change.old.mode === change.new.mode) return
  out.text('\n')
  out.line('', Buffer.from(` ## ${headingOf(change)} ##\n`))
  if (comparison.kind === 'text') writeHunks(out, change.path, comparison.diff)
  else if (comparison.kind !== 'same') out.line('', Buffer.from(` Binary files ${sideName(change, 'old')} and ${sideName(change, 'new')} differ\n`))
}

function headingOf(change: FileChange): string {
  if (change.old === undefined) return `${change.path} (new)`
  if (change.new === undefined) return `${change.path} (deleted)`
  const name = 'oldPath' in change ? `${change.oldPath} => ${change.path}` : change.path
  return change.old.mode === change.new.mode ? name : `${name} (mode change ${octal(change.old)} => ${octal(change.new)})`
}

function sideName(change: FileChange, side: 'old' | 'new'): string {
  if (change[side] === undefined) return '/dev/null'
  return quotePath(side === 'old' && 'oldPath' in change ? change.oldPath : change.path)
}

function writeHunks(out: TextWriter, path: string, diff: LineDiff): void {
  for (const hunk of hunksOf(diff)) {
    const section = hunk.section.length > 0 ? ` ${path}: ${Buffer.from(withoutBrokenEnd(hunk.section)).toString()}` : ''
    out.line('', Buffer.from(`@@${section}\n`))
    for (const { kind, bytes } of linesOf(hunk, diff)) {
      out.line(signs[kind], bytes)
      if (bytes.at(-1) !== LF) {
        out.text('\n')
        out.line('', Buffer.from(' \\ No newline at end of file\n'))
      }
    }
  }
}
