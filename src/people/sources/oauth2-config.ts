import { type Static, t } from 'elysia'
import { oneOf } from '#kernel/schema.ts'
import { Authorities, flag, GroupTeamMap, GroupTeamMapRemoval, text } from './config-parts.ts'

/** Another site that people sign in at with their browser. */
export const Oauth2Config = t.Object(
  {
    provider: oneOf(['openidConnect', 'github', 'gitlab', 'gitea'] as const, { description: 'type of the provider' }),
    client_id: text('client ID of this server at the provider', 1024),
    client_secret: text('secret of the client at the provider; never returned', 4096),
    discovery_url: text('openidConnect only: URL of the discovery document, …/.well-known/openid-configuration', 2048),
    use_custom_urls: flag('other providers only: use the URLs below instead of the public site'),
    auth_url: text('authorization endpoint', 2048),
    token_url: text('token endpoint', 2048),
    profile_url: text('user profile endpoint', 2048),
    email_url: text('email addresses endpoint; empty: not read', 2048),
    tenant: text('value for {tenant} in the URLs'),
    icon_url: text('icon on the sign-in button, as a data URL: data:image/png;base64,…', 65_536),
    tls_ca: Authorities,
    scopes: text('additional scopes to request, separated by commas or spaces', 4096),
    required_claim_name: text('claim that users must have to sign in'),
    required_claim_value: text('value that the required claim must equal or contain'),
    group_claim_name: text('claim that lists the groups of the user'),
    admin_group: text('group whose members are site administrators'),
    restricted_group: text('group whose members are restricted'),
    group_team_map: GroupTeamMap,
    group_team_map_removal: GroupTeamMapRemoval,
    ssh_public_key_claim_name: text('claim with public SSH keys'),
    full_name_claim_name: text('claim with the full name'),
  },
  { $id: 'Oauth2SourceConfig' },
)
export type Oauth2Config = Static<typeof Oauth2Config>

export const oauth2Defaults: Oauth2Config = {
  provider: 'openidConnect',
  client_id: '',
  client_secret: '',
  discovery_url: '',
  use_custom_urls: false,
  auth_url: '',
  token_url: '',
  profile_url: '',
  email_url: '',
  tenant: '',
  icon_url: '',
  tls_ca: '',
  scopes: '',
  required_claim_name: '',
  required_claim_value: '',
  group_claim_name: '',
  admin_group: '',
  restricted_group: '',
  group_team_map: '',
  group_team_map_removal: false,
  ssh_public_key_claim_name: '',
  full_name_claim_name: '',
}

/** Members that are addresses. */
export const oauth2Addresses = ['discovery_url', 'auth_url', 'token_url', 'profile_url', 'email_url'] as const

/** The settings with their tenant put into their addresses. */
export function withTenant(config: Oauth2Config): Oauth2Config {
  const tenant = encodeURIComponent(config.tenant)
  return { ...config, ...Object.fromEntries(oauth2Addresses.map((name) => [name, config[name].replaceAll('{tenant}', tenant)])) }
}
