import type { BytePath } from './entry.ts'
import type { TreeItem } from './read-tree.ts'

/**
 * What a merge takes over into one directory as it is: most of what lies in a large one. There is no entry for such a path until something
 * asks about it.
 */
export class SettledItems {
  readonly #items: (TreeItem | undefined)[] = []
  #places: Map<BytePath, number> | undefined

  add(item: TreeItem): void {
    this.#items.push(item)
  }

  /** The item of that name, which is not among these any more. */
  take(name: BytePath): TreeItem | undefined {
    this.#places ??= new Map(this.#items.map((item, place) => [item?.name ?? '', place]))
    const place = this.#places.get(name)
    const item = place === undefined ? undefined : this.#items[place]
    if (place !== undefined) this.#items[place] = undefined
    return item
  }

  /** Those that nobody took, in the order they came, which is their tree's. */
  rest(): TreeItem[] {
    return this.#items.filter((item) => item !== undefined)
  }
}
