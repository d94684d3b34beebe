import type { Oid } from '../objects/oid.ts'
import { encodeTree, type TreeEntry } from '../objects/tree.ts'
import { MemoryStore } from '../store/memory.ts'

export interface HandCommit {
  parents?: readonly Oid[]
  /** Seconds since 1970. Default: one more than the commit before. */
  date?: number
  /** Paths, directories included, and contents. */
  files?: Readonly<Record<string, string>>
  isSigned?: boolean
}

/** A history written commit by commit into memory. */
export class HandHistory {
  readonly store = new MemoryStore()
  #date = 1_000_000
  #count = 0

  commit({ parents = [], date = ++this.#date, files = {}, isSigned = false }: HandCommit = {}): Oid {
    const who = `A <a@example.org> ${date} +0000`
    const header = [`tree ${this.tree(files)}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`]
    if (isSigned) header.push('gpgsig -----BEGIN PGP SIGNATURE-----', ' x', ' -----END PGP SIGNATURE-----')
    return this.store.write('commit', Buffer.from(`${header.join('\n')}\n\n${++this.#count}\n`))
  }

  /** Commits by name, out of lines like `c: a b`, parents first; a name alone is a root. */
  draw(lines: readonly string[]): Record<string, Oid> {
    const commits: Record<string, Oid> = {}
    for (const line of lines) {
      const [name, ...parents] = line.split(/:? +|:/).filter((word) => word !== '') as [string, ...string[]]
      commits[name] = this.commit({ parents: parents.map((parent) => commits[parent] as Oid) })
    }
    return commits
  }

  tree(files: Readonly<Record<string, string>>): Oid {
    const directories = Map.groupBy(Object.entries(files), ([path]) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : ''))
    const entries: TreeEntry[] = (directories.get('') ?? []).map(([name, content]) => ({
      mode: 0o100644,
      name,
      oid: this.store.write('blob', Buffer.from(content)),
    }))
    directories.delete('')
    for (const [name, inside] of directories) {
      const below = Object.fromEntries(inside.map(([path, content]) => [path.slice(name.length + 1), content]))
      entries.push({ mode: 0o040000, name, oid: this.tree(below) })
    }
    return this.store.write('tree', encodeTree(entries))
  }
}
