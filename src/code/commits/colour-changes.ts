import { isUtf8 } from 'node:buffer'
import type { Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { FileDiff } from '#git/diff/diff-files.ts'
import { readFileText } from '#git/diff/file-text.ts'
import type { Oid } from '#git/objects/oid.ts'
import { GITLINK_MODE } from '#git/objects/tree.ts'
import type { Where } from '#git/workers/service.ts'
import { Documents, MAX_COLOURED } from '#markdown/index.ts'

/** The lines of a file that a diff shows, as HTML in colours, by their numbers: what went by those that it had. */
export interface FileColours {
  old: ReadonlyMap<number, string>
  now: ReadonlyMap<number, string>
}

/** What a page of a diff may take to be coloured: milliseconds, and bytes of both sides of all its files. */
const PAGE_MS = 500
const PAGE_BYTES = 2 * 1024 * 1024

/** Lines of one side of a file. */
interface Wanted {
  blob: Oid
  name: string
  charset?: string | undefined
  /** By turns the number of the first, and how many. */
  runs: number[]
}

/**
 * Colours for what a page of a diff shows. What is too large, in no known language, or not done in time stays as it is.
 * @param milliseconds for all of it
 */
export async function colourChanges(
  context: Pick<Context, 'git' | 'services'>,
  viewer: Viewer,
  where: Where,
  files: readonly FileDiff[],
  milliseconds = PAGE_MS,
): Promise<Map<FileDiff, FileColours>> {
  const wanted = files.map((file) => ({ file, old: wantedOf(file, '-'), now: wantedOf(file, '+') }))
  const sides = wanted.flatMap(({ old, now }) => [old, now]).filter((one) => one !== undefined)
  const colour = colourer(context, viewer, () => readContents(context, where, sides), milliseconds)
  const colours = new Map<FileDiff, FileColours>()
  for (const { file, old, now } of wanted) colours.set(file, { old: await colour(old), now: await colour(now) })
  return colours
}

/** The same for some lines of one file, one behind the other. */
export async function colourLines(
  context: Pick<Context, 'services'>,
  viewer: Viewer,
  { oid, text }: { oid: Oid; text: string },
  { path, first, count }: { path: string; first: number; count: number },
): Promise<FileColours> {
  const wanted = { blob: oid, name: path, runs: [first, count] }
  return { old: none, now: await colourer(context, viewer, async () => new Map([[oid, Buffer.from(text)]]), PAGE_MS)(wanted) }
}

const none: ReadonlyMap<number, string> = new Map()

/**
 * Colours one side after the other, so that what has no end takes no more than its share.
 * @param read the contents of all of them at once, when one is not known in colours yet
 */
function colourer(context: Pick<Context, 'services'>, viewer: Viewer, read: () => Promise<Map<Oid, Uint8Array | undefined>>, milliseconds: number) {
  const until = performance.now() + milliseconds
  const signal = AbortSignal.timeout(milliseconds)
  let contents: ReturnType<typeof read> | undefined
  return async (wanted: Wanted | undefined): Promise<ReadonlyMap<number, string>> => {
    if (wanted === undefined) return none
    const readOne = async () => {
      contents ??= read()
      return (await contents).get(wanted.blob)
    }
    const left = Math.max(1, until - performance.now())
    const lines = await context.services.get(Documents).highlightLines(viewer, { ...wanted, milliseconds: left, signal, read: readOne })
    return lines === undefined ? none : numbered(wanted.runs, lines)
  }
}

async function readContents({ git }: Pick<Context, 'git'>, where: Where, all: readonly Wanted[]): Promise<Map<Oid, Uint8Array | undefined>> {
  const oids = [...new Set(all.map(({ blob }) => blob))]
  const found = await git.run('readBlobs', where, { oids, maxBytes: MAX_COLOURED, maxTotalBytes: PAGE_BYTES })
  const charsets = new Map(all.map(({ blob, charset }) => [blob, charset]))
  return new Map(oids.map((oid, i) => [oid, found[i] && asUtf8(found[i], charsets.get(oid))]))
}

/** As its lines are shown. */
function asUtf8(data: Uint8Array, charset?: string): Uint8Array {
  if (isUtf8(data)) return data
  const read = readFileText(data, false, charset)
  return read ? Buffer.from(read.text) : data
}

/** Lines that are on both sides are taken from the new one. A submodule has no blob: its one line names a commit, and is not colored. */
function wantedOf({ old, new: now, path, oldPath, hunks = [], charsets }: FileDiff, sign: '-' | '+'): Wanted | undefined {
  const side = sign === '-' ? old : now
  const runs: number[] = []
  for (const { oldStart, newStart, lines } of hunks) addRuns(runs, lines, sign, sign === '-' ? oldStart : newStart)
  return side === undefined || side.mode === GITLINK_MODE || runs.length === 0
    ? undefined
    : { blob: side.oid, name: sign === '-' ? (oldPath ?? path) : path, charset: sign === '-' ? charsets?.old : charsets?.new, runs }
}

function addRuns(runs: number[], lines: readonly string[], sign: '-' | '+', start: number): void {
  let [number, count] = [start, 0]
  const end = () => {
    if (count > 0) runs.push(number - count, count)
    count = 0
  }
  for (const [mark] of lines) {
    if (mark === sign || (mark === ' ' && sign === '+')) {
      number++
      count++
    } else if (mark === ' ') {
      end()
      number++
    }
  }
  end()
}

function numbered(runs: readonly number[], lines: readonly string[]): Map<number, string> {
  const found = new Map<number, string>()
  let at = 0
  for (let i = 0; i < runs.length; i += 2) {
    const [first = 1, count = 0] = runs.slice(i, i + 2)
    for (let line = first; line < first + count; line++) found.set(line, lines[at++] as string)
  }
  return found
}
