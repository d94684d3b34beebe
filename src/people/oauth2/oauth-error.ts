/** Codes of RFC 6749, sections 4.1.2.1 and 5.2, and of OpenID Connect Core 1.0, section 3.1.2.6. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'server_error'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'

/** What an application is told that did not get what it asked for. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  readonly headers: Record<string, string>

  /** @param description for whoever writes the application */
  constructor(code: OAuthErrorCode, description: string, status = 400, headers: Record<string, string> = {}) {
    super(description)
    this.code = code
    this.status = status
    this.headers = headers
  }
}
