import { rfc3339 } from '#kernel/clock.ts'
import { blockName, freeName, userStore } from '#people/users/index.ts'
import type { Session } from './environment.ts'
import type { StoreOptions } from './load.ts'
import { openOrMakeStore, openStore } from './open-store.ts'
import { painter, printable, table } from './terminal.ts'

export interface ListNamesOptions extends StoreOptions {
  json?: boolean
}

/** All names that are kept from being taken, in order. */
export async function listNamesCommand(options: ListNamesOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const names = userStore.listReservedNames(context.db).map((row) => ({
    name: row.lower_name,
    reason: row.reason,
    leads_to: row.leads_to,
    since: rfc3339(row.created_at),
    addresses: row.addresses?.split(' ') ?? [],
  }))
  if (options.json) return session.out.print(JSON.stringify(names, null, 2))
  const paint = painter(session.out)
  const cells = names.map(({ name, reason, leads_to, since, addresses }) =>
    [name, reason, leads_to ?? '', since.slice(0, 10), addresses.join(', ')].map(printable),
  )
  session.out.print(table([['NAME', 'REASON', 'REDIRECTS TO', 'SINCE', 'EMAIL ADDRESSES'], ...cells], (text, row) => (row === 0 ? paint('bold', text) : text)))
}

export interface NameOptions extends StoreOptions {
  name: string
}

export async function blockNameCommand({ name, ...options }: NameOptions, session: Session): Promise<void> {
  await using context = openOrMakeStore(options, session)
  blockName(context, name)
  session.out.print(`Reserved the name "${name.toLowerCase()}".`)
}

export async function releaseNameCommand({ name, ...options }: NameOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const addresses = freeName(context, name)
  const all = addresses.length === 0 ? '' : ` and the email addresses ${addresses.join(', ')}`
  session.out.print(`Released the name "${printable(name.toLowerCase())}"${all}.`)
}
