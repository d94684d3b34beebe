import type { NetworkConfig } from '#outbound/network/index.ts'
import type { LdapConfig } from '../config.ts'
import type { FoundPerson } from '../found.ts'
import { Directory, type Entry, personLimits } from './directory.ts'
import { fillIn, filterFor, isPlainInDn } from './escape.ts'
import { groupsOf, rightsOf } from './groups-and-rights.ts'
import { personAttributes, readEntry } from './read-entry.ts'

/**
 * Asks a directory whether somebody has this password, and who they are. Undefined when it is wrong, nobody is called so or several are, or they
 * are in no group that lets them in.
 * @throws SourceUnavailable
 */
export async function signInByLdap(
  network: NetworkConfig,
  config: LdapConfig,
  name: string,
  password: string,
  signal: AbortSignal,
): Promise<FoundPerson | undefined> {
  if (config.user_dn !== '' && !isPlainInDn(name)) return undefined
  using directory = await Directory.open(network, config, personLimits, signal)
  const dn = config.user_dn === '' ? await findDn(directory, config, name) : fillIn(config.user_dn, name)
  if (dn === undefined || !(await directory.bind(dn, password))) return undefined
  if (config.user_dn === '' && config.attributes_in_bind) await directory.bindAsSearcher()
  const entry = await readPerson(directory, config, dn, name)
  if (!entry) return undefined
  const groups = await groupsOf(directory, config, entry)
  if (groups?.length === 0) return undefined
  return { ...readEntry(config, entry, name), ...(await rightsOf(directory, config, entry.dn, name)), groups }
}

/** The one entry that the filter finds. */
async function findDn(directory: Directory, config: LdapConfig, name: string): Promise<string | undefined> {
  await directory.bindAsSearcher()
  const found = await directory.search(config.user_search_base, { filter: filterFor(config.user_filter, name), attributes: ['1.1'], limit: 2 })
  return found.length === 1 ? found[0]?.dn : undefined
}

/** What the directory shows of them, if the filter lets them in. Where DNs are made from names, the entry may stand elsewhere below the base. */
async function readPerson(directory: Directory, config: LdapConfig, dn: string, name: string): Promise<Entry | undefined> {
  const filter = config.user_filter === '' ? '(objectClass=*)' : filterFor(config.user_filter, name)
  const isElsewhere = config.user_dn !== '' && config.user_search_base !== ''
  const search = { filter, attributes: personAttributes(config), limit: 2 }
  const found = await directory.search(isElsewhere ? config.user_search_base : dn, { ...search, scope: isElsewhere ? 'sub' : 'base' })
  return found.length === 1 ? found[0] : undefined
}
