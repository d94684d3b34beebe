import { type Static, t } from 'elysia'
import { Int, oneOf } from '#kernel/schema.ts'
import { Authorities, flag, GroupTeamMap, GroupTeamMapRemoval, text } from './config-parts.ts'
import { type Oauth2Config, oauth2Defaults } from './oauth2-config.ts'

/** A directory. Either `user_search_base` is set, and people are searched for; or `user_dn`, and it tells their DN. */
export const LdapConfig = t.Object(
  {
    security_protocol: oneOf(['unencrypted', 'ldaps', 'starttls'] as const, { description: 'encryption of the connection' }),
    host: text('host name or IP address'),
    port: Int({ minimum: 0, maximum: 65_535, description: '0 means 636 for ldaps, otherwise 389' }),
    skip_tls_verify: flag('accept any certificate'),
    tls_ca: Authorities,
    bind_dn: text('account that searches for users; empty: anonymous', 1024),
    bind_password: text('password of the bind DN account; never returned', 1024),
    user_search_base: text('base DN for user searches', 1024),
    user_dn: text('DN of the user who signs in, with %s for the username: uid=%s,ou=people,dc=example,dc=org', 1024),
    user_filter: text("users who can sign in, with %s for the username: (&(objectClass=posixAccount)(uid=%s)); Gitea's %[1]s means the same", 4096),
    admin_filter: text('users who are site administrators; empty: the source does not change administrators', 4096),
    restricted_filter: text('users who are restricted, * for all users except administrators; empty: the source does not change restrictions', 4096),
    allow_deactivate_all: flag('deactivate all accounts of the source if a synchronization finds no users'),
    username_attribute: text('attribute for the username; empty: the name entered at sign-in, and synchronization matches users by email address'),
    firstname_attribute: text('attribute for the first name'),
    surname_attribute: text('attribute for the surname'),
    email_attribute: text('attribute for the email address'),
    public_ssh_key_attribute: text('attribute for public SSH keys'),
    avatar_attribute: text('attribute for the avatar image'),
    attributes_in_bind: flag('read attributes with the bind DN account instead of the user who signs in'),
    page_size: Int({ minimum: 0, maximum: 10_000, description: 'entries per page of a search; 0 means no paging' }),
    timeout_seconds: Int({ minimum: 1, maximum: 600, description: 'time limit for a sign-in' }),
    enable_groups: flag('look up the groups of users'),
    group_search_base_dn: text('base DN for group searches', 1024),
    group_member_attribute: text('attribute of a group that lists its members: memberUid'),
    group_user_attribute: text('attribute of a user that the group member attribute lists: uid; dn for the DN of the user'),
    group_filter: text('groups whose members can sign in, and to which the group team map applies; empty: groups are not looked up', 4096),
    group_team_map: GroupTeamMap,
    group_team_map_removal: GroupTeamMapRemoval,
  },
  { $id: 'LdapSourceConfig' },
)
export type LdapConfig = Static<typeof LdapConfig>

/** A mail server that people have a password at. */
export const SmtpConfig = t.Object(
  {
    auth_type: oneOf(['PLAIN', 'LOGIN', 'CRAM-MD5'] as const, { description: 'SMTP authentication method' }),
    host: text('host name or IP address'),
    port: Int({ minimum: 0, maximum: 65_535, description: '0 means 465 for smtps, otherwise 587' }),
    security_protocol: oneOf(['smtps', 'starttls', 'opportunistic', 'unencrypted'] as const, {
      description: 'opportunistic: STARTTLS if the server offers it, otherwise the password is sent unencrypted',
    }),
    skip_verify: flag('accept any certificate'),
    tls_ca: Authorities,
    helo_hostname: text('host name to send in HELO; empty: the host name of this server'),
    disable_helo: flag('send localhost in HELO'),
    allowed_domains: text('email domains that can sign in, comma-separated; empty: all', 4096),
    timeout_seconds: Int({ minimum: 1, maximum: 600, description: 'time limit for a sign-in' }),
  },
  { $id: 'SmtpSourceConfig' },
)
export type SmtpConfig = Static<typeof SmtpConfig>

/** The accounts of the machine itself, or whatever else its PAM service asks. */
export const PamConfig = t.Object(
  {
    service_name: text('PAM service: the name of a file in /etc/pam.d'),
    email_domain: text('domain for the email addresses of new accounts; empty: a placeholder that receives no email'),
    timeout_seconds: Int({ minimum: 1, maximum: 600, description: 'time limit for a sign-in' }),
  },
  { $id: 'PamSourceConfig' },
)
export type PamConfig = Static<typeof PamConfig>

export interface ConfigOf {
  ldap: LdapConfig
  smtp: SmtpConfig
  pam: PamConfig
  oauth2: Oauth2Config
}
export type SourceKind = keyof ConfigOf

/** What is not said when a source is made. */
export const defaults: { readonly [K in SourceKind]: ConfigOf[K] } = {
  ldap: {
    security_protocol: 'ldaps',
    host: '',
    port: 0,
    skip_tls_verify: false,
    tls_ca: '',
    bind_dn: '',
    bind_password: '',
    user_search_base: '',
    user_dn: '',
    user_filter: '',
    admin_filter: '',
    restricted_filter: '',
    allow_deactivate_all: false,
    username_attribute: '',
    firstname_attribute: '',
    surname_attribute: '',
    email_attribute: '',
    public_ssh_key_attribute: '',
    avatar_attribute: '',
    attributes_in_bind: false,
    page_size: 500,
    timeout_seconds: 10,
    enable_groups: false,
    group_search_base_dn: '',
    group_member_attribute: '',
    group_user_attribute: '',
    group_filter: '',
    group_team_map: '',
    group_team_map_removal: false,
  },
  smtp: {
    auth_type: 'PLAIN',
    host: '',
    port: 0,
    security_protocol: 'starttls',
    skip_verify: false,
    tls_ca: '',
    helo_hostname: '',
    disable_helo: false,
    allowed_domains: '',
    timeout_seconds: 10,
  },
  pam: { service_name: '', email_domain: '', timeout_seconds: 30 },
  oauth2: oauth2Defaults,
}

/** What is taken and never given back. */
export const secretMembers: { readonly [K in SourceKind]: readonly (keyof ConfigOf[K])[] } = {
  ldap: ['bind_password'],
  smtp: [],
  pam: [],
  oauth2: ['client_secret'],
}
