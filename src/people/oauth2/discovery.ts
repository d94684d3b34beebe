import type { Context } from '#context.ts'
import { issuerOf } from './issuer.ts'
import { identityScopes } from './scopes.ts'

/** What applications find out about this server by themselves. Source: OpenID Connect Discovery 1.0, section 3, and RFC 8414. */
export function describeServer(context: Pick<Context, 'config' | 'rootUrl'>): Record<string, unknown> {
  const at = (path: string) => `${context.rootUrl}login/oauth/${path}`
  return {
    issuer: issuerOf(context),
    authorization_endpoint: at('authorize'),
    token_endpoint: at('access_token'),
    jwks_uri: at('keys'),
    userinfo_endpoint: at('userinfo'),
    introspection_endpoint: at('introspect'),
    revocation_endpoint: at('revoke'),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [context.config.oauth2.JWT_SIGNING_ALGORITHM],
    scopes_supported: identityScopes,
    claims_supported: [
      ...['aud', 'exp', 'iat', 'iss', 'sub', 'auth_time', 'nonce'],
      ...['name', 'preferred_username', 'profile', 'picture', 'website', 'locale', 'updated_at', 'email', 'email_verified', 'groups'],
    ],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    code_challenge_methods_supported: ['plain', 'S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
  }
}
