import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { GuardedClient, parseHostList } from '#outbound/network/index.ts'
import { askSource } from './ask.ts'
import { SourceUnavailable } from './found.ts'
import { Directory, personLimits } from './ldap/directory.ts'
import { withTenant } from './oauth2-config.ts'
import { readOpenIdDocument } from './openid-document.ts'
import type { AuthSourceTest, TestAuthSourceOption } from './schema.ts'
import type { Source, SourceOf } from './source.ts'
import { presentFound } from './view.ts'

const PROBE_SECONDS = 10
const PROBE_BYTES = 524_288

type Answer = Static<typeof AuthSourceTest>

/** Asks a source as it is set up, in use or not, and tells what came of it. No account is made or changed. */
export async function testSource(
  context: Pick<Context, 'config' | 'services'>,
  source: Source,
  { username = '', password = '' }: Static<typeof TestAuthSourceOption>,
): Promise<Answer> {
  try {
    return username === '' ? await probe(context, source) : await trySigningIn(context, source, username, password)
  } catch (error) {
    if (!(error instanceof SourceUnavailable)) throw error
    return { ok: false, message: error.message }
  }
}

async function trySigningIn(context: Pick<Context, 'config' | 'services'>, source: Source, username: string, password: string): Promise<Answer> {
  if (source.kind === 'oauth2') return { ok: false, message: 'Users of this source sign in with their browser.' }
  const found = await askSource(context, source, username, password)
  return found
    ? { ok: true, message: 'The sign-in succeeded.', user: presentFound(found) }
    : { ok: false, message: 'The sign-in was rejected. The username or password is incorrect, or a filter excludes the user.' }
}

/** A site that is no OpenID provider says nothing of itself. */
async function probeOauth2({ config }: Pick<Context, 'config'>, { config: settings }: SourceOf<'oauth2'>): Promise<Answer> {
  const { provider, discovery_url: address, tls_ca: authorities } = withTenant(settings)
  if (provider !== 'openidConnect') return { ok: false, message: 'This source can be tested only by signing in with a browser.' }
  const policy = () => parseHostList(['external', 'private', 'loopback'])
  const request = { policy, seconds: PROBE_SECONDS, maxBytes: PROBE_BYTES, authorities }
  try {
    const { issuer } = await readOpenIdDocument((url) => new GuardedClient(config).request(url, request), address)
    return { ok: true, message: `Connected to ${issuer}.` }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ok: false, message: error.message }
  }
}

async function probe(context: Pick<Context, 'config'>, source: Source): Promise<Answer> {
  if (source.kind === 'oauth2') return probeOauth2(context, source)
  if (source.kind !== 'ldap') return { ok: false, message: 'This source can be tested only with a sign-in. Enter a username and a password.' }
  using directory = await Directory.open(context.config, source.config, personLimits, AbortSignal.timeout(source.config.timeout_seconds * 1000))
  if (source.config.user_dn !== '') return { ok: true, message: 'Connected to the server.' }
  await directory.bindAsSearcher()
  const found = await directory.search(source.config.user_search_base, { filter: '(objectClass=*)', attributes: ['1.1'], scope: 'base', limit: 1 })
  return found.length === 1
    ? { ok: true, message: 'Connected to the server and found user_search_base.' }
    : { ok: false, message: 'Connected to the server, but user_search_base does not exist or is not readable.' }
}
