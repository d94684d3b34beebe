import { GitError } from '../errors.ts'
import { type BinaryHunk, parseBinaryHunk } from './parse-binary.ts'
import { commonName, sideName, wholeName } from './patch-names.ts'
import { PatchReader } from './patch-reader.ts'

/** Lines of a file that give way to others, as bytes in latin1 with their line breaks. */
export interface PatchHunk {
  /** As the patch says, from 1 on, 0 for none. */
  oldStart: number
  newStart: number
  before: string[]
  after: string[]
  /** Whether lines that stay stand at its end. */
  hasTrailingContext: boolean
  /** Where it begins in the patch, from 1 on. */
  line: number
}

/** What a patch does to one file. Names are bytes in latin1. */
export interface FilePatch {
  kind: 'modify' | 'create' | 'delete' | 'rename' | 'copy'
  oldName: string | undefined
  newName: string | undefined
  oldMode: number | undefined
  newMode: number | undefined
  /** As the `index` line has them, often shortened. */
  oldId: string
  newId: string
  hunks: PatchHunk[]
  binary: BinaryHunk | undefined
  line: number
}

export interface PatchLimits {
  maxPatchBytes: number
  /** Files in one patch. */
  maxFiles: number
  /** Bytes of one file. */
  maxFileBytes: number
}

export const defaultPatchLimits: PatchLimits = { maxPatchBytes: 64 << 20, maxFiles: 20_000, maxFileBytes: 64 << 20 }

/**
 * Reads a patch as `git diff`, `git format-patch` and `diff -u` write it; text between the files is passed over. Source: git's `apply.c`.
 * @throws GitError `corrupt` when it is none, `limit`
 */
export function parsePatch(data: Uint8Array, limits: PatchLimits = defaultPatchLimits): FilePatch[] {
  if (data.length > limits.maxPatchBytes)
    throw new GitError('limit', `Cannot read patch: its ${data.length} bytes are over the limit of ${limits.maxPatchBytes}`)
  const reader = new PatchReader(data)
  const files: FilePatch[] = []
  while (!reader.isAtEnd) {
    const file = findFile(reader, limits)
    if (file !== undefined && files.push(file) > limits.maxFiles) throw new GitError('limit', `Cannot read patch: it has more than ${limits.maxFiles} files`)
  }
  if (files.length === 0) throw new GitError('corrupt', 'Cannot read patch: it does not change any file')
  return files
}

/** Reads a file's patch, or one line that begins none. */
function findFile(reader: PatchReader, limits: PatchLimits): FilePatch | undefined {
  if (reader.startsWith('diff --git ')) return parseGitFile(reader, limits)
  if (reader.startsWith('--- ') && reader.peekSecond().startsWith('+++ ')) return parseTraditional(reader)
  if (/^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/.test(reader.peek())) throw reader.corrupt('a hunk has no file name')
  reader.next()
  return undefined
}

function newFile(line: number): FilePatch {
  const none = { oldName: undefined, newName: undefined, oldMode: undefined, newMode: undefined }
  return { kind: 'modify', ...none, oldId: '', newId: '', hunks: [], binary: undefined, line }
}

function parseGitFile(reader: PatchReader, limits: PatchLimits): FilePatch | undefined {
  const file = newFile(reader.lineNumber)
  const name = commonName(reader.next().slice('diff --git '.length))
  const hasHeader = readHeader(reader, file)
  if (reader.startsWith('GIT binary patch')) readBinary(reader, file, limits)
  else if (/^(Binary files|Files) .* differ\r?\n?$/.test(reader.peek()))
    throw reader.corrupt('binary content is missing: create the patch with git diff --binary')
  readHunks(reader, file)
  if (!hasHeader && file.hunks.length === 0 && file.binary === undefined) return undefined
  if (file.kind !== 'create') file.oldName ??= name
  if (file.kind !== 'delete') file.newName ??= name
  if ((file.kind !== 'create' && file.oldName === undefined) || (file.kind !== 'delete' && file.newName === undefined)) {
    throw reader.corrupt('a file has no name', file.line)
  }
  return checked(reader, file)
}

