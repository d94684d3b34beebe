import { BaseCache } from './base-cache.ts'
import { DeltaScratch } from './delta-scratch.ts'
import { OpenFiles } from './open-files.ts'
import { PackWindows } from './pack-windows.ts'

/** What a thread keeps of the packs it reads, shared by all of them. */
export interface ReadCache {
  bases: BaseCache
  windows: PackWindows
  scratch: DeltaScratch
  files: OpenFiles
}

export function newReadCache(maxBytes: number): ReadCache {
  return { bases: new BaseCache(maxBytes), windows: new PackWindows(), scratch: new DeltaScratch(), files: new OpenFiles() }
}
