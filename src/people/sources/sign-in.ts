import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { askSource } from './ask.ts'
import { type FoundPerson, SourceUnavailable } from './found.ts'
import { settle } from './settle.ts'
import { findSource, listSources, type Source } from './source.ts'

/**
 * Asks the source that an account comes from, under the name that it has there; or, where no account has the name, those in use one after
 * the other: the first that knows the password has its person's account, which is made if need be.
 * A source that cannot be asked counts as one that says no, and the log tells.
 * @throws Forbidden when a source knows the person, and no account can be made for them
 */
export async function signInElsewhere(context: Context, name: string, password: string, known: UserRow | undefined): Promise<UserRow | undefined> {
  for (const source of sourcesFor(context, known)) {
    const found = await tryAsking(context, source, known?.login_name ?? name, password)
    if (found) return known && !isSame(found, known) ? undefined : settle(context, source, known ? { ...found, loginName: known.login_name } : found)
  }
  return undefined
}

function sourcesFor(context: Pick<Context, 'db' | 'secrets' | 'log'>, known: UserRow | undefined): Source[] {
  if (!known) return listSources(context, { isActive: true })
  const source = findSource(context, known.login_source)
  return source?.isActive ? [source] : []
}

async function tryAsking(
  context: Pick<Context, 'config' | 'services' | 'log'>,
  source: Source,
  name: string,
  password: string,
): Promise<FoundPerson | undefined> {
  try {
    const found = await askSource(context, source, name, password)
    if (found?.loginName !== '') return found
    context.log.warn(`authentication source "${source.name}" returned no username for a successful sign-in`)
  } catch (error) {
    if (!(error instanceof SourceUnavailable)) throw error
    context.log.warn(`authentication source "${source.name}" failed: ${error.message}`)
  }
  return undefined
}

/** A filter may find people by more than their name: the one who is found now must be the one whom the account was made for. */
function isSame(found: FoundPerson, known: UserRow): boolean {
  return found.loginName.toLowerCase() === known.login_name.toLowerCase()
}
