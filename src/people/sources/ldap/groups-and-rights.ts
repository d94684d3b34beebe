import type { LdapConfig } from '../config.ts'
import type { ExternalRights } from '../external-user.ts'
import type { Directory, Entry } from './directory.ts'
import { escapeFilter, filterFor, inBrackets } from './escape.ts'
import { isDn, textsOf } from './read-entry.ts'

/** As many groups are taken. */
const MAX_GROUPS = 10_000

/** The names of the groups that the person is in, as far as the group filter leaves them; undefined where groups are not looked up. */
export async function groupsOf(directory: Directory, config: LdapConfig, entry: Entry): Promise<string[] | undefined> {
  const { enable_groups: isOn, group_filter: filter, group_member_attribute: member, group_user_attribute: user } = config
  if (!isOn || filter === '') return undefined
  const value = isDn(user) ? entry.dn : textsOf(entry, user)[0]
  if (value === undefined || value === '' || member === '') return []
  const search = { filter: `(&${inBrackets(filter)}(${member}=${escapeFilter(value)}))`, attributes: ['1.1'], limit: MAX_GROUPS }
  return (await directory.search(config.group_search_base_dn, search)).map(({ dn }) => dn)
}

/** What the filters for administrators and restricted people say of an entry; an empty one says nothing. */
export async function rightsOf(directory: Directory, config: LdapConfig, dn: string, name: string): Promise<ExternalRights> {
  const { admin_filter: admins, restricted_filter: restricted } = config
  const isAdmin = admins === '' ? undefined : await matches(directory, dn, filterFor(admins, name))
  if (restricted === '') return { isAdmin }
  if (isAdmin) return { isAdmin, isRestricted: false }
  return { isAdmin, isRestricted: restricted === '*' || (await matches(directory, dn, filterFor(restricted, name))) }
}

async function matches(directory: Directory, dn: string, filter: string): Promise<boolean> {
  return (await directory.search(dn, { filter, attributes: ['1.1'], scope: 'base', limit: 1 })).length > 0
}
