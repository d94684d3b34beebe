import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { writeBinaryPatch } from './binary-patch.ts'
import type { ByteWriter } from './byte-writer.ts'
import { type Contents, contentsOf, withoutCommonTail } from './contents.ts'
import { type Hunk, type HunkOptions, hunksOf } from './hunks.ts'
import { diffLines, type LineDiff, type LineDiffOptions } from './line-diff.ts'
import type { Lines } from './lines.ts'
import { headerOf, namesOf, type PatchNames, splitTypeChange } from './patch-header.ts'
import type { FileChange } from './renames.ts'

export interface PatchOptions extends LineDiffOptions, HunkOptions {
  /** Whether binary contents are part of the patch, so that it can be applied (`--binary`). Default: false. */
  binary?: boolean
  /** How ids are shown. Default: whole. */
  abbreviate?: (oid: Oid) => string
  /** A file with more bytes on a side is shown as binary ones are. Default: 64 MiB. */
  maxFileBytes?: number
}

const DEFAULT_MAX_FILE_BYTES = 64 << 20
const LF = 10
const NO_NEWLINE = Buffer.from('\n\\ No newline at end of file\n')

/** Writes the patch of one file as `git diff` prints it, nothing when there is nothing to say. @throws GitError `missing` or `corrupt` when a blob is */
export function writePatch(out: ByteWriter, store: ObjectReader, change: FileChange, options: PatchOptions = {}): void {
  for (const part of splitTypeChange(change)) writePart(out, store, part, options)
}

function writePart(out: ByteWriter, store: ObjectReader, change: FileChange, options: PatchOptions): void {
  const names = namesOf(change)
  const contents = change.old?.oid === change.new?.oid ? undefined : contentsOf(store, change.old, change.new, options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES)
  const isWhole = options.binary === true && contents?.isBinary === true
  const header = headerOf(change, names, isWhole || options.abbreviate === undefined ? (oid) => oid : options.abbreviate)
  if (change.old?.oid === change.new?.oid) {
    if (header.isTelling) out.text(header.text)
  } else if (contents === undefined || contents.isBinary) {
    out.text(header.text)
    if (isWhole) writeBinaryPatch(out, contents.before, contents.after)
    else out.text(`Binary files ${names.old} and ${names.new} differ\n`)
  } else {
    writeText(out, header.isTelling, header.text, names, contents, options)
  }
}

function writeText(out: ByteWriter, isTelling: boolean, header: string, names: PatchNames, contents: Contents, options: PatchOptions): void {
  const diff = tryDiff(contents, options)
  if (diff === undefined) {
    out.text(`${header}Binary files ${names.old} and ${names.new} differ\n`)
    return
  }
  let isFirst = true
  for (const hunk of hunksOf(diff, options)) {
    if (isFirst) out.text(`${header}--- ${label(names.old)}\n+++ ${label(names.new)}\n`)
    isFirst = false
    writeHunk(out, hunk, diff)
  }
  if (isFirst && isTelling) out.text(header)
}

/** Undefined when the files differ too much to say in what. */
function tryDiff({ before, after }: Contents, options: PatchOptions): LineDiff | undefined {
  try {
    return options.context === 0 ? diffLines(...withoutCommonTail(before, after), options) : diffLines(before, after, options)
  } catch (error) {
    if (error instanceof GitError && error.kind === 'limit') return undefined
    throw error
  }
}

/** A tab ends a name that has a blank, for programs that look for a date behind it. */
function label(name: string): string {
  return name.includes(' ') ? `${name}\t` : name
}

function writeHunk(out: ByteWriter, hunk: Hunk, diff: LineDiff): void {
  out.text(`@@ -${range(hunk.oldStart, hunk.oldEnd)} +${range(hunk.newStart, hunk.newEnd)} @@`)
  if (hunk.section.length > 0) {
    out.text(' ')
    out.bytes(hunk.section)
  }
  out.text('\n')
  let at = hunk.newStart
  for (const change of hunk.changes) {
    writeLines(out, ' ', diff.new, at, change.newStart)
    writeLines(out, '-', diff.old, change.oldStart, change.oldStart + change.oldCount)
    at = change.newStart + change.newCount
    writeLines(out, '+', diff.new, change.newStart, at)
  }
  writeLines(out, ' ', diff.new, at, hunk.newEnd)
}

/** From 1 on, or from 0 where there is no line; the number of lines when it is not one. */
function range(start: number, end: number): string {
  const count = end - start
  const first = count === 0 ? start : start + 1
  return count === 1 ? String(first) : `${first},${count}`
}

function writeLines(out: ByteWriter, sign: ' ' | '-' | '+', { data, starts }: Lines, from: number, to: number): void {
  const mark = sign.charCodeAt(0)
  for (let i = from; i < to; i++) {
    out.byte(mark)
    out.part(data, starts[i], starts[i + 1])
    if (data[starts[i + 1] - 1] !== LF) out.bytes(NO_NEWLINE)
  }
}
