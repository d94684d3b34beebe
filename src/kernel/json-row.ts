/**
 * SQL that makes a row of `table` an object of JSON, for lists of rows within a row.
 * @param columns all of them: the type of the row says which there are
 */
export function jsonRow<T>(table: string, columns: Record<keyof T & string, true>): string {
  const pairs = Object.keys(columns).map((column) => `'${column}', ${table}.${column}`)
  return `json_object(${pairs.join(', ')})`
}

/** SQL that makes a list of what `item` is in each row of `from`. */
export function jsonList(item: string, from: string): string {
  return `(SELECT json_group_array(${item}) FROM ${from})`
}
