import { flag, list, oneOf, type Setting, type SettingList, setting, someOf, type ValuesOf, whole } from '#kernel/settings.ts'
import { hostList } from '#outbound/network/index.ts'
import { sshKeys } from './ssh-settings.ts'

function headerName(fallback: string, doc: string): Setting<string> {
  return setting(fallback, doc, (value) => {
    if (typeof value !== 'string' || !/^[A-Za-z0-9-]+$/.test(value)) throw new Error('expected a header name of letters, digits and dashes')
    return value
  })
}

/** Who may come in, and how much of an answer they get at once. */
export const accessSettings = {
  server: {
    PROGRESS_SECONDS: whole(60, 'Seconds in which a client must send or receive PROGRESS_BYTES of a body. Slower clients are disconnected.', 1, 3600),
    SSH_TRUSTED_USER_CA_KEYS: sshKeys(
      'Public keys of the trusted SSH certificate authorities, in the format of a .pub file. Users can sign API requests with certificates from these authorities. Empty: SSH certificates are not accepted.',
    ),
    SSH_AUTHORIZED_PRINCIPALS_ALLOW: someOf(
      ['username', 'email', 'anything', 'off'],
      'Which principals of an SSH certificate identify a user: the username, a verified email address, any text that the user added, or none (off).',
      ['username', 'email'],
    ),
    PAGE_CACHE_SIZE: whole(16_777_216, 'Size of the page cache, in bytes. Cached pages are dropped when something changes. 0 disables the cache.', 0),
    ANSWER_MEMORY: whole(
      268_435_456,
      'Memory for responses that are being sent, in bytes. Streams (0.5 MiB each) can use 1/2 of it, large pages and JSON 5/16, large files 1/8, and diffs (0.5 MiB each) 1/16; fetches that send more than 64 KiB can use another 1/8. When a share is used up, further requests wait, and stalled clients are disconnected to free memory.',
      2_097_152,
    ),
    PROGRESS_BYTES: whole(65_536, 'Bytes of a body that a client must send or receive within PROGRESS_SECONDS.', 1),
  },
  security: {
    DISABLE_QUERY_AUTH_TOKEN: flag(false, 'Reject tokens in the query string (?token=, ?access_token=).'),
    TWO_FACTOR_AUTH: oneOf(
      ['', 'enforced'],
      '',
      'enforced: users without two-factor authentication must set it up before they can do anything else. Users of authentication sources that skip two-factor authentication are exempt.',
    ),
    SIGN_IN_FAILURES: whole(
      10,
      'Number of wrong passwords for one account from one address before sign-in is delayed. The limit for one address and all accounts is five times as high. 0: no limit.',
      0,
      10_000,
    ),
    SIGN_IN_FAILURE_SECONDS: whole(600, 'Seconds until SIGN_IN_FAILURES attempts are available again. A restart resets the count.', 1, 86_400),
    SIGN_IN_THROTTLE_LOOPBACK: flag(true, 'Apply the sign-in limit to requests from this machine too.'),
    REVERSE_PROXY_TRUSTED_PROXIES: hostList(
      'Reverse proxies whose X-Forwarded-For and authentication headers are trusted: loopback, private, addresses or networks (10.0.0.0/8). Empty: none.',
    ),
    REVERSE_PROXY_LIMIT: whole(1, 'Number of trusted proxies in front of the server. 0: X-Forwarded-For is ignored.', 0, 16),
    REVERSE_PROXY_AUTHENTICATION_USER: headerName('X-WEBAUTH-USER', 'Header with the username of the user that the reverse proxy signed in.'),
    REVERSE_PROXY_AUTHENTICATION_EMAIL: headerName('X-WEBAUTH-EMAIL', 'Header with the email address of that user.'),
    REVERSE_PROXY_AUTHENTICATION_FULL_NAME: headerName('X-WEBAUTH-FULLNAME', 'Header with the full name of that user.'),
    MIN_PASSWORD_LENGTH: whole(8, 'Minimum length of a password.', 1, 1024),
  },
  session: {
    SESSION_LIFE_TIME: whole(2_592_000, 'Seconds without activity after which a browser session expires.', 60, 315_360_000),
    SESSION_MAX_TIME: whole(31_536_000, 'Seconds after which a browser session expires even if it is in use.', 60, 315_360_000),
  },
  cors: {
    ENABLED: flag(false, 'Allow web pages from other origins to use the API, and to sign users in with OAuth2 from the browser.'),
    ALLOW_DOMAIN: list(['*'], 'Allowed origins, or glob patterns (https://*.example.org). * allows all.'),
  },
  service: {
    REQUIRE_SIGNIN_VIEW: flag(false, 'Require signing in to see anything.'),
    ENABLE_REVERSE_PROXY_AUTHENTICATION: flag(false, 'Sign users in on pages by the headers of the trusted reverse proxies.'),
    ENABLE_REVERSE_PROXY_AUTHENTICATION_API: flag(false, 'Sign users in by these headers for the API and git too.'),
    ENABLE_REVERSE_PROXY_AUTO_REGISTRATION: flag(false, 'Create accounts for users that the reverse proxy signs in for the first time.'),
    ENABLE_REVERSE_PROXY_EMAIL: flag(false, 'Use the email address that the reverse proxy sends.'),
    ENABLE_REVERSE_PROXY_FULL_NAME: flag(false, 'Use the full name that the reverse proxy sends for new accounts.'),
  },
  api: {
    MAX_RESPONSE_ITEMS: whole(50, 'Maximum number of items per page.', 1, 10_000),
    DEFAULT_PAGING_NUM: whole(30, 'Default number of items per page.', 1, 10_000),
    ANSWER_CACHE_SIZE: whole(
      16_777_216,
      'Size of the API response cache, in bytes. Cached responses are dropped when something changes. 0 disables the cache.',
      0,
    ),
    DEFAULT_MAX_BODY_SIZE: whole(262_144, 'Maximum request body size for operations that do not accept files, in bytes.', 1024),
    MAX_BODY_SIZE: whole(33_554_432, 'Maximum request body size for operations that accept files, in bytes.', 1024),
    MAX_ANONYMOUS_BODY_SIZE: whole(1_048_576, 'Maximum request body size for requests without authentication, in bytes.', 1024),
  },
} as const satisfies SettingList

/** @throws Error when settings would have no effect without others */
export function requireProxySettings({ service, security }: Pick<ValuesOf<typeof accessSettings>, 'service' | 'security'>): void {
  if (service.ENABLE_REVERSE_PROXY_AUTHENTICATION && security.REVERSE_PROXY_TRUSTED_PROXIES.length === 0) {
    throw new Error('Cannot use service.ENABLE_REVERSE_PROXY_AUTHENTICATION: add the proxies to security.REVERSE_PROXY_TRUSTED_PROXIES')
  }
  if (service.ENABLE_REVERSE_PROXY_AUTHENTICATION_API && !service.ENABLE_REVERSE_PROXY_AUTHENTICATION) {
    throw new Error('Cannot use service.ENABLE_REVERSE_PROXY_AUTHENTICATION_API without service.ENABLE_REVERSE_PROXY_AUTHENTICATION')
  }
}
