import { flag, list, oneOf, type Setting, type SettingList, setting, someOf, type ValuesOf, whole } from '#kernel/settings.ts'
import { hostList } from '#outbound/network/index.ts'
import { sshKeys } from './ssh-settings.ts'

function headerName(fallback: string, doc: string): Setting<string> {
  return setting(fallback, doc, (value) => {
    if (typeof value !== 'string' || !/^[A-Za-z0-9-]+$/.test(value)) throw new Error('expected the name of a header: letters, digits and dashes')
    return value
  })
}

/** Who may come in, and how much of an answer they get at once. */
export const accessSettings = {
  server: {
    PROGRESS_SECONDS: whole(
      60,
      'Seconds within which a client must send or receive PROGRESS_BYTES of a request or response body. Slower clients are disconnected.',
      1,
      3600,
    ),
    SSH_TRUSTED_USER_CA_KEYS: sshKeys(
      'Public keys of the certificate authorities whose SSH user certificates can sign API requests, in the format of a .pub file. Empty: certificates are not accepted.',
    ),
    SSH_AUTHORIZED_PRINCIPALS_ALLOW: someOf(
      ['username', 'email', 'anything', 'off'],
      'Principals that users can register for SSH certificates: their username, their verified email addresses, any name, or none.',
      ['username', 'email'],
    ),
    PAGE_CACHE_SIZE: whole(16_777_216, 'Size of the page cache, in bytes. 0 disables it.', 0),
    ANSWER_MEMORY: whole(
      268_435_456,
      'Memory for responses that are being sent, in bytes. Streams get 1/2 of it, large pages and JSON 5/16, large files 1/8 and diffs 1/16; large fetch requests get another 1/8. A stream, file or diff takes 512 KiB. Further responses wait, and clients that stop reading are disconnected to free memory.',
      2_097_152,
    ),
    PROGRESS_BYTES: whole(65_536, 'Bytes of a body that a client must send or receive within PROGRESS_SECONDS.', 1),
  },
  security: {
    DISABLE_QUERY_AUTH_TOKEN: flag(false, 'Reject access tokens in the query string (?token=, ?access_token=).'),
    TWO_FACTOR_AUTH: oneOf(
      ['', 'enforced'],
      '',
      'enforced: users must set up two-factor authentication before they can do anything else, except users of authentication sources that skip it. Empty: optional.',
    ),
    SIGN_IN_FAILURES: whole(
      10,
      'Failed sign-in attempts per account and IP address before further attempts must wait. One address gets five times as many across all accounts. 0 disables the limit.',
      0,
      10_000,
    ),
    SIGN_IN_FAILURE_SECONDS: whole(600, 'Seconds until SIGN_IN_FAILURES attempts are available again. A restart resets the counters.', 1, 86_400),
    SIGN_IN_THROTTLE_LOOPBACK: flag(true, 'Apply the limit of failed sign-in attempts to loopback addresses too.'),
    REVERSE_PROXY_TRUSTED_PROXIES: hostList(
      'Reverse proxies whose X-Forwarded-For and authentication headers are trusted: loopback, private, IP addresses or networks (10.0.0.0/8). Empty: none.',
    ),
    REVERSE_PROXY_LIMIT: whole(1, 'Number of trusted proxies in a chain. 0 ignores X-Forwarded-For.', 0, 16),
    REVERSE_PROXY_AUTHENTICATION_USER: headerName('X-WEBAUTH-USER', 'Request header with the username for reverse proxy authentication.'),
    REVERSE_PROXY_AUTHENTICATION_EMAIL: headerName('X-WEBAUTH-EMAIL', 'Request header with the email address for reverse proxy authentication.'),
    REVERSE_PROXY_AUTHENTICATION_FULL_NAME: headerName('X-WEBAUTH-FULLNAME', 'Request header with the full name for reverse proxy authentication.'),
    MIN_PASSWORD_LENGTH: whole(8, 'Minimum password length, in characters.', 1, 1024),
  },
  session: {
    SESSION_LIFE_TIME: whole(2_592_000, 'Seconds of inactivity after which a session expires.', 60, 315_360_000),
    SESSION_MAX_TIME: whole(31_536_000, 'Seconds after which a session expires even if it is in use.', 60, 315_360_000),
  },
  cors: {
    ENABLED: flag(false, 'Allow cross-origin requests (CORS) to the API and to the OAuth2 endpoints.'),
    ALLOW_DOMAIN: list(['*'], 'Origins that can send cross-origin requests, with * as a wildcard (https://*.example.org). * allows all origins.'),
  },
  service: {
    REQUIRE_SIGNIN_VIEW: flag(false, 'Require users to sign in to view any page or call the API.'),
    ENABLE_REVERSE_PROXY_AUTHENTICATION: flag(false, 'Sign users in to pages through the headers of a trusted reverse proxy.'),
    ENABLE_REVERSE_PROXY_AUTHENTICATION_API: flag(false, 'Accept reverse proxy authentication for the API and git as well.'),
    ENABLE_REVERSE_PROXY_AUTO_REGISTRATION: flag(false, 'Create an account when a reverse proxy signs in an unknown user.'),
    ENABLE_REVERSE_PROXY_EMAIL: flag(false, 'Accept the email address that a reverse proxy sends.'),
    ENABLE_REVERSE_PROXY_FULL_NAME: flag(false, 'Use the full name that a reverse proxy sends for accounts created by auto-registration.'),
  },
  api: {
    MAX_RESPONSE_ITEMS: whole(50, 'Maximum number of items per page of a list.', 1, 10_000),
    DEFAULT_PAGING_NUM: whole(30, 'Default number of items per page of a list.', 1, 10_000),
    ANSWER_CACHE_SIZE: whole(16_777_216, 'Size of the API response cache, in bytes. 0 disables it.', 0),
    DEFAULT_MAX_BODY_SIZE: whole(262_144, 'Maximum size of a request body, in bytes, except for operations that accept files.', 1024),
    MAX_BODY_SIZE: whole(33_554_432, 'Maximum size of a request body for operations that accept files, in bytes.', 1024),
    MAX_ANONYMOUS_BODY_SIZE: whole(
      1_048_576,
      'Maximum size of a request body for operations that accept files, in bytes, if the client is not signed in.',
      1024,
    ),
  },
} as const satisfies SettingList

/** @throws Error when settings would have no effect without others */
export function requireProxySettings({ service, security }: Pick<ValuesOf<typeof accessSettings>, 'service' | 'security'>): void {
  if (service.ENABLE_REVERSE_PROXY_AUTHENTICATION && security.REVERSE_PROXY_TRUSTED_PROXIES.length === 0) {
    throw new Error(
      'Invalid setting service.ENABLE_REVERSE_PROXY_AUTHENTICATION = true: security.REVERSE_PROXY_TRUSTED_PROXIES is empty. List the addresses of your proxies there.',
    )
  }
  if (service.ENABLE_REVERSE_PROXY_AUTHENTICATION_API && !service.ENABLE_REVERSE_PROXY_AUTHENTICATION) {
    throw new Error('Invalid setting service.ENABLE_REVERSE_PROXY_AUTHENTICATION_API = true: it needs service.ENABLE_REVERSE_PROXY_AUTHENTICATION = true.')
  }
}