type HeaderLine = [prefix: string, take: (file: FilePatch, rest: string) => boolean]

/** What each line above the hunks says; false when it cannot. */
const headerLines: readonly HeaderLine[] = [
  ['old mode ', (file, rest) => (file.oldMode = mode(rest)) !== undefined],
  ['new mode ', (file, rest) => (file.newMode = mode(rest)) !== undefined],
  ['deleted file mode ', (file, rest) => become(file, 'delete') && (file.oldMode = mode(rest)) !== undefined],
  ['new file mode ', (file, rest) => become(file, 'create') && (file.newMode = mode(rest)) !== undefined],
  ['copy from ', (file, rest) => become(file, 'copy') && (file.oldName = wholeName(rest)) !== undefined],
  ['copy to ', (file, rest) => become(file, 'copy') && (file.newName = wholeName(rest)) !== undefined],
  ['rename from ', (file, rest) => become(file, 'rename') && (file.oldName = wholeName(rest)) !== undefined],
  ['rename to ', (file, rest) => become(file, 'rename') && (file.newName = wholeName(rest)) !== undefined],
  ['rename old ', (file, rest) => become(file, 'rename') && (file.oldName = wholeName(rest)) !== undefined],
  ['rename new ', (file, rest) => become(file, 'rename') && (file.newName = wholeName(rest)) !== undefined],
  ['similarity index ', () => true],
  ['dissimilarity index ', () => true],
  ['index ', (file, rest) => takeIds(file, rest)],
  ['--- ', (file, rest) => takeOldName(file, sideName(rest))],
  ['+++ ', (file, rest) => takeNewName(file, sideName(rest))],
]

/** Returns whether there was anything. */
function readHeader(reader: PatchReader, file: FilePatch): boolean {
  let hasAny = false
  for (;;) {
    const found = headerLines.find(([prefix]) => reader.startsWith(prefix))
    if (found === undefined) return hasAny
    if (!found[1](file, reader.peek().slice(found[0].length))) throw reader.corrupt(`"${found[0].trim()}" has an invalid value, or contradicts an earlier line`)
    reader.next()
    hasAny = true
  }
}

function become(file: FilePatch, kind: FilePatch['kind']): boolean {
  const isFree = file.kind === 'modify' || file.kind === kind
  file.kind = kind
  return isFree
}

function mode(text: string): number | undefined {
  const match = /^([0-7]{5,6})\s*$/.exec(text)
  return match === null ? undefined : Number.parseInt(match[1] as string, 8)
}

function takeIds(file: FilePatch, rest: string): boolean {
  const match = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{5,6}))?\s*$/.exec(rest)
  if (match === null) return true
  file.oldId = match[1] as string
  file.newId = match[2] as string
  if (match[3] !== undefined) file.oldMode ??= Number.parseInt(match[3], 8)
  return true
}

/** Undefined: a name that cannot be read. Null: no file. */
function takeOldName(file: FilePatch, name: string | null | undefined): boolean {
  if (name === undefined) return false
  if (name === null) return file.kind === 'create'
  if (file.kind === 'create' || (file.oldName !== undefined && file.oldName !== name)) return false
  file.oldName = name
  return true
}

function takeNewName(file: FilePatch, name: string | null | undefined): boolean {
  if (name === undefined) return false
  if (name === null) return file.kind === 'delete'
  if (file.kind === 'delete' || (file.newName !== undefined && file.newName !== name)) return false
  file.newName = name
  return true
}

