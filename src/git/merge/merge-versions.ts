import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { MAX_TEXT_BYTES, type MergedContent, mergeContents } from './content-merge.ts'
import { type BytePath, isGitlink, isRegular, isSameType, isSymlink, type Version } from './entry.ts'
import type { MergeState } from './merge-state.ts'

/** Three versions of one file, and where each one lies. */
export interface ThreeVersions {
  versions: readonly [Version, Version, Version]
  paths: readonly [BytePath, BytePath, BytePath]
}

export interface MergedVersion {
  version: Version
  isClean: boolean
}

/**
 * Merges the three versions of a file, link or submodule; ours and theirs are of one type. `path` says which attributes count.
 * @param moreMarker by how much conflict markers are longer, because the result may be merged again
 * Source: `handle_content_merge` of git's `merge-ort.c`.
 */
export function* mergeVersions(state: MergeState, path: BytePath, three: ThreeVersions, moreMarker: number): Steps<MergedVersion> {
  const [base, ours, theirs] = three.versions
  const isModeTheirs = ours.mode === theirs.mode || ours.mode === base.mode
  const mode = isModeTheirs ? theirs.mode : ours.mode
  const isModeClean = isModeTheirs || theirs.mode === base.mode
  if (ours.oid === theirs.oid || ours.oid === base.oid) return { version: { mode, oid: theirs.oid }, isClean: isModeClean }
  if (theirs.oid === base.oid) return { version: { mode, oid: ours.oid }, isClean: isModeClean }
  if (isRegular(ours.mode)) {
    const { oid, isClean } = yield* mergeFiles(state, path, three, moreMarker)
    return { version: { mode, oid }, isClean: isClean && isModeClean }
  }
  return { version: unmergeable(state, three.versions, mode), isClean: false }
}

/** Links are not merged, and submodules' histories are elsewhere. Inside the merge of merge bases the base stands in. */
function unmergeable(state: MergeState, [base, ours]: ThreeVersions['versions'], mode: number): Version {
  if (state.depth === 0) return { mode, oid: ours.oid }
  if (isSymlink(ours.mode)) return base
  return isGitlink(ours.mode) && isSameType(base.mode, ours.mode) ? { mode, oid: base.oid } : base
}

function* mergeFiles(state: MergeState, path: BytePath, three: ThreeVersions, moreMarker: number): Steps<{ oid: Oid; isClean: boolean }> {
  const [base, ours, theirs] = three.versions
  if (three.versions.some((version) => isHuge(state, version))) return leaveWhole(state, path, three.versions)
  const contents = {
    base: isRegular(base.mode) ? contentOf(state, base) : new Uint8Array(0),
    ours: contentOf(state, ours),
    theirs: contentOf(state, theirs),
  }
  const { driver, markerSize } = state.settings.rulesOf(path)
  const { diff3 } = state.settings
  const labels = labelsFor(state, three.paths)
  const options = { driver, labels, diff3, isVirtual: state.depth > 0, budget: state.budget, markerSize: markerSize + moreMarker }
  const merged = yield* mergeContents(contents, options)
  if (merged.outcome === 'binary-conflict') state.note('binary', [path], `${path} is binary, and both sides changed it`)
  return { oid: idOf(state, merged, three.versions, contents), isClean: merged.outcome === 'clean' }
}

/** Not worth reading: nothing so large is merged. */
function isHuge({ store }: MergeState, { mode, oid }: Version): boolean {
  return isRegular(mode) && (store.findHeader(oid)?.size ?? 0) > MAX_TEXT_BYTES
}

function leaveWhole(state: MergeState, path: BytePath, [base, ours]: ThreeVersions['versions']): { oid: Oid; isClean: boolean } {
  if (state.depth > 0 && isRegular(base.mode)) return { oid: base.oid, isClean: true }
  state.note('binary', [path], `${path} is too large to be merged, and both sides changed it`)
  return { oid: ours.oid, isClean: false }
}

/** Sides that are taken whole are in the store already. */
function idOf(state: MergeState, { data }: MergedContent, [base, ours]: ThreeVersions['versions'], contents: { base: Uint8Array; ours: Uint8Array }): Oid {
  if (data === contents.ours) return ours.oid
  return data === contents.base && isRegular(base.mode) ? base.oid : state.store.write('blob', data)
}

function contentOf(state: MergeState, { oid }: Version): Uint8Array {
  return state.store.get(oid, 'blob').data
}

/** With their paths, where renames have brought versions together that lie apart. */
function labelsFor({ labels }: MergeState, [base, ours, theirs]: ThreeVersions['paths']): { base: string; ours: string; theirs: string } {
  if (base === ours && ours === theirs) return labels
  return { base: `${labels.base}:${base}`, ours: `${labels.ours}:${ours}`, theirs: `${labels.theirs}:${theirs}` }
}
