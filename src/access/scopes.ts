/** What a token may touch. Source: Gitea's `models/auth/access_token_scope.go`, as compatibility.md §3.4 sums it up. */
export const categories = ['activitypub', 'admin', 'issue', 'misc', 'notification', 'organization', 'package', 'repository', 'user'] as const
export type Category = (typeof categories)[number]

export type Scope = 'all' | 'public-only' | `${'read' | 'write'}:${Category}`

/** The level a request needs of a category: reading methods read, all others write. */
export function neededLevel(method: string): 'read' | 'write' {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write'
}

/** A token's scopes, parsed. `null` stands for no restriction at all (a password, a session). */
export interface Grant {
  all: boolean
  publicOnly: boolean
  levels: Partial<Record<Category, 'read' | 'write'>>
  /** The repositories that it is limited to: of others it reads what is public. Absent: not limited. */
  repoIds?: ReadonlySet<number>
}

/**
 * Normalizes what a client asked for: no duplicates, write swallows read, the whole set becomes `all`.
 * Legacy `sudo` is ignored. @returns undefined and the culprit's name when a scope is not known
 */
export function normalizeScopes(asked: readonly string[]): { scopes: string } | { unknown: string } {
  const grant: Grant = { all: false, publicOnly: false, levels: {} }
  for (const raw of asked) {
    const scope = raw.trim()
    if (scope === '' || scope === 'sudo') continue
    if (!addScope(grant, scope)) return { unknown: scope }
  }
  return { scopes: formatGrant(grant) }
}

/** A token that was made before there were scopes has none, and may do everything. */
export function parseGrant(scopes: string): Grant {
  const grant: Grant = { all: scopes === '', publicOnly: false, levels: {} }
  for (const scope of scopes.split(',')) addScope(grant, scope)
  return grant
}

/** The scopes of a row as the API lists them. */
export function listScopes(scopes: string): string[] {
  return scopes === '' ? ['all'] : scopes.split(',')
}

/** Whether `grant` holds `level` of each of `needed`. */
export function grants(grant: Grant, needed: readonly Category[], level: 'read' | 'write'): boolean {
  return grant.all || needed.every((category) => grant.levels[category] === 'write' || (level === 'read' && grant.levels[category] === 'read'))
}

/**
 * Whether whoever holds `grant` could do all that a token of these scopes can; no token makes one that can do more.
 * @param repoIds that it is limited to
 */
export function covers(grant: Grant, scopes: string, repoIds?: readonly number[]): boolean {
  const asked = parseGrant(scopes)
  if (grant.publicOnly && !asked.publicOnly) return false
  if (grant.repoIds && !repoIds?.every((id) => grant.repoIds?.has(id))) return false
  return grant.all || (!asked.all && Object.entries(asked.levels).every(([category, level]) => grants(grant, [category as Category], level)))
}

const scopesInRepos: readonly Category[] = ['issue', 'repository']

/** The first scope that means nothing for single repositories; a token that is limited to some cannot have it. */
export function findScopeBeyondRepos(scopes: string): string | undefined {
  return listScopes(scopes).find((scope) => !scopesInRepos.some((category) => scope.endsWith(`:${category}`)))
}

/** Whether what the grant allows in this repository goes beyond what everybody may read there. */
export function isNamedBy(grant: Grant | undefined, repoId: number): boolean {
  // A wiki goes by its repository's id, negated.
  return grant?.repoIds === undefined || grant.repoIds.has(Math.abs(repoId))
}

function addScope(grant: Grant, scope: string): boolean {
  if (scope === 'all') grant.all = true
  else if (scope === 'public-only') grant.publicOnly = true
  else {
    const [level, name, ...more] = scope.split(':')
    const category = categories.find((one) => one === name)
    if ((level !== 'read' && level !== 'write') || category === undefined || more.length > 0) return false
    if (grant.levels[category] !== 'write') grant.levels[category] = level
  }
  return true
}

function formatGrant(grant: Grant): string {
  const all = grant.all || categories.every((category) => grant.levels[category] === 'write')
  const levels = all ? ['all'] : categories.flatMap((category) => (grant.levels[category] ? [`${grant.levels[category]}:${category}`] : []))
  return [...levels, ...(grant.publicOnly ? ['public-only'] : [])].join(',')
}
