import type { Context } from '#context.ts'
import { findClient } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'
import { isSameText } from './same-text.ts'
import { digestOf } from './secrets.ts'
import type { ApplicationRow } from './store.ts'

interface ShownCredentials {
  clientId: string | undefined
  secret: string | undefined
  /** Whether they stand in the header, where a refusal says how to do it. */
  isBasic: boolean
}

/**
 * The application that sends a request: by HTTP Basic or in the body; one that cannot keep a secret by its id alone. Source: RFC 6749, section 2.3.1.
 * @throws OAuthError `invalid_client`, the same for one that is not known and a secret that is wrong
 */
export function authenticateClient(context: Pick<Context, 'config' | 'db' | 'clock'>, request: Request, parameters: Parameters): ApplicationRow {
  const shown = credentialsIn(request, parameters)
  const client = shown.clientId === undefined ? undefined : findClient(context, shown.clientId)
  const isRight = isSameText(digestOf(shown.secret ?? ''), client?.secret_digest ?? '')
  if (!client || (client.is_confidential === 1 && !isRight)) throw refusal(shown)
  return client
}

/** The same for what only those may ask who have shown a secret. @throws OAuthError `invalid_client` */
export function authenticateConfidentialClient(context: Pick<Context, 'config' | 'db' | 'clock'>, request: Request, parameters: Parameters): ApplicationRow {
  const client = authenticateClient(context, request, parameters)
  if (client.is_confidential === 0) throw refusal({ ...credentialsIn(request, parameters), isBasic: true })
  return client
}

function credentialsIn(request: Request, parameters: Parameters): ShownCredentials {
  const inBody = { clientId: parameters.get('client_id'), secret: parameters.get('client_secret'), isBasic: false }
  const header = request.headers.get('authorization')
  if (header === null) return inBody
  const inHeader = readBasic(header)
  for (const name of ['clientId', 'secret'] as const) {
    if (inBody[name] === undefined || inBody[name] === inHeader[name]) continue
    const parameter = name === 'clientId' ? 'client_id' : 'client_secret'
    throw new OAuthError('invalid_request', `${parameter} in request body inconsistent with Authorization header`)
  }
  return inHeader
}

function readBasic(header: string): ShownCredentials {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(header) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) throw new OAuthError('invalid_request', 'cannot parse basic auth header')
  return { clientId: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)), isBasic: true }
}

/** Both parts are encoded as a form's values are. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new OAuthError('invalid_request', 'cannot parse basic auth header')
  }
}

function refusal({ clientId, isBasic }: ShownCredentials): OAuthError {
  const description = clientId === undefined ? 'client credentials are missing' : 'the client is unknown or its secret is incorrect'
  return isBasic
    ? new OAuthError('invalid_client', description, 401, { 'WWW-Authenticate': 'Basic realm="Gitea OAuth2"' })
    : new OAuthError('invalid_client', description)
}
