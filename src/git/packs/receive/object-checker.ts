import { type GitLimits, mostParsed } from '../../limits.ts'
import { checkCommit } from '../../objects/check-commit.ts'
import { checkTag } from '../../objects/check-tag.ts'
import { type OnTreeLink, TreeChecker } from '../../objects/check-tree.ts'
import { fault } from '../../objects/fault.ts'
import type { ObjectFormat, ObjectType } from '../../objects/oid.ts'
import type { RunRecorder } from '../delta-into.ts'
import { COMMIT, TAG, TREE, typeCode, typeName } from '../entry.ts'
import type { BaseFrame } from './base-stack.ts'
import type { EntryColumns } from './entry-table.ts'
import { oidOf } from './entry-table.ts'
import { IS_ATTRIBUTES, IS_MODULES, LinkTable } from './link-table.ts'
import { nameObject, refusedFor } from './refusal.ts'
import { TagTargets } from './tag-targets.ts'

/** How many objects outside of it a pack may link to. */
const MOST_OUTSIDE_LINKS = 4_000_000
/**
 * How many objects a pack may link to while it arrives, besides so many for each that it has brought: commits and tags alone are looked at
 * then. How many it announces tells nothing, and who sends slowly holds the links for long.
 */
const MOST_EARLY_LINKS = 100_000
const EARLY_LINKS_EACH = 16

/** Checks the syntax of objects and notes what they link to. Each thread has its own. */
export class ObjectChecker {
  readonly links: LinkTable
  readonly tags: TagTargets
  readonly #format: ObjectFormat
  readonly #limits: GitLimits
  readonly #trees: TreeChecker
  readonly #ignored: ReadonlySet<string>
  #bytes: Uint8Array = new Uint8Array()

  /** @param entries how many the pack has; undefined where it is about to arrive */
  constructor(format: ObjectFormat, limits: GitLimits, entries?: number) {
    this.#format = format
    this.#limits = limits
    this.#ignored = new Set(limits.ignoredFaults)
    this.tags = new TagTargets(format.rawLength)
    this.links = new LinkTable(0)
    this.setArrived(entries ?? 0, entries !== undefined)
    const onLink: OnTreeLink = (at, type, readByGit) =>
      this.links.add(this.#bytes, at, (1 << typeCode(type)) | (readByGit === undefined ? 0 : readByGit === 'modules' ? IS_MODULES : IS_ATTRIBUTES))
    this.#trees = new TreeChecker(format.rawLength, limits.maxTreeEntries, onLink, this.#ignored)
  }

  /** To be told how many entries a pack has that arrives, or has arrived. */
  setArrived(entries: number, isWhole: boolean): void {
    this.links.maxLinks = isWhole ? entries + MOST_OUTSIDE_LINKS : EARLY_LINKS_EACH * entries + MOST_EARLY_LINKS
  }

  /** Checks a commit or a tag; blobs pass, trees are not for it. @throws GitError "Cannot accept pack", with the object's name */
  checkText(columns: EntryColumns, entry: number, type: number, bytes: Uint8Array, start: number, end: number): void {
    if (type !== COMMIT && type !== TAG) return
    this.links.from = entry
    const onLink = (at: number, target: ObjectType): void => {
      this.links.addHex(bytes, at, 1 << typeCode(target))
      if (type === TAG) this.tags.add(entry, bytes, at)
    }
    try {
      this.#refuseSize(type, end - start)
      if (type === COMMIT) checkCommit(bytes, start, end, this.#format.hexLength, onLink, this.#ignored)
      else checkTag(bytes, start, end, this.#format.hexLength, onLink, this.#ignored)
    } catch (error) {
      throw refusedFor(error, nameObject(typeName(type), oidOf(columns, entry)))
    }
  }

  /** Checks a tree that is no delta but may have deltas made from it. */
  checkRootTree(columns: EntryColumns, entry: number, tree: BaseFrame): void {
    this.links.from = entry
    this.#bytes = tree.bytes
    try {
      this.#refuseSize(TREE, tree.length)
      this.#trees.check(tree.bytes, tree.start, tree.start + tree.length, tree.edges.at < 0 ? undefined : tree.edges)
    } catch (error) {
      throw refusedFor(error, nameObject('tree', oidOf(columns, entry)))
    }
  }

  /** Checks an object made by a walk; of a tree only what is not copied from its base, which has passed. */
  checkMade(columns: EntryColumns, entry: number, type: number, made: BaseFrame, base: BaseFrame, runs: RunRecorder): void {
    if (type !== TREE) return this.checkText(columns, entry, type, made.bytes, made.start, made.start + made.length)
    this.links.from = entry
    this.#bytes = made.bytes
    try {
      this.#refuseSize(type, made.length)
      this.#checkTree(made, base, runs)
    } catch (error) {
      throw refusedFor(error, nameObject('tree', oidOf(columns, entry)))
    }
  }

  #checkTree(made: BaseFrame, base: BaseFrame, runs: RunRecorder): void {
    const end = made.start + made.length
    if (made.edges.at < 0) return this.#trees.check(made.bytes, made.start, end)
    if (base.edges.at >= 0 && base.edges.count === 0) this.#trees.findEdges(base.bytes, base.start, base.start + base.length, base.edges)
    if (base.edges.count > 0 && this.#trees.checkChanged(made.bytes, made.start, end, base.edges, runs, made.edges)) return
    this.#trees.check(made.bytes, made.start, end, made.edges)
  }

  #refuseSize(type: number, size: number): void {
    const most = mostParsed(typeName(type), this.#limits)
    if (size > most) throw fault('limit', `its ${size} bytes are over the limit of ${most} for a ${typeName(type)}`)
  }
}
