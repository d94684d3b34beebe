import { type OutboundAnswer, objectIn, Unreachable, webAddress } from '#outbound/network/index.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'
const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** What an OpenID provider says of itself, its members unchecked but for these. */
export type OpenIdDocument = Record<string, unknown> & { issuer: string } & Record<(typeof needed)[number], string> & { userinfo_endpoint?: string }

/**
 * Asks a provider what it says of itself: OpenID Connect Discovery 1.0, section 4.
 * @param ask the guarded client, with its policy
 * @param discoveryUrl the document's address, or the issuer's, which it lies below
 * @throws Unreachable when it says nothing, or what cannot be followed
 */
export async function readOpenIdDocument(ask: (address: string) => Promise<OutboundAnswer>, discoveryUrl: string): Promise<OpenIdDocument> {
  const address = documentAddress(discoveryUrl)
  const said = objectIn(await ask(address.href), 'OpenID discovery document')
  for (const name of [...needed, 'userinfo_endpoint']) {
    if (name === 'userinfo_endpoint' && said[name] === undefined) continue
    if (address.protocol === 'https:' && webAddress(said[name], name).protocol !== 'https:') throw new Unreachable(`The ${name} does not use HTTPS`)
    webAddress(said[name], name)
  }
  return { ...said, issuer: issuerOf(address, said.issuer) } as OpenIdDocument
}

function documentAddress(text: string): URL {
  const url = webAddress(text, 'discovery URL')
  if (!url.pathname.endsWith(WELL_KNOWN)) url.pathname = url.pathname.replace(/\/+$/, '') + WELL_KNOWN
  return url
}

/** A document is believed about the issuer whose address it lies under, and no other: section 4.3. */
function issuerOf(address: URL, said: unknown): string {
  const root = address.origin + address.pathname.slice(0, -WELL_KNOWN.length)
  if (said === root || said === `${root}/`) return said
  throw new Unreachable(`The OpenID discovery document at ${root} belongs to another issuer: ${JSON.stringify(said)?.slice(0, 200)}`)
}
