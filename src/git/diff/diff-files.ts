import { isUtf8 } from 'node:buffer'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps, type Steps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { isGenerated, mayTell } from '../survey/generated.ts'
import { generatedPaths } from '../survey/linguist-data.ts'
import { type ChangedFilesOptions, changedFiles, toldBy } from './changed-files.ts'
import { type CompareOptions, compareFile, statsOf, tryDiff } from './compare-file.ts'
import { charsetOf } from './detect-charset.ts'
import { lineReaderOf } from './file-text.ts'
import { hunksOf, linesOf, withoutBrokenEnd } from './hunks.ts'
import type { LineDiff } from './line-diff.ts'
import { countLines, type LineStats } from './line-stats.ts'
import type { FileChange } from './renames.ts'
import type { ToldSides } from './told-sides.ts'
import type { TreeSide } from './tree-diff.ts'

export interface DiffFilesOptions extends ChangedFilesOptions, CompareOptions {
  /** Files before the page, and on it. Default: all. */
  skip?: number
  limit?: number
  /** What is wanted of the files on the page; `lines` includes the numbers. Default: `numbers`. */
  detail?: 'names' | 'numbers' | 'lines'
  /** Whether the numbers of all files are added up, not only of those on the page. Default: false. */
  totals?: boolean
  /** A file with more changed and surrounding lines than this is shown without them. */
  maxFileLines?: number
  /** A line with more bytes than this makes its file too large to show. */
  maxLineBytes?: number
  /** Content of this many bytes is looked into, both sides of all files together; the rest is too large. */
  maxTotalBytes?: number
  /** This many lines are shown, of all files together. */
  maxTotalLines?: number
}

/** A hunk as a patch has it: line numbers from 1, and lines that begin with a blank, `+`, `-` or `\`. */
export interface FileHunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  section: string
  lines: string[]
}

export interface FileDiff extends LineStats {
  status: FileChange['status']
  path: string
  oldPath?: string
  old?: TreeSide
  new?: TreeSide
  /** Percent, of renamed and copied files. */
  similarity?: number
  isBinary: boolean
  /** Whether a limit keeps its lines, or even its numbers, from being shown. */
  isTooLarge: boolean
  /** Lines were asked for, and a program made the file, as its attributes or Linguist say. */
  isGenerated?: boolean
  /** When lines were asked for and can be shown. */
  hunks?: FileHunk[]
  /** The encodings of both sides, if they are neither UTF-8 nor Windows-1252. */
  charsets?: Record<'old' | 'new', string | undefined>
}

export interface FileDiffs {
  files: FileDiff[]
  /** All changed files, of which `files` is a page. */
  count: number
  /** Whether there are even more files than were counted. */
  isTruncated: boolean
  /** Of all files, when asked for. */
  totals?: LineStats
}

/** Who tells of files what their content does not. */
interface Teller {
  told: ToldSides
  /** Paths of files that programs make; absent where nobody asks. */
  generated: RegExp | undefined
}

/** What is left of the limits that all files share. */
interface Budget {
  bytes: number
  lines: number
}

/** The files that differ between two trees, page by page. Each limit is the caller's; where one strikes, the file says so. */
export async function diffFiles(store: ObjectReader, from: Oid | undefined, to: Oid | undefined, options: DiffFilesOptions = {}): Promise<FileDiffs> {
  const { skip = 0, limit = Infinity, totals = false, signal } = options
  const { changes, isTruncated } = await changedFiles(store, from, to, options)
  const teller = { told: toldBy(store, options), generated: options.detail === 'lines' ? await generatedPaths() : undefined }
  const budget = { bytes: options.maxTotalBytes ?? Infinity, lines: options.maxTotalLines ?? Infinity }
  const found: FileDiffs = { files: [], count: changes.length, isTruncated }
  const sum = { additions: 0, deletions: 0 }
  for (let at = totals ? 0 : skip; at < (totals ? changes.length : Math.min(changes.length, skip + limit)); at++) {
    const isOnPage = at >= skip && at < skip + limit
    const wanted = { ...options, detail: isOnPage ? options.detail : 'numbers', ...teller } as const
    const file = await runSteps(describe(store, changes[at] as FileChange, wanted, budget), signal)
    if (isOnPage) found.files.push(file)
    sum.additions += file.additions
    sum.deletions += file.deletions
    if (isDue()) await breathe()
    signal?.throwIfAborted()
  }
  return totals ? { ...found, totals: sum } : found
}

/** A text that is to be put in the place of a blob; of a new file there is none. */
export interface NewText {
  path: string
  old: Oid | undefined
  data: Uint8Array
}

/** What it would change, with lines as far as the limits allow. @throws GitError `missing`, `corrupt` or `limit` for the blob */
export function* diffText(store: ObjectReader, { path, old, data }: NewText, options: DiffFilesOptions = {}): Steps<FileDiff> {
  const file: FileDiff = { status: old === undefined ? 'added' : 'modified', path, additions: 0, deletions: 0, isBinary: false, isTooLarge: false }
  const before = old === undefined ? new Uint8Array(0) : store.get(old, 'blob', options.maxFileBytes).data
  const diff = yield* tryDiff({ before, after: data }, options)
  file.isTooLarge = diff === undefined
  if (diff) {
    Object.assign(file, countLines(diff, options))
    addHunks(file, diff, options, { bytes: Infinity, lines: Infinity })
  }
  return file
}

