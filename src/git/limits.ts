import { type IgnorableFault, ignorableFaults } from './objects/fsck-messages.ts'
import type { ObjectType } from './objects/oid.ts'

/** What the git library accepts from outside. Every decoder takes the part it needs; `config.ts` fills it. Sizes in bytes. */
export interface GitLimits {
  /** Bytes of one pushed pack on the wire. */
  maxPackBytes: number
  /** Inflated bytes of one object, a delta's result included. */
  maxObjectBytes: number
  /** Inflated bytes of all objects of one pushed pack together, delta results included. */
  maxInflatedBytes: number
  /** Inflated bytes that a pack may hold for each byte of its own, beyond twice `maxObjectBytes`. Limits the work that a small push can cause: zlib alone reaches 1,028. */
  maxExpansion: number
  /** Objects in one pushed pack. */
  maxPackObjects: number
  /** Length of a delta chain. */
  maxDeltaDepth: number
  /** Entries of one tree. */
  maxTreeEntries: number
  /** Directories one inside another that listings and comparisons go down to, and that a filter can tell apart. Fetches have no such limit. */
  maxTreeDepth: number
  /** Inflated bytes of a commit, tag or tree that is parsed as a whole. */
  maxParsedBytes: number
  /** Of them, those that a commit or a tag may have that comes from outside: whoever lists commits reads each as a whole. */
  maxCommitBytes: number
  /** Inflated bytes that a pack's commits and tags may come to together for each of its own, beyond `maxCommitBytes`: whoever walks a history reads them all. */
  maxCommitExpansion: number
  /** Commands in one push, wants or haves in one fetch. */
  maxCommands: number
  /** Faults of objects that are let pass, by git's names for them: see `ignorableFaults`. */
  ignoredFaults: readonly IgnorableFault[]
  /** Bytes that one indexing run may keep as delta bases. */
  deltaCacheBytes: number
}

/** Bytes that an object of a type may have that is parsed as a whole. */
export function mostParsed(type: ObjectType, { maxParsedBytes, maxCommitBytes }: Pick<GitLimits, 'maxParsedBytes' | 'maxCommitBytes'>): number {
  return type === 'tree' ? maxParsedBytes : Math.min(maxParsedBytes, maxCommitBytes)
}

/** Bytes that the objects of a pack of so many may come to. */
export function expandedAtMost({ maxInflatedBytes, maxObjectBytes, maxExpansion }: GitLimits, packBytes: number): number {
  return Math.min(maxInflatedBytes, 2 * maxObjectBytes + maxExpansion * packBytes)
}

/** Characters of a path that listings and comparisons go down to: Linux opens none that is longer, and a few trees nested a thousand deep make paths of megabytes. */
export const MAX_PATH_LENGTH = 4096

const MiB = 1024 * 1024
const GiB = 1024 * MiB

export const defaultLimits: GitLimits = {
  maxPackBytes: 4 * GiB,
  maxObjectBytes: 512 * MiB,
  maxInflatedBytes: 64 * GiB,
  maxExpansion: 256,
  maxPackObjects: 20_000_000,
  maxDeltaDepth: 4095,
  maxTreeEntries: 250_000,
  maxTreeDepth: 1024,
  maxParsedBytes: 64 * MiB,
  maxCommitBytes: MiB,
  maxCommitExpansion: 64,
  maxCommands: 100_000,
  ignoredFaults: [],
  deltaCacheBytes: 96 * MiB,
}

/** The limits for packs of what is stored: many pushes have brought it, by the limits and rules of their time. What readers cannot live with is a fault still. */
export function limitsOfStored(limits: GitLimits): GitLimits {
  return {
    ...limits,
    maxPackBytes: Infinity,
    maxObjectBytes: Infinity,
    maxPackObjects: Infinity,
    maxInflatedBytes: Infinity,
    maxExpansion: Infinity,
    maxCommitExpansion: Infinity,
    maxTreeEntries: Infinity,
    maxCommitBytes: limits.maxParsedBytes,
    ignoredFaults: ignorableFaults,
  }
}
