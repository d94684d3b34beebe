import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { writeBinaryPatch } from './binary-patch.ts'
import type { ByteWriter } from './byte-writer.ts'
import { type CompareOptions, type Comparison, compareFile } from './compare-file.ts'
import { type Hunk, hunksOf, withoutBrokenEnd } from './hunks.ts'
import type { LineDiff } from './line-diff.ts'
import type { Lines } from './lines.ts'
import { headerOf, namesOf, type PatchHeader, type PatchNames, splitTypeChange } from './patch-header.ts'
import type { FileChange } from './renames.ts'

export interface PatchOptions extends CompareOptions {
  /** Whether binary contents are part of the patch, so that it can be applied (`--binary`). Default: false. */
  binary?: boolean
  /** How ids are shown. Default: whole. */
  abbreviate?: (oid: Oid) => string
}

const LF = 10
const NO_NEWLINE = Buffer.from('\n\\ No newline at end of file\n')

/**
 * Writes the patch of one file as `git diff` prints it, nothing when there is nothing to say; what is too large is shown as
 * binary contents are. Returns what it found out. @throws GitError `missing` or `corrupt` when a blob is
 */
export function* writePatch(out: ByteWriter, store: ObjectReader, change: FileChange, options: PatchOptions = {}): Steps<Comparison> {
  const parts = splitTypeChange(change)
  if (parts.length === 1) return yield* writePart(out, store, change, options)
  for (const part of parts) yield* writePart(out, store, part, options)
  return yield* compareFile(store, change, options)
}

function* writePart(out: ByteWriter, store: ObjectReader, change: FileChange, options: PatchOptions): Steps<Comparison> {
  const comparison = yield* compareFile(store, change, options)
  const names = namesOf(change)
  const isWhole = options.binary === true && comparison.kind === 'binary'
  const header = headerOf(change, names, isWhole || options.abbreviate === undefined ? (oid) => oid : options.abbreviate)
  if (comparison.kind === 'text') writeHunks(out, header, names, comparison.diff, options)
  else if (comparison.kind === 'same') out.text(header.isTelling ? header.text : '')
  else {
    out.text(header.text)
    if (isWhole) writeBinaryPatch(out, comparison.contents.before, comparison.contents.after)
    else out.text(`Binary files ${names.old} and ${names.new} differ\n`)
  }
  return comparison
}

function writeHunks(out: ByteWriter, header: PatchHeader, names: PatchNames, diff: LineDiff, options: PatchOptions): void {
  let isFirst = true
  for (const hunk of hunksOf(diff, options)) {
    if (isFirst) out.text(`${header.text}--- ${label(names.old)}\n+++ ${label(names.new)}\n`)
    isFirst = false
    writeHunk(out, hunk, diff)
  }
  if (isFirst && header.isTelling) out.text(header.text)
}

/** A tab ends a name that has a blank, for programs that look for a date behind it. */
function label(name: string): string {
  return name.includes(' ') ? `${name}\t` : name
}

function writeHunk(out: ByteWriter, hunk: Hunk, diff: LineDiff): void {
  out.text(`@@ -${range(hunk.oldStart, hunk.oldEnd)} +${range(hunk.newStart, hunk.newEnd)} @@`)
  if (hunk.section.length > 0) {
    out.text(' ')
    out.bytes(withoutBrokenEnd(hunk.section))
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
    out.part(data, starts[i] as number, starts[i + 1] as number)
    if (data[(starts[i + 1] as number) - 1] !== LF) out.bytes(NO_NEWLINE)
  }
}
