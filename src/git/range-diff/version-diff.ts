import { type WriteDiffOptions, writeDiff } from '../diff/write-diff.ts'
import type { Merger } from '../merge/merge-commits.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps } from '../steps.ts'
import type { Series } from './range-diff.ts'

export interface VersionDiffOptions extends Omit<WriteDiffOptions, 'abbreviate'> {
  /** The text is cut behind so many bytes, at the end of a line. */
  maxBytes: number
}

export interface VersionDiff {
  /** As `git diff` prints it. */
  text: Uint8Array
  isCut: boolean
  /** Whether the earlier series contradicts the base of the later one: its files then have conflict markers. */
  isContrary: boolean
}

const ID_LENGTH = 10

/**
 * What the files of one series differ in from those of another. Where they have different bases, the first is taken as what it would have
 * come to on the base of the second, so that what others did to the base does not hide what its author changed.
 */
export async function versionDiff(merger: Merger, before: Series, after: Series, options: VersionDiffOptions): Promise<VersionDiff> {
  const { tree, isClean } = await carryOver(merger, before, after.base, options.signal)
  const parts: Uint8Array[] = []
  let size = 0
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const send = async (bytes: Uint8Array): Promise<void> => {
    parts.push(bytes)
    size += bytes.length
    if (size > options.maxBytes) stop.abort()
  }
  await writeDiff(merger.store, tree, after.head, { attributes: after.base, ...options, abbreviate, signal }, send).catch((error) => {
    if (!stop.signal.aborted) throw error
  })
  const text = Buffer.concat(parts)
  const isCut = text.length > options.maxBytes
  return { text: isCut ? text.subarray(0, text.lastIndexOf('\n', options.maxBytes) + 1) : text, isCut, isContrary: !isClean }
}

function abbreviate(oid: Oid): string {
  return oid.slice(0, ID_LENGTH)
}

/** The files of a series as they would be on another base. */
async function carryOver(
  merger: Merger,
  { base, head }: Series,
  onto: Oid | undefined,
  signal: AbortSignal | undefined,
): Promise<{ tree: Oid; isClean: boolean }> {
  const tree = merger.treeOf(head)
  if (onto === undefined || base === onto) return { tree, isClean: true }
  const trees = { base: base && merger.treeOf(base), ours: merger.treeOf(onto), theirs: tree }
  return runSteps(merger.mergeTrees(trees, 'old base'), signal)
}
