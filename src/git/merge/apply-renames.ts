import { isDue } from '#kernel/breathe.ts'
import type { Steps } from '../steps.ts'
import { BASE, BASE_BIT, type BytePath, bitOf, isRegular, isSameVersion, type MergeEntry, NOTHING, OURS, otherSide, type Side, THEIRS } from './entry.ts'
import type { FilePair, MergeState } from './merge-state.ts'
import { mergeVersions } from './merge-versions.ts'

/**
 * Brings together the versions of files that lie at different paths because a side renamed them. Returns whether all went well so far.
 * Source: `process_renames` of git's `merge-ort.c`.
 */
export function* applyRenames(state: MergeState, renames: readonly FilePair[]): Steps<boolean> {
  let isClean = true
  for (let i = 0; i < renames.length; i++) {
    const old = state.entries.get((renames[i] as FilePair).oldPath)
    // Nobody asks about a file that the other side left as it was.
    if (old === undefined || old.isClean) continue
    const next = renames[i + 1]
    if (next?.oldPath === (renames[i] as FilePair).oldPath) {
      isClean = (yield* renamedByBoth(state, old, renames[i] as FilePair, next)) && isClean
      i++
    } else yield* new OneRename(state, old, renames[i] as FilePair).apply()
    if (isDue()) yield
  }
  return isClean
}

/** Both sides renamed one file. */
function* renamedByBoth(state: MergeState, base: MergeEntry, our: FilePair, their: FilePair): Steps<boolean> {
  if (our.newPath !== their.newPath) return yield* renamedApart(state, base, our, their)
  const target = state.entry(our.newPath)
  target.versions[BASE] = base.versions[BASE]
  target.files |= BASE_BIT
  base.remove()
  return true
}

/** To different places: the merged content goes to both, and all three paths are in conflict. */
function* renamedApart(state: MergeState, base: MergeEntry, our: FilePair, their: FilePair): Steps<boolean> {
  const [ours, theirs] = [state.entry(our.newPath), state.entry(their.newPath)]
  const versions = [base.versions[BASE], ours.versions[OURS], theirs.versions[THEIRS]] as const
  const { version, isClean } = yield* mergeVersions(state, our.oldPath, { versions, paths: [our.oldPath, our.newPath, their.newPath] }, nestedMarker(state))
  // Where nothing could be merged, each keeps its own.
  const isUnmerged = !isClean && isSameVersion(version, ours.versions[OURS])
  ours.versions[OURS] = version
  if (!isUnmerged) theirs.versions[THEIRS] = version
  for (const entry of [base, ours, theirs]) entry.hasPathConflict = true
  const { labels } = state
  const message = `${our.oldPath} was renamed to ${our.newPath} in ${labels.ours}, and to ${their.newPath} in ${labels.theirs}`
  state.note('rename/rename', [our.oldPath, our.newPath, their.newPath], message)
  return isClean
}

/** Markers stay apart from those of the merge that the result takes part in. */
function nestedMarker({ depth }: MergeState): number {
  return 1 + 2 * depth
}

/** One side renamed a file. */
class OneRename {
  readonly #state: MergeState
  readonly #old: MergeEntry
  readonly #new: MergeEntry
  readonly #oldPath: BytePath
  readonly #newPath: BytePath
  readonly #side: Side
  readonly #other: Side

  constructor(state: MergeState, old: MergeEntry, { oldPath, newPath, side }: FilePair) {
    this.#state = state
    this.#old = old
    this.#new = state.entry(newPath)
    this.#oldPath = oldPath
    this.#newPath = newPath
    this.#side = side
    this.#other = otherSide(side)
  }

  *apply(): Steps<void> {
    const isDeleted = this.#old.files === BASE_BIT
    const isOtherType = !isDeleted && isRegular(this.#old.versions[this.#other].mode) !== isRegular(this.#new.versions[this.#side].mode)
    const isTaken = (this.#new.files & bitOf(this.#other)) !== 0 && !isOtherType
    if (isTaken && !isDeleted) yield* this.#mergeIntoTaken()
    else if (isTaken) this.#noteDeleted()
    else this.#bringOver(isDeleted, isOtherType)
    if (!isOtherType) this.#old.remove()
  }

  /** The other side has another file at the new path: the renamed one is merged for itself first. */
  *#mergeIntoTaken(): Steps<void> {
    const entryOf = (side: Side): MergeEntry => (side === this.#side ? this.#new : this.#old)
    const pathOf = (side: Side): BytePath => (side === this.#side ? this.#newPath : this.#oldPath)
    const versions = [this.#old.versions[BASE], entryOf(OURS).versions[OURS], entryOf(THEIRS).versions[THEIRS]] as const
    const paths = [this.#oldPath, pathOf(OURS), pathOf(THEIRS)] as const
    const { version, isClean } = yield* mergeVersions(this.#state, this.#oldPath, { versions, paths }, nestedMarker(this.#state))
    this.#new.versions[this.#side] = version
    if (isClean) return
    const message = `${this.#oldPath} was renamed to ${this.#newPath}: it has conflicting changes, and another file has that name`
    this.#state.note('rename/collision', [this.#newPath, this.#oldPath], message)
  }

  #noteDeleted(): void {
    this.#new.hasPathConflict = true
    const message = `${this.#oldPath} was renamed to ${this.#newPath} in ${this.#state.label(this.#side)}, but deleted in ${this.#state.label(this.#other)}`
    this.#state.note('rename/delete', [this.#newPath, this.#oldPath], message)
  }

  #bringOver(isDeleted: boolean, isOtherType: boolean): void {
    this.#take(BASE)
    if (isOtherType) {
      this.#old.versions[BASE] = NOTHING
      this.#old.files &= ~BASE_BIT
    } else if (isDeleted) this.#noteDeleted()
    else this.#take(this.#other)
  }

  #take(stage: typeof BASE | Side): void {
    this.#new.versions[stage] = this.#old.versions[stage]
    this.#new.files |= bitOf(stage)
    this.#new.paths[stage] = this.#oldPath
  }
}
