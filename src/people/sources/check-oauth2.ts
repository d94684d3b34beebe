import { checkAuthorities, requireForm, wrong } from './check-parts.ts'
import { parseGroupMap } from './group-map.ts'
import { type Oauth2Config, oauth2Addresses, withTenant } from './oauth2-config.ts'

const picture = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$/

/** @throws Unprocessable on settings that are malformed, that are missing, or that do not fit each other */
export function checkOauth2(config: Oauth2Config): void {
  requireForm('oauth2.client_id', config.client_id, /./, 'a client ID')
  for (const name of needed(config)) if (config[name] === '') throw wrong(`oauth2.${name}`, `is required for ${config.provider}`)
  for (const name of oauth2Addresses) if (config[name] !== '') checkAddress(`oauth2.${name}`, withTenant(config)[name])
  if (config.icon_url !== '') requireForm('oauth2.icon_url', config.icon_url, picture, 'an image as a data URL, such as data:image/png;base64,…')
  if (config.group_claim_name === '') refuseWithoutGroups(config)
  if (config.required_claim_name === '' && config.required_claim_value !== '') throw wrong('oauth2.required_claim_name', 'is required for required_claim_value')
  parseGroupMap(config.group_team_map)
  checkAuthorities('oauth2.tls_ca', config.tls_ca)
}

function needed({ provider, use_custom_urls }: Oauth2Config): (keyof Oauth2Config)[] {
  if (provider === 'openidConnect') return ['discovery_url']
  return use_custom_urls ? ['auth_url', 'token_url', 'profile_url'] : []
}

function checkAddress(member: string, text: string): void {
  requireForm(member, text, /^https?:\/\/[^\s{}]+$/i, 'a URL that starts with http:// or https://')
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') throw wrong(member, 'the URL must not contain credentials')
}

/** What groups decide would be decided for nobody, or everybody. */
function refuseWithoutGroups(config: Oauth2Config): void {
  const set = (['admin_group', 'restricted_group', 'group_team_map'] as const).find((name) => config[name] !== '')
  if (set !== undefined) throw wrong('oauth2.group_claim_name', `is required for ${set}`)
}
