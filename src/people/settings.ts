import { flag, list, oneOf, type SettingList, schedule, someOf, text, whole } from '#kernel/settings.ts'

const defaultApplications = ['git-credential-oauth', 'git-credential-manager', 'tea'] as const

/** Accounts and their pictures, and the applications that people let into theirs. */
export const peopleSettings = {
  security: {
    RESERVED_USERNAMES: list([], 'Additional usernames that cannot be registered.'),
  },
  service: {
    DISABLE_REGISTRATION: flag(true, 'Disable self-registration. It does not affect oauth2_client.ENABLE_AUTO_REGISTRATION.'),
    ALLOW_ONLY_EXTERNAL_REGISTRATION: flag(false, 'Allow self-registration only through an external OAuth2 provider.'),
    REGISTER_EMAIL_CONFIRM: flag(false, 'Require new users to confirm their email address. Without a mail server, self-registration is then impossible.'),
    REGISTER_MANUAL_CONFIRM: flag(false, 'Require a site administrator to activate new users. Has no effect with REGISTER_EMAIL_CONFIRM.'),
    EMAIL_DOMAIN_ALLOWLIST: list(
      [],
      'Email domains (example.org, *.example.org) that can register. Empty: all domains except those in EMAIL_DOMAIN_BLOCKLIST.',
    ),
    EMAIL_DOMAIN_BLOCKLIST: list([], 'Email domains that cannot register. Ignored if EMAIL_DOMAIN_ALLOWLIST is set.'),
    ACTIVE_CODE_LIVE_MINUTES: whole(180, 'Minutes until an account activation link expires.', 1, 10_080),
    RESET_PASSWD_CODE_LIVE_MINUTES: whole(180, 'Minutes until a password reset link expires.', 1, 10_080),
    ALLOW_ONLY_INTERNAL_REGISTRATION: flag(false, 'Do not allow registration through external OAuth2 providers.'),
    DEFAULT_USER_VISIBILITY: oneOf(['public', 'limited', 'private'], 'public', 'Default visibility of new users.'),
    ENABLE_PASSKEY_AUTHENTICATION: flag(true, 'Allow sign-in with a passkey instead of a password. Passkeys always work as a second factor.'),
    DEFAULT_ALLOW_CREATE_ORGANIZATION: flag(true, 'Allow new users to create organizations.'),
  },
  oauth2: {
    ENABLED: flag(true, 'Enable the OAuth2 and OpenID Connect provider.'),
    ACCESS_TOKEN_EXPIRATION_TIME: whole(3600, 'Lifetime of an OAuth2 access token, in seconds.', 10, 31_536_000),
    REFRESH_TOKEN_EXPIRATION_TIME: whole(730, 'Lifetime of an OAuth2 refresh token, in hours. Each refresh starts it again.', 1, 87_600),
    INVALIDATE_REFRESH_TOKENS: flag(true, 'Allow each refresh token to be used only once. A second use revokes the grant.'),
    JWT_SIGNING_ALGORITHM: oneOf(['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'], 'RS256', 'Algorithm that signs ID tokens.'),
    JWT_CLAIM_ISSUER: text('', 'Issuer (iss) of ID tokens. Empty: the root URL without its trailing slash.'),
    DEFAULT_APPLICATIONS: someOf(defaultApplications, 'Pre-registered OAuth2 applications.', defaultApplications),
  },
  oauth2_client: {
    ENABLE_AUTO_REGISTRATION: flag(false, 'Create an account automatically when a user signs in through an OAuth2 provider for the first time.'),
    USERNAME: oneOf(['userid', 'nickname', 'email', 'preferred_username'], 'nickname', 'Claim that provides the username of an automatically created account.'),
    ACCOUNT_LINKING: oneOf(
      ['disabled', 'login', 'auto'],
      'login',
      'What to do if an account with the same username or email address exists: refuse the sign-in (disabled), ask the user to sign in to the account (login), or link it if both sides have verified the email address (auto).',
    ),
    UPDATE_AVATAR: flag(false, 'Update the avatar from the OAuth2 provider on each sign-in.'),
    OPENID_CONNECT_SCOPES: list(
      [],
      'Scopes to request from OpenID Connect providers in addition to openid. They replace the scopes of the authentication source.',
    ),
    REGISTER_EMAIL_CONFIRM: flag(false, 'Require users to confirm their email address even if the OAuth2 provider says that it is verified.'),
  },
  'cron.sync_external_users': {
    ENABLED: flag(true, 'Synchronize users with LDAP directories regularly. POST /admin/cron/sync_external_users runs it immediately.'),
    RUN_AT_START: flag(false, 'Synchronize users when the server starts.'),
    SCHEDULE: schedule('@every 24h', 'Interval of the synchronization: @every 1h30m, @hourly, @daily or @weekly.'),
    UPDATE_EXISTING: flag(true, 'Update existing users during a synchronization. Otherwise only new users are created.'),
  },
  picture: {
    AVATAR_MAX_FILE_SIZE: whole(1_048_576, 'Maximum size of an avatar file, in bytes.', 1, 16_777_216),
    AVATAR_MAX_WIDTH: whole(4096, 'Maximum width of an avatar, in pixels.', 1, 16_383),
    AVATAR_MAX_HEIGHT: whole(4096, 'Maximum height of an avatar, in pixels.', 1, 16_383),
  },
} as const satisfies SettingList
