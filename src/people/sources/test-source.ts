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
  if (source.kind === 'oauth2') return { ok: false, message: 'People sign in there with their browser.' }
  const found = await askSource(context, source, username, password)
  return found
    ? { ok: true, message: 'It lets them in.', user: presentFound(found) }
    : { ok: false, message: 'It does not let them in: nobody there has this name and password, or a filter keeps them out.' }
}

/** A site that is no OpenID provider says nothing of itself. */
async function probeOauth2({ config }: Pick<Context, 'config'>, { config: settings }: SourceOf<'oauth2'>): Promise<Answer> {
  const { provider, discovery_url: address, tls_ca: authorities } = withTenant(settings)
  if (provider !== 'openidConnect') return { ok: false, message: 'Only a sign-in in a browser tells whether it can be asked.' }
  const policy = () => parseHostList(['external', 'private', 'loopback'])
  const request = { policy, seconds: PROBE_SECONDS, maxBytes: PROBE_BYTES, authorities }
  try {
    const { issuer } = await readOpenIdDocument((url) => new GuardedClient(config).request(url, request), address)
    return { ok: true, message: `It is reached, and calls itself ${issuer}.` }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ok: false, message: error.message }
  }
}

async function probe(context: Pick<Context, 'config'>, source: Source): Promise<Answer> {
  if (source.kind === 'oauth2') return probeOauth2(context, source)
  if (source.kind !== 'ldap') return { ok: false, message: 'Only a sign-in tells whether it can be asked: give a user and a password.' }
  using directory = await Directory.open(context.config, source.config, personLimits, AbortSignal.timeout(source.config.timeout_seconds * 1000))
  if (source.config.user_dn !== '') return { ok: true, message: 'It is reached.' }
  await directory.bindAsSearcher()
  const found = await directory.search(source.config.user_search_base, { filter: '(objectClass=*)', attributes: ['1.1'], scope: 'base', limit: 1 })
  return found.length === 1
    ? { ok: true, message: 'It is reached, and shows where people are.' }
    : { ok: false, message: 'It is reached, and has nothing at user_search_base, or does not show it.' }
}
