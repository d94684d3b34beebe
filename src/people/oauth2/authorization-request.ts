import type { Context } from '#context.ts'
import { BadRequest } from '#kernel/errors.ts'
import { findClient, redirectUrisOf } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'
import { isRegistered } from './redirect-uris.ts'
import { type GrantedScopes, parseScopes } from './scopes.ts'
import type { ApplicationRow } from './store.ts'

/** Who asks, and where the answer goes: known before anything else of a request is looked at, since what is wrong with the rest is told there. */
export interface Target {
  client: ApplicationRow
  redirectUri: string
  /** The address as the request has it; empty when it relies on the one that is registered. */
  askedUri: string
  state: string | undefined
}

/** A request for authorization that is in order. Source: RFC 6749, section 4.1.1, RFC 7636 and OpenID Connect Core 1.0, section 3.1.2.1. */
export interface AuthorizationRequest extends Target {
  scopes: GrantedScopes
  nonce: string
  codeChallenge: string
  codeChallengeMethod: '' | 'S256' | 'plain'
  prompts: ReadonlySet<string>
  /** How long ago the person may have signed in, in seconds. */
  maxAge: number | undefined
  /** An id_token of whoever the application believes is there. */
  hint: string | undefined
}

/** Names of all parameters that a request is made of, for the form that carries them on. */
export const requestParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
] as const

/** @throws BadRequest when it is not certain that the answer would reach who asks: the person is told then, and nobody else */
export function findTarget(context: Pick<Context, 'config' | 'db' | 'clock'>, parameters: Parameters): Target {
  if (parameters.repeated === 'client_id' || parameters.repeated === 'redirect_uri') throw new BadRequest(`${parameters.repeated} is given more than once`)
  const clientId = parameters.get('client_id')
  const client = clientId === undefined ? undefined : findClient(context, clientId)
  if (!client) throw new BadRequest('Client ID not registered')
  const askedUri = parameters.get('redirect_uri') ?? ''
  return { client, askedUri, redirectUri: redirectUriOf(client, askedUri), state: parameters.get('state') }
}

/** @throws OAuthError */
export function readRequest(target: Target, parameters: Parameters): AuthorizationRequest {
  refuseUnknownForms(parameters)
  return {
    ...target,
    scopes: parseScopes(parameters.get('scope') ?? ''),
    nonce: parameters.get('nonce') ?? '',
    ...readChallenge(target.client, parameters),
    prompts: readPrompts(parameters),
    maxAge: readMaxAge(parameters),
    hint: parameters.get('id_token_hint'),
  }
}

function redirectUriOf(client: ApplicationRow, askedUri: string): string {
  const registered = redirectUrisOf(client)
  const [only, ...more] = registered
  if (askedUri === '' && only !== undefined && more.length === 0) return only
  if (!isRegistered(askedUri, registered, client.is_confidential === 1)) throw new BadRequest('Unregistered Redirect URI')
  return askedUri
}

function refuseUnknownForms(parameters: Parameters): void {
  if (parameters.repeated !== undefined) throw new OAuthError('invalid_request', `${parameters.repeated} is given more than once`)
  if (parameters.get('request') !== undefined) throw new OAuthError('request_not_supported', 'request objects are not supported')
  if (parameters.get('request_uri') !== undefined) throw new OAuthError('request_uri_not_supported', 'request objects are not supported')
  if (parameters.get('response_type') !== 'code') throw new OAuthError('unsupported_response_type', 'Only code response type is supported.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query') throw new OAuthError('invalid_request', 'Only the response mode query is supported.')
}

/** Whoever cannot keep a secret proves by PKCE that it is the one who asked. */
function readChallenge(client: ApplicationRow, parameters: Parameters): Pick<AuthorizationRequest, 'codeChallenge' | 'codeChallengeMethod'> {
  const codeChallenge = parameters.get('code_challenge') ?? ''
  const isPublic = client.is_confidential === 0
  // Without a method RFC 7636 means plain; who has nothing else says what it means.
  const method = parameters.get('code_challenge_method') ?? (isPublic || codeChallenge === '' ? '' : 'plain')
  if (isPublic && (codeChallenge === '' || method === '')) throw new OAuthError('invalid_request', 'PKCE is required for public clients')
  if (method === '') return { codeChallenge, codeChallengeMethod: method }
  if (method !== 'S256' && method !== 'plain') throw new OAuthError('invalid_request', 'unsupported code challenge method')
  const shape = method === 'S256' ? /^[\w-]{43}$/ : /^[\w.~-]{43,128}$/
  if (!shape.test(codeChallenge)) throw new OAuthError('invalid_request', 'the code challenge is malformed')
  return { codeChallenge, codeChallengeMethod: method }
}

function readPrompts(parameters: Parameters): ReadonlySet<string> {
  const prompts = new Set((parameters.get('prompt') ?? '').split(' ').filter((word) => word !== ''))
  if (prompts.has('none') && prompts.size > 1) throw new OAuthError('invalid_request', 'prompt=none cannot be combined with other values')
  return prompts
}

function readMaxAge(parameters: Parameters): number | undefined {
  const text = parameters.get('max_age')
  if (text === undefined) return undefined
  if (!/^\d{1,10}$/.test(text)) throw new OAuthError('invalid_request', 'max_age must be a number of seconds')
  return Number(text)
}
