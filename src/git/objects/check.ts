import { type GitLimits, mostParsed } from '../limits.ts'
import { checkCommit } from './check-commit.ts'
import { checkTag } from './check-tag.ts'
import { type OnTreeLink, TreeChecker } from './check-tree.ts'
import { fault } from './fault.ts'
import type { ObjectFormat, ObjectType, Oid } from './oid.ts'
import { oidAt } from './oid.ts'

/** A link from an object to another one: a tree's entry, a commit's tree or parent, a tag's target. */
export interface ObjectLink {
  oid: Oid
  type: ObjectType
}

export interface CheckedObject {
  links: ObjectLink[]
  /** Blobs that are a `.gitmodules` file in a tree: see `checkGitmodules`. */
  modules: Oid[]
  /** Blobs that are a `.gitattributes` file in a tree: see `checkGitattributes`. */
  attributes: Oid[]
}

/**
 * Checks the content of a commit, tree or tag as `git fsck` does (what it only warns of passes, hostile tree names excepted)
 * and lists what it links to. Blobs always pass.
 * @throws GitError `corrupt` for bad syntax, `refused` for hostile content, `limit` when it is too large
 */
export function checkObject(format: ObjectFormat, type: ObjectType, data: Uint8Array, limits: GitLimits): CheckedObject {
  const found: CheckedObject = { links: [], modules: [], attributes: [] }
  if (type === 'blob') return found
  const most = mostParsed(type, limits)
  if (data.length > most) throw fault('limit', `its ${data.length} bytes are over the limit of ${most} for a ${type}`)
  const hexLength = format.hexLength
  const ignored = new Set(limits.ignoredFaults)
  if (type === 'commit')
    checkCommit(data, 0, data.length, hexLength, (at, target) => found.links.push({ oid: asciiOid(data, at, hexLength), type: target }), ignored)
  if (type === 'tag') checkTag(data, 0, data.length, hexLength, (at, target) => found.links.push({ oid: asciiOid(data, at, hexLength), type: target }), ignored)
  if (type === 'tree') checkTreeObject(format, data, limits, ignored, found)
  return found
}

function checkTreeObject(format: ObjectFormat, data: Uint8Array, limits: GitLimits, ignored: ReadonlySet<string>, found: CheckedObject): void {
  const onLink: OnTreeLink = (at, target, readByGit) => {
    const oid = oidAt(data, at, format.rawLength)
    found.links.push({ oid, type: target })
    if (readByGit === 'modules') found.modules.push(oid)
    if (readByGit === 'attributes') found.attributes.push(oid)
  }
  const checker = new TreeChecker(format.rawLength, limits.maxTreeEntries, onLink, ignored)
  checker.check(data, 0, data.length)
}

function asciiOid(data: Uint8Array, at: number, hexLength: number): Oid {
  return Buffer.prototype.latin1Slice.call(data, at, at + hexLength) as Oid
}
