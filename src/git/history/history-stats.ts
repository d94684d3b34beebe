import { breathe, isDue } from '#kernel/breathe.ts'
import { commitDetails, readShortened } from '../browse/commit-details.ts'
import type { Oid } from '../objects/oid.ts'
import type { CommitSource } from './commit-source.ts'
import { walkCommits } from './walk.ts'

export interface Tally {
  commits: number
  additions: number
  deletions: number
}

/** `week` counts from that of 1970-01-01 and begins on a Sunday, UTC. */
export interface WeekTally extends Tally {
  week: number
}

export interface AuthorTally extends Tally {
  /** As their newest commit has it. */
  name: string
  email: string
}

/** Who has done how much, and when. Merges are not counted: what they bring is there already. */
export interface HistoryStats {
  /** In their order; those without commits are left out. */
  weeks: WeekTally[]
  /** Those with the most commits first. */
  authors: AuthorTally[]
  authorCount: number
  commits: number
  /** Whether time ran out before all commits were counted, the oldest last. */
  isCut: boolean
  /** The date of the oldest commit whose lines were counted, in seconds; undefined where those of all were. */
  linesSince?: number
}

export interface StatsOptions {
  tip: Oid
  /** Seconds since 1970. */
  since?: number
  /** For commits, and then as much for their lines. */
  milliseconds: number
  /** Authors that are listed. */
  maxAuthors: number
}

interface Counted {
  oid: Oid
  seconds: number
  week: WeekTally
  author: AuthorTally
}

/** What is kept of a history to count lines, and how many different authors: both are of strangers' making. */
const MAX_LOOKED_INTO = 50_000
const MAX_AUTHORS = 50_000
const DAY = 86_400
/** The first of January 1970 was a Thursday. */
const FIRST_DAY = 4
/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** The week that a time is in, which may be anything that people write. */
export function weekOf(seconds: number): number {
  return Math.floor((Math.floor(Math.min(Math.max(seconds, 0), LAST_SECOND) / DAY) + FIRST_DAY) / 7)
}

/** When a week begins, in seconds. */
export function startOfWeek(week: number): number {
  return (week * 7 - FIRST_DAY) * DAY
}

export async function historyStats(source: CommitSource, options: StatsOptions): Promise<HistoryStats> {
  const weeks = new Map<number, WeekTally>()
  const authors = new Map<string, AuthorTally>()
  const counted: Counted[] = []
  const end = performance.now() + options.milliseconds
  let [commits, isCut] = [0, false]
  for (const id of walkCommits(source, { include: [options.tip], since: options.since })) {
    if (performance.now() > end || authors.size >= MAX_AUTHORS) {
      isCut = true
      break
    }
    if (isDue()) await breathe()
    if (source.parents(id).length > 1) continue
    const one = count(weeks, authors, source, id)
    commits++
    if (counted.length < MAX_LOOKED_INTO) counted.push(one)
  }
  const linesSince = await countLines(source, counted, commits, options.milliseconds)
  const most = [...authors.values()].sort((a, b) => b.commits - a.commits).slice(0, options.maxAuthors)
  const inOrder = [...weeks.values()].sort((a, b) => a.week - b.week)
  return { weeks: inOrder, authors: most, authorCount: authors.size, commits, isCut, ...(linesSince === undefined ? {} : { linesSince }) }
}

function count(weeks: Map<number, WeekTally>, authors: Map<string, AuthorTally>, source: CommitSource, id: number): Counted {
  const oid = source.oid(id)
  const { author: who } = readShortened(source.store, oid)
  const key = who.email.toLowerCase()
  const author = authors.get(key) ?? { name: who.name, email: who.email, commits: 0, additions: 0, deletions: 0 }
  const number = weekOf(who.seconds)
  const week = weeks.get(number) ?? { week: number, commits: 0, additions: 0, deletions: 0 }
  authors.set(key, author)
  weeks.set(number, week)
  author.commits++
  week.commits++
  return { oid, seconds: who.seconds, week, author }
}

/** The newest first, as far as time allows. @returns the date of the last one that was looked into, unless that was the last of all */
async function countLines({ store }: CommitSource, counted: readonly Counted[], commits: number, milliseconds: number): Promise<number | undefined> {
  const end = performance.now() + milliseconds
  let done = 0
  for (const { oid, week, author } of counted) {
    if (performance.now() > end) break
    const { stats } = await commitDetails(store, oid, { files: false, stat: true })
    for (const tally of [week, author]) {
      tally.additions += stats?.additions ?? 0
      tally.deletions += stats?.deletions ?? 0
    }
    done++
  }
  return done === commits ? undefined : counted[Math.max(0, done - 1)]?.seconds
}
