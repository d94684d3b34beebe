import { type Static, t } from 'elysia'
import { Int, oneOf } from '#kernel/schema.ts'
import { Authorities, flag, GroupTeamMap, GroupTeamMapRemoval, text } from './config-parts.ts'
import { type Oauth2Config, oauth2Defaults } from './oauth2-config.ts'

/** A directory. Either `user_search_base` is set, and people are searched for; or `user_dn`, and it tells their DN. */
export const LdapConfig = t.Object(
  {
    security_protocol: oneOf(['unencrypted', 'ldaps', 'starttls'] as const, { description: 'how it is reached' }),
    host: text('its name or address'),
    port: Int({ minimum: 0, maximum: 65_535, description: '0: 636 for ldaps, else 389' }),
    skip_tls_verify: flag('take whatever certificate it shows'),
    tls_ca: Authorities,
    bind_dn: text('whom to search as; empty: anonymously', 1024),
    bind_password: text('their password; never given back', 1024),
    user_search_base: text('where people are, as a DN', 1024),
    user_dn: text('the DN of whoever signs in, with %s for their name: uid=%s,ou=people,dc=example,dc=org', 1024),
    user_filter: text('whom to let in, with %s for their name: (&(objectClass=posixAccount)(uid=%s)); %[1]s, as Gitea has it, means the same', 4096),
    admin_filter: text('whom of them to make a site administrator; empty: the flag is left alone', 4096),
    restricted_filter: text('whom of them to restrict; * for all but administrators; empty: the flag is left alone', 4096),
    allow_deactivate_all: flag('whether a synchronisation that finds nobody makes all its accounts inactive'),
    username_attribute: text('what accounts are called; empty: as was typed, and a synchronisation goes by e-mail address'),
    firstname_attribute: text('first name'),
    surname_attribute: text('surname'),
    email_attribute: text('e-mail address'),
    public_ssh_key_attribute: text('public SSH keys'),
    avatar_attribute: text('a picture, as bytes'),
    attributes_in_bind: flag('read the attributes as the one who searches, not as the one who signs in'),
    page_size: Int({ minimum: 0, maximum: 10_000, description: 'entries of a page of a search; 0: all at once' }),
    timeout_seconds: Int({ minimum: 1, maximum: 600, description: 'how long a sign-in may take' }),
    enable_groups: flag('whether groups are looked up'),
    group_search_base_dn: text('where groups are, as a DN', 1024),
    group_member_attribute: text('the attribute of a group that names its members: memberUid'),
    group_user_attribute: text("the attribute of a person that stands there: uid; dn for the entry's own name"),
    group_filter: text('which groups let their members in, and count for the map; empty: groups are not looked up at all', 4096),
    group_team_map: GroupTeamMap,
    group_team_map_removal: GroupTeamMapRemoval,
  },
  { $id: 'LdapSourceConfig' },
)
export type LdapConfig = Static<typeof LdapConfig>

/** A mail server that people have a password at. */
export const SmtpConfig = t.Object(
  {
    auth_type: oneOf(['PLAIN', 'LOGIN', 'CRAM-MD5'] as const, { description: 'how passwords are shown to it' }),
    host: text('its name or address'),
    port: Int({ minimum: 0, maximum: 65_535, description: '0: 465 for smtps, else 587' }),
    security_protocol: oneOf(['smtps', 'starttls', 'opportunistic', 'unencrypted'] as const, {
      description: 'opportunistic: STARTTLS where it is offered, and the password in the clear where it is not',
    }),
    skip_verify: flag('take whatever certificate it shows'),
    tls_ca: Authorities,
    helo_hostname: text('what to greet it as; empty: the name of this machine'),
    disable_helo: flag('greet it as localhost, whatever this machine is called'),
    allowed_domains: text('domains of addresses that may sign in, with commas between them; empty: any name', 4096),
    timeout_seconds: Int({ minimum: 1, maximum: 600, description: 'how long a sign-in may take' }),
  },
  { $id: 'SmtpSourceConfig' },
)
export type SmtpConfig = Static<typeof SmtpConfig>

/** The accounts of the machine itself, or whatever else its PAM service asks. */
export const PamConfig = t.Object(
  {
    service_name: text('file of /etc/pam.d that says what is asked'),
    email_domain: text('domain of the addresses that new accounts get; empty: one that leads nowhere'),
    timeout_seconds: Int({ minimum: 1, maximum: 600, description: 'how long a sign-in may take' }),
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
