import { flag, list, oneOf, type Setting, type SettingList, setting, someOf, type ValuesOf, whole } from '#kernel/settings.ts'
import { hostList } from '#outbound/network/index.ts'
import { sshKeys } from './ssh-settings.ts'

function headerName(fallback: string, doc: string): Setting<string> {
  return setting(fallback, doc, (value) => {
    if (typeof value !== 'string' || !/^[A-Za-z0-9-]+$/.test(value)) throw new Error('the name of a header is expected: letters, digits and dashes')
    return value
  })
}

/** Who may come in, and how much of an answer they get at once. */
export const accessSettings = {
  server: {
    PROGRESS_SECONDS: whole(60, 'How long a client may take to send or to receive PROGRESS_BYTES of a body; one that is slower is disconnected.', 1, 3600),
    SSH_TRUSTED_USER_CA_KEYS: sshKeys(
      'Public keys of those whose SSH certificates for people are believed, each as in a .pub file: they sign requests to the API. Empty: nobody is.',
    ),
    SSH_AUTHORIZED_PRINCIPALS_ALLOW: someOf(
      ['username', 'email', 'anything', 'off'],
      'What people can go by in such certificates: their user name, their verified addresses, anything, or nothing.',
      ['username', 'email'],
    ),
    PAGE_CACHE_SIZE: whole(16_777_216, 'Memory for pages that were shown, to show them again until something changes, in bytes. 0: none.', 0),
    ANSWER_MEMORY: whole(
      268_435_456,
      'Memory that answers may hold together for their readers, in bytes: streams, half a MiB each, half of it; large pages and JSON 5/16; large files an eighth, and diffs a sixteenth, half a MiB each; fetches that send more than 64 KiB an eighth beside them. Further ones wait, and those that send or take nothing are cut off for them.',
      2_097_152,
    ),
    PROGRESS_BYTES: whole(65_536, 'What a client must send or receive of a body within PROGRESS_SECONDS, in bytes.', 1),
  },
  security: {
    DISABLE_QUERY_AUTH_TOKEN: flag(false, 'Refuse tokens in the query string (?token=, ?access_token=).'),
    TWO_FACTOR_AUTH: oneOf(
      ['', 'enforced'],
      '',
      'enforced: accounts without a second factor can do nothing but add one; those of sources that do without are not asked.',
    ),
    SIGN_IN_FAILURES: whole(
      10,
      'Wrong passwords for one account from one address, after which it must wait; five times as many from one address for all accounts. 0: no limit.',
      0,
      10_000,
    ),
    SIGN_IN_FAILURE_SECONDS: whole(600, 'In how long that many become free again; a restart forgets them.', 1, 86_400),
    SIGN_IN_THROTTLE_LOOPBACK: flag(true, 'Whether that holds for this machine itself too.'),
    REVERSE_PROXY_TRUSTED_PROXIES: hostList(
      'Proxies whose X-Forwarded-For is believed, and whom they have signed in: loopback, private, addresses, networks (10.0.0.0/8). Empty: nobody is.',
    ),
    REVERSE_PROXY_LIMIT: whole(1, 'How many such proxies stand in a row; 0: X-Forwarded-For is not looked at.', 0, 16),
    REVERSE_PROXY_AUTHENTICATION_USER: headerName('X-WEBAUTH-USER', 'Header in which a proxy names whom it has signed in.'),
    REVERSE_PROXY_AUTHENTICATION_EMAIL: headerName('X-WEBAUTH-EMAIL', 'Header with their e-mail address.'),
    REVERSE_PROXY_AUTHENTICATION_FULL_NAME: headerName('X-WEBAUTH-FULLNAME', 'Header with their full name.'),
    MIN_PASSWORD_LENGTH: whole(8, 'Shortest password accepted.', 1, 1024),
  },
  session: {
    SESSION_LIFE_TIME: whole(2_592_000, 'Seconds after which a browser that was not used must sign in again.', 60, 315_360_000),
    SESSION_MAX_TIME: whole(31_536_000, 'Seconds after which it must sign in again even if it was.', 60, 315_360_000),
  },
  cors: {
    ENABLED: flag(false, 'Let pages of other sites read what the API answers, and sign people in by OAuth2 without a server of their own.'),
    ALLOW_DOMAIN: list(['*'], 'Which sites: their origins, or globs over those (https://*.example.org). * for all.'),
  },
  service: {
    REQUIRE_SIGNIN_VIEW: flag(false, 'Answer nothing to visitors who are not signed in.'),
    ENABLE_REVERSE_PROXY_AUTHENTICATION: flag(false, 'Believe the trusted proxies whom they have signed in, on pages.'),
    ENABLE_REVERSE_PROXY_AUTHENTICATION_API: flag(false, 'The same for the API and git.'),
    ENABLE_REVERSE_PROXY_AUTO_REGISTRATION: flag(false, 'Make accounts for those who have none.'),
    ENABLE_REVERSE_PROXY_EMAIL: flag(false, 'Believe the e-mail addresses that they give, too.'),
    ENABLE_REVERSE_PROXY_FULL_NAME: flag(false, 'Take the full names that they give for accounts that are made.'),
  },
  api: {
    MAX_RESPONSE_ITEMS: whole(50, 'Largest page of a list.', 1, 10_000),
    DEFAULT_PAGING_NUM: whole(30, 'Page size when the request does not say.', 1, 10_000),
    ANSWER_CACHE_SIZE: whole(
      16_777_216,
      'Memory for records and lists that were answered, to answer them again until something changes, in bytes. 0: none.',
      0,
    ),
    DEFAULT_MAX_BODY_SIZE: whole(262_144, 'Largest body accepted by all other operations, in bytes.', 1024),
    MAX_BODY_SIZE: whole(33_554_432, 'Largest body accepted by operations that take files, in bytes.', 1024),
    MAX_ANONYMOUS_BODY_SIZE: whole(1_048_576, 'The same without credentials.', 1024),
  },
} as const satisfies SettingList

/** @throws Error when settings would have no effect without others */
export function requireProxySettings({ service, security }: Pick<ValuesOf<typeof accessSettings>, 'service' | 'security'>): void {
  if (service.ENABLE_REVERSE_PROXY_AUTHENTICATION && security.REVERSE_PROXY_TRUSTED_PROXIES.length === 0) {
    throw new Error('Cannot use service.ENABLE_REVERSE_PROXY_AUTHENTICATION: security.REVERSE_PROXY_TRUSTED_PROXIES must name the proxies')
  }
  if (service.ENABLE_REVERSE_PROXY_AUTHENTICATION_API && !service.ENABLE_REVERSE_PROXY_AUTHENTICATION) {
    throw new Error('Cannot use service.ENABLE_REVERSE_PROXY_AUTHENTICATION_API without service.ENABLE_REVERSE_PROXY_AUTHENTICATION')
  }
}
