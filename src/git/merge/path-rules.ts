import { attributesOf } from '../attributes/tree-attributes.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import type { MergeDriver } from './content-merge.ts'
import type { BytePath } from './entry.ts'

/** How a path's attributes say that it is merged. */
export interface PathRules {
  driver: MergeDriver
  /** Length of conflict markers. */
  markerSize: number
}

const MARKER_SIZE = 7
/** Nobody reads longer ones. */
const MAX_MARKER_SIZE = 1000

/**
 * How the `.gitattributes` of a tree say that paths are merged: `merge=union`, `binary` (or `-merge`), `ours`, else as text; and
 * `conflict-marker-size`. Read when first asked. Source: `find_ll_merge_driver` of git's `ll-merge.c`.
 */
export function pathRules(store: ObjectReader, tree: Oid): (path: BytePath) => PathRules {
  const question = attributesOf(store, tree).question(['merge', 'conflict-marker-size'])
  return (path) => {
    const asked = question.ask(Buffer.from(path, 'latin1'))
    return { driver: driverOf(asked.merge), markerSize: markerSizeOf(asked['conflict-marker-size']) }
  }
}

function driverOf(value: unknown): MergeDriver {
  if (value === false) return 'binary'
  return value === 'binary' || value === 'union' || value === 'ours' ? value : 'text'
}

function markerSizeOf(value: unknown): number {
  const size = typeof value === 'string' ? Number.parseInt(value, 10) : 0
  return size > 0 ? Math.min(size, MAX_MARKER_SIZE) : MARKER_SIZE
}
