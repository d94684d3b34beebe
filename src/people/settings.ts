import { flag, list, oneOf, type SettingList, schedule, someOf, text, whole } from '#kernel/settings.ts'

const defaultApplications = ['git-credential-oauth', 'git-credential-manager', 'tea'] as const

/** Accounts and their pictures, and the applications that people let into theirs. */
export const peopleSettings = {
  security: {
    RESERVED_USERNAMES: list([], 'Names nobody can register, besides those the routes need.'),
  },
  service: {
    DISABLE_REGISTRATION: flag(true, 'Let nobody make an account for themselves; oauth2_client.ENABLE_AUTO_REGISTRATION stands beside it.'),
    ALLOW_ONLY_EXTERNAL_REGISTRATION: flag(false, 'Let only those make an account who sign in at another site.'),
    REGISTER_EMAIL_CONFIRM: flag(false, 'An account that somebody made is active once a mail to its address is answered; without mail, nobody can make one.'),
    REGISTER_MANUAL_CONFIRM: flag(false, 'Where no mail is asked for: it is active once an administrator says so.'),
    EMAIL_DOMAIN_ALLOWLIST: list([], 'Domains (example.org, *.example.org) whose addresses can register. Empty: all but those of EMAIL_DOMAIN_BLOCKLIST.'),
    EMAIL_DOMAIN_BLOCKLIST: list([], 'Domains whose addresses cannot.'),
    ACTIVE_CODE_LIVE_MINUTES: whole(180, 'How long the link can be used that activates an account.', 1, 10_080),
    RESET_PASSWD_CODE_LIVE_MINUTES: whole(180, 'The same of the link to a new password.', 1, 10_080),
    ALLOW_ONLY_INTERNAL_REGISTRATION: flag(false, 'Let nobody make one who signs in at another site.'),
    DEFAULT_USER_VISIBILITY: oneOf(['public', 'limited', 'private'], 'public', 'Visibility of a new user.'),
    ENABLE_PASSKEY_AUTHENTICATION: flag(true, 'Whether passkeys sign in without the password; as a second factor they do in any case.'),
    DEFAULT_ALLOW_CREATE_ORGANIZATION: flag(true, 'Whether new users may create organizations.'),
  },
  oauth2: {
    ENABLED: flag(true, 'Whether applications can ask people to let them in, by OAuth2 and OpenID Connect.'),
    ACCESS_TOKEN_EXPIRATION_TIME: whole(3600, 'How long an application can use an access token, in seconds.', 10, 31_536_000),
    REFRESH_TOKEN_EXPIRATION_TIME: whole(730, 'How long it can get another without asking again, in hours since it last did.', 1, 87_600),
    INVALIDATE_REFRESH_TOKENS: flag(true, 'A refresh token can be used once; a second use ends all that the application has since got by it.'),
    JWT_SIGNING_ALGORITHM: oneOf(['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'], 'RS256', 'What id_tokens are signed with.'),
    JWT_CLAIM_ISSUER: text('', 'Who they say has issued them. Empty: the address of the server, without the slash at its end.'),
    DEFAULT_APPLICATIONS: someOf(defaultApplications, 'Programs that are known from the start and need not be registered.', defaultApplications),
  },
  oauth2_client: {
    ENABLE_AUTO_REGISTRATION: flag(false, 'Make an account for whoever comes from an OAuth2 source for the first time, without asking.'),
    USERNAME: oneOf(['userid', 'nickname', 'email', 'preferred_username'], 'nickname', 'What such accounts are called after.'),
    ACCOUNT_LINKING: oneOf(
      ['disabled', 'login', 'auto'],
      'login',
      'What follows when an account here has that name or address: nothing; signing in to it; or, where both sides have verified the same address, taking it.',
    ),
    UPDATE_AVATAR: flag(false, 'Take the picture of people from their OAuth2 source whenever they sign in.'),
    OPENID_CONNECT_SCOPES: list([], 'Scopes to ask OpenID sources for, besides openid, in place of those of the source.'),
    REGISTER_EMAIL_CONFIRM: flag(false, 'Have people confirm their address by mail, also where their OAuth2 source says that it is verified.'),
  },
  'cron.sync_external_users': {
    ENABLED: flag(true, 'Look people up in the directories whose sources are set up so; POST /admin/cron/sync_external_users does it at once.'),
    RUN_AT_START: flag(false, 'Do it when the server starts, too.'),
    SCHEDULE: schedule('@every 24h', 'How often: @every 1h30m, @hourly, @daily, @weekly.'),
    UPDATE_EXISTING: flag(true, 'Bring what a directory tells of people who have an account already up to date as well.'),
  },
  picture: {
    AVATAR_MAX_FILE_SIZE: whole(1_048_576, 'Largest avatar, in bytes.', 1, 16_777_216),
    AVATAR_MAX_WIDTH: whole(4096, 'Widest avatar, in pixels.', 1, 16_383),
    AVATAR_MAX_HEIGHT: whole(4096, 'Highest avatar, in pixels.', 1, 16_383),
  },
} as const satisfies SettingList
