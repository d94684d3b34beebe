import { atLeast, isWikiId, type RepoAccess, type UserRow } from '#access/index.ts'
import { faultOfName, HEADS, isRefName } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { findRef } from '#repositories/refs/index.ts'
import { findOpen, type OpenPull } from './store.ts'

/** Where changes are pushed that are to become a pull request. */
export const FOR = 'refs/for/'
/** Names are shown, and kept by the thousand. */
const MAX_TOPIC = 200

/** Whoever may read the code and the pull requests of a repository may propose changes. */
export function mayPropose({ row, permission }: RepoAccess): boolean {
  return !isWikiId(row.id) && atLeast(permission.of('code'), 'read') && atLeast(permission.of('pulls'), 'read')
}

/** What a push to `refs/for/` asks for. */
export interface Proposal {
  /** As it was pushed. */
  ref: string
  base: string
  /** What stands for the branch that there is not: the pusher's name, and the topic. */
  head: string
  title: string
  description: string
  /** History may be rewritten. */
  isForced: boolean
  /** The open one that the push goes to. */
  pull: OpenPull | undefined
}

/**
 * Reads `refs/for/<branch>/<topic>`, or `refs/for/<branch>` with the push option `topic`; further options are `title`, `description` and
 * `force-push`. @returns why it cannot be, in Gitea's or git's words, as text
 */
export function parseProposal(db: Db, repo: RepoAccess, pusher: UserRow, ref: string, options: readonly string[]): Proposal | string {
  if (repo.row.is_empty === 1) return "Can't create pull request for an empty repository."
  const fault = faultOfName(ref)
  if (fault !== undefined) return fault
  const values = valuesOf(options)
  const { base, topic = values.get('topic') ?? '' } = splitName(db, repo.row.id, ref.slice(FOR.length)) ?? {}
  if (base === undefined) return 'base-branch does not exist'
  if (topic === '') return 'topic-branch is not set'
  const head = topic.startsWith(`${pusher.lower_name}/`) ? topic : `${pusher.lower_name}/${topic}`
  if (topic.length > MAX_TOPIC || !isRefName(HEADS + head)) return 'topic-branch is not a valid branch name'
  const between = { repo_id: repo.row.id, base_branch: base, head_repo_id: repo.row.id, head_branch: head, flow: 1 as const }
  return {
    ref,
    base,
    head,
    title: decoded(values.get('title')),
    description: decoded(values.get('description')),
    isForced: isOn(values.get('force-push')),
    pull: findOpen(db, between),
  }
}

/** The longest part that is a branch as a whole, or else the shortest one with a topic behind it. */
function splitName(db: Db, repoId: number, name: string): { base: string; topic?: string } | undefined {
  const isBranch = (branch: string) => branch !== '' && findRef(db, repoId, HEADS + branch) !== undefined
  if (isBranch(name)) return { base: name }
  for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
    if (isBranch(name.slice(0, slash))) return { base: name.slice(0, slash), topic: name.slice(slash + 1) }
  }
  return undefined
}

/** The last one counts. */
function valuesOf(options: readonly string[]): Map<string, string> {
  return new Map(
    options.map((option) => {
      const [, key = option, value = ''] = /^([^=]*)=(.*)$/s.exec(option) ?? []
      return [key, value]
    }),
  )
}

/** Options are one line each: what has more comes in base64. */
function decoded(value = ''): string {
  const text = value.startsWith('{base64}') ? Buffer.from(value.slice('{base64}'.length), 'base64').toString('utf8') : value
  return text.trim()
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ['', '1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)
}