function* describe(store: ObjectReader, untold: FileChange, options: DiffFilesOptions & Teller, budget: Budget): Steps<FileDiff> {
  const change = options.detail === 'names' ? untold : options.told.change(untold)
  const file: FileDiff = { status: change.status, path: change.path, additions: 0, deletions: 0, isBinary: false, isTooLarge: false }
  if (change.old !== undefined) file.old = change.old
  if (change.new !== undefined) file.new = change.new
  if ('oldPath' in change) Object.assign(file, { oldPath: change.oldPath, similarity: change.similarity })
  if (options.detail === 'names') return file
  const comparison = yield* compareFile(store, change, { ...options, maxFileBytes: Math.min(options.maxFileBytes ?? Infinity, budget.bytes) })
  file.isBinary = comparison.kind === 'binary' || (comparison.kind === 'too-large' && isToldBinary(change))
  file.isTooLarge = comparison.kind === 'too-large' && !file.isBinary
  if (comparison.kind === 'binary') budget.bytes -= comparison.contents.before.length + comparison.contents.after.length
  if (comparison.kind === 'text') {
    const { additions, deletions } = statsOf(store, change, comparison, options)
    Object.assign(file, { additions, deletions })
    budget.bytes -= comparison.diff.old.data.length + comparison.diff.new.data.length
    if (options.detail === 'lines') {
      if (isMade(change, comparison.diff, options)) file.isGenerated = true
      if (options.decodes) addCharsets(file, change, comparison.diff, options.told)
      addHunks(file, comparison.diff, options, budget)
    }
  }
  return file
}

function isToldBinary({ old, new: now }: FileChange): boolean {
  return old?.isBinary === true || now?.isBinary === true
}

/** Whether attributes say that a program made it or, where they say nothing, its name or its text does. */
function isMade(change: FileChange, { new: now }: LineDiff, { told, generated }: Teller): boolean {
  const { path } = change
  return told.isGenerated(change) ?? (generated?.test(path) || (mayTell(path) && isGenerated(path, headOf(now.data))))
}

/** A byte in each character. */
function headOf(data: Uint8Array): string {
  return Buffer.prototype.latin1Slice.call(data, 0, Math.min(data.length, HEAD_BYTES))
}

function addCharsets(file: FileDiff, change: FileChange, diff: LineDiff, told: ToldSides): void {
  const path = change.rawPath ?? change.path
  const oldPath = 'oldPath' in change ? (change.rawOldPath ?? change.oldPath) : path
  const [before, after] = [charsetOf(diff.old.data, told.encoding(oldPath)), charsetOf(diff.new.data, told.encoding(path))]
  // A short text gives no evidence; the other side of the change most likely has the same encoding.
  if (before !== undefined || after !== undefined) file.charsets = { old: before ?? after, new: after ?? before }
}

/** All hunks or, where they go over a limit, none. */
function addHunks(file: FileDiff, diff: LineDiff, options: DiffFilesOptions, budget: Budget): void {
  const { maxFileLines = Infinity, maxLineBytes = Infinity } = options
  let left = Math.min(maxFileLines, budget.lines)
  const [readOld, readNew] = options.decodes ? [lineReaderOf(diff.old.data, file.charsets?.old), lineReaderOf(diff.new.data, file.charsets?.new)] : [text, text]
  const isSectionUtf8 = !options.decodes || isUtf8(diff.old.data)
  const hunks: FileHunk[] = []
  for (const hunk of hunksOf(diff, options)) {
    const [oldLines, newLines] = [hunk.oldEnd - hunk.oldStart, hunk.newEnd - hunk.newStart]
    const lines: string[] = []
    for (const { kind, bytes } of linesOf(hunk, diff)) {
      if (--left < 0 || bytes.length > maxLineBytes) {
        file.isTooLarge = true
        return
      }
      pushLine(lines, signs[kind], bytes, kind === 'deleted' ? readOld : readNew)
    }
    hunks.push({
      oldStart: hunk.oldStart + Math.sign(oldLines),
      oldLines,
      newStart: hunk.newStart + Math.sign(newLines),
      newLines,
      section: readOld(isSectionUtf8 ? withoutBrokenEnd(hunk.section) : hunk.section),
      lines,
    })
  }
  budget.lines -= Math.min(maxFileLines, budget.lines) - left
  file.hunks = hunks
}

const HEAD_BYTES = 64 * 1024
const signs = { context: ' ', added: '+', deleted: '-' } as const
const LF = 10

function pushLine(lines: string[], sign: string, bytes: Uint8Array, read: typeof text): void {
  if (bytes[bytes.length - 1] === LF) lines.push(sign + read(bytes.subarray(0, -1)))
  else lines.push(sign + read(bytes), '\\ No newline at end of file')
}

function text(bytes: Uint8Array): string {
  return Buffer.prototype.utf8Slice.call(bytes, 0, bytes.length)
}
