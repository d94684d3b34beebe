import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'

/** An OpenID provider that says whatever a test wants. */
export interface Forger extends Disposable {
  issuer: string
  discoveryUrl: string
  /** What was asked, `GET /keys`. */
  readonly asked: string[]
  /** Answers in place of the right ones, by path. */
  answers: Record<string, (request: Request) => Response | Promise<Response>>
  /** Makes the ID token that its token endpoint gives out next. */
  token: () => string
  /** What its own key, or a forged header, signs. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>, by?: 'own key' | 'other key' | 'public key as a secret' | 'nobody'): string
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

export function startForger(document: Record<string, unknown> = {}): Forger {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      asked.push(`${request.method} ${pathname}`)
      return forger.answers[pathname]?.(request) ?? usual(pathname)
    },
  })
  const issuer = `http://127.0.0.1:${server.port}`
  const usual = (path: string): Response => {
    if (path === '/.well-known/openid-configuration') {
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` }
      return Response.json({ issuer, ...endpoints, response_types_supported: ['code'], ...document })
    }
    if (path === '/token') return Response.json({ access_token: 'access', token_type: 'Bearer', id_token: forger.token() })
    if (path === '/keys') return Response.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    return new Response('nothing', { status: 404 })
  }
  const forger: Forger = {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    asked,
    answers: {},
    token: () => '',
    sign,
    [Symbol.dispose]: () => void server.stop(true),
  }
  return forger
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const sign: Forger['sign'] = (claims, header = {}, by = 'own key') => {
  const text = `${encode({ alg: 'RS256', kid: 'one', ...header })}.${encode(claims)}`
  if (by === 'nobody') return `${text}.`
  const pem = publicKey.export({ format: 'pem', type: 'spki' })
  const signature =
    by === 'public key as a secret'
      ? createHmac('sha256', pem).update(text).digest()
      : createSign('sha256')
          .update(text)
          .sign(by === 'own key' ? privateKey : stranger)
  return `${text}.${signature.toString('base64url')}`
}
