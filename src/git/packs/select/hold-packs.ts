import { GitError } from '../../errors.ts'
import type { DiskStore } from '../../store/disk.ts'
import type { PackFile } from '../pack-file.ts'

/** Joins of packs that may get in the way of one beginning. */
const MAX_TRIES = 5

/**
 * Keeps all packs of a store open until it is disposed of, for what reads on in them, however slowly, whatever upkeep takes away meanwhile. Where one has
 * just been joined with others, it is those that the store has then.
 */
export function holdPacks(store: DiskStore): Disposable {
  for (let tries = 1; ; tries++) {
    const held: PackFile[] = []
    const letGo = () => {
      for (const pack of held) pack.letGo()
    }
    try {
      for (const pack of store.packs) {
        pack.hold()
        held.push(pack)
      }
      return { [Symbol.dispose]: letGo }
    } catch (error) {
      letGo()
      if (!(error instanceof GitError) || tries === MAX_TRIES || !store.refresh()) throw error
    }
  }
}
