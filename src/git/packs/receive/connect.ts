import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../../objects/oid.ts'
import { type ObjectReader, typeIn } from '../../store/types.ts'
import { typeCode, typeName } from '../entry.ts'
import type { EntryColumns } from './entry-table.ts'
import { oidOf } from './entry-table.ts'
import type { LinkTable } from './link-table.ts'
import { IS_ATTRIBUTES, IS_FOUND, IS_MODULES, WANTS_ANY } from './link-table.ts'
import { nameObject, refusal } from './refusal.ts'

export interface Connection {
  /** Every entry is a link's target or a tip. */
  closed: boolean
  /** Entries that are `.gitmodules` files, and those that are `.gitattributes` files. */
  modules: number[]
  attributes: number[]
  /** The same, of objects that only the repository has. */
  storedModules: Oid[]
  storedAttributes: Oid[]
}

export interface ConnectInput {
  columns: EntryColumns
  /** Entries that were sent; further ones are bases taken from the repository. */
  sent: number
  count: number
  /** All links and, without a wanted type, the tips. */
  tables: LinkTable[]
  store: ObjectReader
}

/**
 * Checks that whatever the pack's objects link to, and each tip, is in the pack or in the store, and of the right type.
 * The store holds the links of all its objects, so nothing behind them needs a look.
 * @throws GitError `missing` or `corrupt`
 */
export async function connect(input: ConnectInput): Promise<Connection> {
  const connection: Connection = { closed: true, modules: [], attributes: [], storedModules: [], storedAttributes: [] }
  for (let entry = 0; entry < input.count; entry++) {
    if (!findLinks(input, entry, connection) && entry < input.sent) connection.closed = false
    if ((entry & 1023) === 0 && isDue()) await breathe()
  }
  for (const table of input.tables) {
    for (let slot = 0; slot < table.capacity; slot++) {
      const flags = table.flagsAt(slot)
      if (flags !== 0 && (flags & IS_FOUND) === 0) findStored(input, table, slot, connection)
      if ((slot & 1023) === 0 && isDue()) await breathe()
    }
  }
  return connection
}

/** Marks the links to `entry` as found; answers whether there are any. */
function findLinks(input: ConnectInput, entry: number, connection: Connection): boolean {
  const { columns } = input
  let isLinked = false
  for (const table of input.tables) {
    const slot = table.find(columns.oids, entry * columns.rawLength)
    if (slot < 0) continue
    refuseWrongType(input, table, slot, columns.types[entry] as number)
    table.markFound(slot)
    if (table.flagsAt(slot) & IS_MODULES) connection.modules.push(entry)
    if (table.flagsAt(slot) & IS_ATTRIBUTES) connection.attributes.push(entry)
    isLinked = true
  }
  return isLinked
}

function findStored(input: ConnectInput, table: LinkTable, slot: number, connection: Connection): void {
  const type = typeIn(input.store, table.rawAt(slot), 0)
  if (type === undefined) throw refusal('missing', `${nameLink(input, table, slot)} is neither in the pack nor in the repository`)
  refuseWrongType(input, table, slot, typeCode(type))
  if (table.flagsAt(slot) & IS_MODULES) connection.storedModules.push(table.oidAt(slot))
  if (table.flagsAt(slot) & IS_ATTRIBUTES) connection.storedAttributes.push(table.oidAt(slot))
}

function refuseWrongType(input: ConnectInput, table: LinkTable, slot: number, type: number): void {
  const wanted = table.flagsAt(slot) & WANTS_ANY
  if ((wanted & ~(1 << type)) !== 0) throw refusal('corrupt', `${nameLink(input, table, slot)} is a ${typeName(type)}`)
}

/** `commit 1a2b… names tree 3c4d…, which`, or of a tip `the new value 3c4d… of a ref`. */
function nameLink(input: ConnectInput, table: LinkTable, slot: number): string {
  const wanted = table.flagsAt(slot) & WANTS_ANY
  if (wanted === 0) return `the pushed object ${table.oidAt(slot)}`
  const from = table.fromAt(slot)
  const linker = nameObject(typeName(input.columns.types[from] as number), oidOf(input.columns, from))
  const kinds = [1, 2, 3, 4].filter((type) => wanted & (1 << type)).map(typeName)
  return `${linker} names the ${kinds.join(' and ')} ${table.oidAt(slot)}, which`
}
