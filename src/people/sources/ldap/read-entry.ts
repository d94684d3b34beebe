import type { LdapConfig } from '../config.ts'
import type { FoundPerson } from '../found.ts'
import type { Entry } from './directory.ts'

/** As many SSH keys are taken from an entry. */
const MAX_KEYS = 100

/** The attributes of a person that are asked for. */
export function personAttributes(config: LdapConfig): string[] {
  const { group_user_attribute: inGroups, enable_groups: hasGroups } = config
  const names = [
    config.username_attribute,
    config.firstname_attribute,
    config.surname_attribute,
    config.email_attribute,
    config.public_ssh_key_attribute,
    config.avatar_attribute,
    ...(hasGroups && !isDn(inGroups) ? [inGroups] : []),
  ].filter((name) => name !== '')
  // None would ask for all of them.
  return names.length === 0 ? ['1.1'] : [...new Set(names)]
}

/** Whether people stand in groups by their DN. */
export function isDn(groupUserAttribute: string): boolean {
  return groupUserAttribute === '' || groupUserAttribute.toLowerCase() === 'dn'
}

/** The values of an attribute, however its name is spelt, that are texts. */
export function textsOf(entry: Entry, attribute: string): string[] {
  return valuesOf(entry, attribute).filter((value) => typeof value === 'string')
}

function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  if (attribute === '') return []
  const lower = attribute.toLowerCase()
  const name = Object.keys(entry).find((key) => key.toLowerCase() === lower && key !== 'dn')
  const value = name === undefined ? [] : entry[name]
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

/** @param typed the name that was typed; absent in a synchronisation, where an entry without one of its own comes to an empty name */
export function readEntry(config: LdapConfig, entry: Entry, typed = ''): FoundPerson {
  const first = (attribute: string) => (textsOf(entry, attribute)[0] ?? '').trim()
  const name = config.username_attribute === '' ? typed : first(config.username_attribute)
  const fullName = [first(config.firstname_attribute), first(config.surname_attribute)].filter(Boolean).join(' ')
  const [picture] = valuesOf(entry, config.avatar_attribute)
  return {
    loginName: name,
    name,
    email: first(config.email_attribute),
    fullName: fullName || undefined,
    keys: config.public_ssh_key_attribute === '' ? undefined : textsOf(entry, config.public_ssh_key_attribute).slice(0, MAX_KEYS),
    avatar: picture === undefined || picture.length === 0 ? undefined : Buffer.from(picture),
  }
}
