import { type Visit, Ways } from '#web/index.ts'
import { type FeedKind, feedKinds } from './kinds.ts'

const words: Record<FeedKind, string> = {
  pushes: 'Pushes',
  issues: 'Issues',
  pulls: 'Pull requests',
  releases: 'Releases',
  repositories: 'Repositories',
}

/** By which kind of things a feed is narrowed down. @param without parameters of the page that the choice ends, as the number of a page of the feed */
export function KindWays({ visit, now, without }: { visit: Visit; now: FeedKind | undefined; without?: readonly string[] }) {
  const choices = [[undefined, 'All'] as const, ...feedKinds.map((kind) => [kind, words[kind]] as const)]
  return <Ways visit={visit} label="Filter by type" name="kind" choices={choices} now={now} without={without} />
}
