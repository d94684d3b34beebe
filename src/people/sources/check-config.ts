import { FilterParser } from 'ldapts'
import { messageOf, Unprocessable } from '#kernel/errors.ts'
import { checkOauth2 } from './check-oauth2.ts'
import { checkAuthorities, requireForm, wrong } from './check-parts.ts'
import type { ConfigOf, LdapConfig, PamConfig, SmtpConfig, SourceKind } from './config.ts'
import { parseGroupMap } from './group-map.ts'
import { filterFor, hasPlaceholder } from './ldap/escape.ts'

const hostName = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[?[0-9A-Fa-f:.]+\]?)$/
const attributeName = /^[A-Za-z][\w.;-]*$/

/** @throws Unprocessable on settings that are malformed, that are missing, or that do not fit each other */
export function checkConfig<K extends SourceKind>(kind: K, config: ConfigOf[K]): void {
  checks[kind](config)
}

const checks: { readonly [K in SourceKind]: (config: ConfigOf[K]) => void } = { ldap: checkLdap, smtp: checkSmtp, pam: checkPam, oauth2: checkOauth2 }

function checkLdap(config: LdapConfig): void {
  requireForm('ldap.host', config.host, hostName, 'a host name or an IP address')
  if (config.user_dn === '' && config.user_search_base === '') throw wrong('ldap.user_search_base', 'user_search_base or user_dn is required')
  if (config.user_dn !== '' && !hasPlaceholder(config.user_dn)) throw wrong('ldap.user_dn', 'must contain %s for the username')
  if (config.user_dn === '' && !hasPlaceholder(config.user_filter)) throw wrong('ldap.user_filter', 'must contain %s for the username')
  for (const name of ['user_filter', 'admin_filter', 'restricted_filter', 'group_filter'] as const) checkFilter(`ldap.${name}`, config[name])
  for (const name of attributes) if (config[name] !== '') requireForm(`ldap.${name}`, config[name], attributeName, 'an attribute name')
  if (config.email_attribute === '') throw wrong('ldap.email_attribute', 'is required')
  if (config.enable_groups && config.group_filter !== '') {
    for (const name of ['group_search_base_dn', 'group_member_attribute'] as const)
      if (config[name] === '') throw wrong(`ldap.${name}`, 'is required for groups')
  }
  parseGroupMap(config.group_team_map)
  checkAuthorities('ldap.tls_ca', config.tls_ca)
}

const attributes = [
  'username_attribute',
  'firstname_attribute',
  'surname_attribute',
  'email_attribute',
  'public_ssh_key_attribute',
  'avatar_attribute',
  'group_member_attribute',
  'group_user_attribute',
] as const

function checkFilter(member: string, filter: string): void {
  if (filter === '' || filter === '*') return
  try {
    FilterParser.parseString(filterFor(filter, 'name'))
  } catch (cause) {
    throw new Unprocessable(`[${member}]: invalid LDAP filter: ${messageOf(cause)}`, { cause })
  }
}

function checkSmtp({ host, helo_hostname: helo, tls_ca: authorities }: SmtpConfig): void {
  requireForm('smtp.host', host, hostName, 'a host name or an IP address')
  if (helo !== '') requireForm('smtp.helo_hostname', helo, hostName, 'a host name or an IP address')
  checkAuthorities('smtp.tls_ca', authorities)
}

function checkPam({ service_name: service, email_domain: domain }: PamConfig): void {
  requireForm('pam.service_name', service, /^[\w-][\w.-]*$/, 'a file name')
  if (domain !== '') requireForm('pam.email_domain', domain, /^[\w-]+(?:\.[\w-]+)*$/, 'a domain name')
}
