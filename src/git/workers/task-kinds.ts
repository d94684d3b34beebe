import type { ShardName } from './shard-tasks.ts'
import type { StreamName } from './stream-tasks.ts'
import type { TaskName } from './tasks.ts'

/** What the pool goes by when it gives a call to a thread, and when it ends one before it is done. */
export interface TaskKind {
  /** Over in a moment: it shares a thread that is there. One of its own would have read and compiled nothing yet, which takes longer than the work. */
  isBrief?: boolean
  /** Nobody waits for it: a thread that did nothing else is not kept, with all that it has read. */
  isBackground?: boolean
  /** It can wait, and may be long: see `DeferredWork`. */
  isDeferred?: boolean
  /** The next start does it as well: it is left off when the server stops. */
  isLeftOff?: boolean
  /** It ends when all have left who wait for it, wherever it breathes: only what reads may. */
  isReading?: boolean
  /**
   * It may hold its thread for seconds: two files that differ in very many lines are compared in one go. One thread is kept free of such work, or a
   * few comparisons would keep everybody else waiting.
   */
  isHolding?: boolean
  /** Bytes of the shared memory budget that the task reserves before it begins. See `memoryOf`. */
  memory?: number
}

const MiB = 1024 * 1024
/** The default memory budget of all tasks together: the delta bases of three large packs, or three blames. */
export const MEMORY_BYTES = 3 * 96 * MiB

/** Short, or bounded by what its caller asks for; or it writes, and so goes on to its end. */
const ordinary: TaskKind = {}
const longReading: TaskKind = { isReading: true }
/** For the log of a path. */
const WALK_BYTES = 32 * MiB
const walking: TaskKind = { isReading: true, memory: WALK_BYTES }
const comparing: TaskKind = { isReading: true, isHolding: true, memory: 48 * MiB }
/** What follows each push. */
const followUp: TaskKind = { isBrief: true, isBackground: true }
const upkeep: TaskKind = { isBackground: true, isDeferred: true, isLeftOff: true }

/** Every task, so that a new one does not compile before it has its kind. */
export const taskKinds: Record<TaskName, TaskKind> = {
  applyPatch: ordinary,
  areReached: upkeep,
  areSameChanges: comparing,
  blame: { ...comparing, memory: 96 * MiB },
  checkPacks: ordinary,
  checkReach: ordinary,
  commitTimes: followUp,
  compareTips: walking,
  consolidate: upkeep,
  containing: longReading,
  countCommits: longReading,
  countEach: longReading,
  describeTags: ordinary,
  diffFiles: comparing,
  diffText: comparing,
  digestChanges: comparing,
  findPaths: longReading,
  findPlaces: comparing,
  followLines: comparing,
  historyStats: longReading,
  isAncestor: ordinary,
  joinSmallPacks: upkeep,
  lastCommits: longReading,
  listAlong: ordinary,
  listCommits: longReading,
  listPushed: followUp,
  listPushedMessages: followUp,
  listTree: longReading,
  look: ordinary,
  lookAtMoves: ordinary,
  makeObjects: ordinary,
  measureMoves: longReading,
  mergeBase: longReading,
  mergeability: longReading,
  objectTypes: ordinary,
  openConflicts: longReading,
  openEntries: ordinary,
  openPath: ordinary,
  charsetAt: ordinary,
  packReachable: ordinary,
  packRefs: followUp,
  rangeDiff: comparing,
  readBeginning: ordinary,
  readBlobs: ordinary,
  readCommit: ordinary,
  readCommits: ordinary,
  readLines: ordinary,
  readLog: walking,
  readNote: ordinary,
  spoolBlob: ordinary,
  sumPacks: ordinary,
  surveyCommit: { ...followUp, isDeferred: true, isLeftOff: true },
  versionDiff: comparing,
  writeBitmaps: upkeep,
  writeCommitGraph: { isBackground: true, isDeferred: true },
  writeRefs: followUp,
}

/** Streams end by their own `abort`. */
export const streamKinds: Record<StreamName, TaskKind> = {
  advertise: ordinary,
  archive: { memory: 32 * MiB },
  bring: ordinary,
  bundle: ordinary,
  diffText: { isHolding: true },
  importRepository: ordinary,
  rangePatches: { isHolding: true },
  receive: ordinary,
  upload: ordinary,
}

export const shardKinds: Record<ShardName, TaskKind> = {
  makePatches: { isHolding: true },
  resolveShard: ordinary,
}

/** Whether a call may hold its thread: also where lines of commits are counted, by comparing their files. */
export function mayHold({ isHolding = false }: TaskKind, input: unknown): boolean {
  return isHolding || (input as { details?: { stat?: boolean } }).details?.stat === true
}

/** Returns the bytes that a call reserves. A task that sends at its client's pace reserves nothing, or a few slow clients would block everybody else. */
export function memoryOf({ memory = 0 }: TaskKind, input: unknown): number {
  const { isPaced, range } = input as { isPaced?: boolean; range?: { path?: string | undefined } }
  if (isPaced === true) return 0
  return range?.path === undefined ? memory : Math.max(memory, WALK_BYTES)
}
