import { type Oid, SHA1 } from '../../objects/oid.ts'
import { PackIndex } from '../pack-index.ts'

/** What a pack's index says that it holds. */
export function idsIn(packPath: string): Oid[] {
  const index = PackIndex.open(packPath.replace(/pack$/, 'idx'), SHA1)
  return Array.from({ length: index.count }, (_, i) => index.oidAt(i))
}
