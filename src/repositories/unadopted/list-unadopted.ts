import type { Context } from '#context.ts'
import { checkRepoName } from '#repositories/repos/index.ts'
import { listOwnerPlaces, listRepoPlaces } from './places.ts'
import { listAccountNames, listRepoNames } from './store.ts'

/** Names looked at for one list; what lies beyond shows up once others have been adopted. */
const MAX_LOOKED_AT = 100_000

/**
 * The repositories that wait for adoption, as `owner/name`, sorted: their owner exists, and has no repository of that name.
 * `pattern` is `owner` or `owner/name` with `*`, `?`, `[…]` and `{…,…}`, in letters of either case.
 */
export async function listUnadopted(context: Pick<Context, 'db' | 'git'>, pattern: string): Promise<string[]> {
  const matches = matcherOf(pattern)
  const places = (await listOwnerPlaces(context)).filter((owner) => matches.owner(owner))
  const accounts = listAccountNames(context.db, lower(places))
  const owners = places.filter((owner) => accounts.has(owner.toLowerCase())).sort()
  const found: string[] = []
  let lookedAt = 0
  for (const owner of owners) {
    const names = await listRepoPlaces(context, owner)
    const seen = names.slice(0, MAX_LOOKED_AT - lookedAt)
    lookedAt += seen.length
    for (const name of seen) if (matches.name(name) && isRepoName(name)) found.push(`${owner}/${name}`)
  }
  const taken = listRepoNames(context.db, lower(owners))
  return found.filter((name) => !taken.has(name.toLowerCase())).sort()
}

/** As Gitea has it: what stands before the first slash is about owners, the rest about names; either may be left out. */
function matcherOf(pattern: string): { owner(text: string): boolean; name(text: string): boolean } {
  const slash = pattern.indexOf('/')
  return slash < 0 ? { owner: globOf(pattern), name: () => true } : { owner: globOf(pattern.slice(0, slash)), name: globOf(pattern.slice(slash + 1)) }
}

function globOf(pattern: string): (text: string) => boolean {
  if (pattern === '') return () => true
  const glob = new Bun.Glob(pattern.toLowerCase())
  return (text) => glob.match(text.toLowerCase())
}

function isRepoName(name: string): boolean {
  try {
    checkRepoName(name)
    return true
  } catch {
    return false
  }
}

function lower(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase())
}
