import { type Static, t } from 'elysia'
import { oneOf } from '#kernel/schema.ts'
import { Authorities, flag, GroupTeamMap, GroupTeamMapRemoval, text } from './config-parts.ts'

/** Another site that people sign in at with their browser. */
export const Oauth2Config = t.Object(
  {
    provider: oneOf(['openidConnect', 'github', 'gitlab', 'gitea'] as const, { description: 'what kind of site it is' }),
    client_id: text('what this server is called there', 1024),
    client_secret: text('its password there; never given back', 4096),
    discovery_url: text('of openidConnect: address of its OpenID document, …/.well-known/openid-configuration', 2048),
    use_custom_urls: flag('of the others: the site is not the public one, and has the addresses below'),
    auth_url: text('where people are sent to', 2048),
    token_url: text('where codes are exchanged', 2048),
    profile_url: text('where a profile is read', 2048),
    email_url: text('where e-mail addresses are read; empty: nowhere', 2048),
    tenant: text('what {tenant} stands for in all those addresses'),
    icon_url: text('picture on the link, as data:image/png;base64,… and the like: pages load nothing from elsewhere', 65_536),
    tls_ca: Authorities,
    scopes: text('further scopes to ask for, with commas or spaces between them', 4096),
    required_claim_name: text('claim without which nobody is let in'),
    required_claim_value: text('what it must be, or have in it'),
    group_claim_name: text('claim that names groups'),
    admin_group: text('group whose members are site administrators'),
    restricted_group: text('group whose members are restricted'),
    group_team_map: GroupTeamMap,
    group_team_map_removal: GroupTeamMapRemoval,
    ssh_public_key_claim_name: text('claim that has public SSH keys'),
    full_name_claim_name: text('claim that has the full name'),
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