/** A patch without git's lines: what is compared with nothing is new or goes. */
function parseTraditional(reader: PatchReader): FilePatch | undefined {
  const file = newFile(reader.lineNumber)
  const oldName = sideName(reader.next().slice(4))
  const newName = sideName(reader.next().slice(4))
  if (!reader.startsWith('@@ -')) return undefined
  if (oldName === null && newName === null) throw reader.corrupt('both files are /dev/null', file.line)
  const name = newName ?? oldName
  if (name === undefined || name === null) throw reader.corrupt('a file has no name', file.line)
  file.kind = oldName === null ? 'create' : newName === null ? 'delete' : 'modify'
  if (file.kind !== 'create') file.oldName = name
  if (file.kind !== 'delete') file.newName = name
  readHunks(reader, file)
  return checked(reader, file)
}

function checked(reader: PatchReader, file: FilePatch): FilePatch {
  if (file.kind === 'modify' && file.oldName !== file.newName) throw reader.corrupt('a file has two names, but no rename or copy header', file.line)
  if (file.kind === 'create' && file.hunks.some(({ before }) => before.length > 0)) throw reader.corrupt('a new file depends on old contents', file.line)
  if (file.kind === 'delete' && file.hunks.some(({ after }) => after.length > 0)) throw reader.corrupt('a deleted file still has contents', file.line)
  return file
}

function readBinary(reader: PatchReader, file: FilePatch, { maxFileBytes }: PatchLimits): void {
  reader.next()
  file.binary = parseBinaryHunk(reader, maxFileBytes)
  if (file.binary === undefined) throw reader.corrupt('a binary patch has no content')
  parseBinaryHunk(reader, maxFileBytes)
}

function readHunks(reader: PatchReader, file: FilePatch): void {
  while (file.binary === undefined && reader.startsWith('@@ -')) file.hunks.push(readHunk(reader))
}

function readHunk(reader: PatchReader): PatchHunk {
  const line = reader.lineNumber
  const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(reader.peek())
  if (header === null) throw reader.corrupt('a hunk has an invalid header')
  reader.next()
  const hunk: PatchHunk = { oldStart: Number(header[1]), newStart: Number(header[3]), before: [], after: [], hasTrailingContext: false, line }
  let [oldLeft, newLeft, changed] = [Number(header[2] ?? 1), Number(header[4] ?? 1), 0]
  let last = ''
  while (oldLeft > 0 || newLeft > 0 || isNoNewline(reader)) {
    const text = reader.peek()
    if (!text.endsWith('\n') && !isNoNewline(reader)) throw reader.corrupt('a hunk is truncated')
    reader.next()
    const sign = text === '\n' || text === '\r\n' ? ' ' : text[0]
    if (sign === '\\') endWithoutNewline(reader, hunk, last)
    else if (sign === ' ' || sign === '-' || sign === '+') {
      const content = text === '\n' || text === '\r\n' ? text : text.slice(1)
      if (sign !== '+' && oldLeft-- > 0) hunk.before.push(content)
      if (sign !== '-' && newLeft-- > 0) hunk.after.push(content)
      if (sign !== ' ') changed++
      hunk.hasTrailingContext = sign === ' '
    } else throw reader.corrupt('a line of a hunk must start with one of " ", "+", "-" and "\\"', reader.lineNumber - 1)
    if (oldLeft < 0 || newLeft < 0) throw reader.corrupt('a hunk has more lines than its header declares', line)
    last = sign
  }
  if (changed === 0) throw reader.corrupt('a hunk changes nothing', line)
  return hunk
}

function isNoNewline(reader: PatchReader): boolean {
  return reader.startsWith('\\ ') && reader.peek().length >= 12
}

/** The line before has no line break. */
function endWithoutNewline(reader: PatchReader, hunk: PatchHunk, sign: string): void {
  if (sign !== ' ' && sign !== '-' && sign !== '+') throw reader.corrupt('"\\" follows no line', reader.lineNumber - 1)
  for (const lines of [sign === '+' ? undefined : hunk.before, sign === '-' ? undefined : hunk.after]) {
    if (lines !== undefined) lines.push((lines.pop() ?? '').replace(/\n$/, ''))
  }
}
