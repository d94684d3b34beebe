import { LruMap } from '#kernel/lru-map.ts'
import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { entryType, findEntry } from '../objects/tree.ts'
import type { ObjectReader } from '../store/types.ts'
import type { AttributeDirectory } from './attribute-directory.ts'
import { AttributeQuestion } from './attribute-question.ts'
import { type AttributeRule, parseAttributes } from './parse-attributes.ts'

/** Files of this size and more count for nothing; git draws that line at 100 MB. */
const MAX_FILE_BYTES = 1024 * 1024
/** What the rules of a directory and its parents may take. */
const MAX_CHAIN_WEIGHT = 16 * 1024 * 1024
/** What is kept of one tree. */
const MAX_KEPT_WEIGHT = 16 * 1024 * 1024
const MAX_KEPT_TREES = 4
const RULE_WEIGHT = 200
const STATE_WEIGHT = 100
const DIRECTORY_WEIGHT = 400

const kept = new LruMap<Oid, { store: ObjectReader; attributes: TreeAttributes }>(MAX_KEPT_TREES)

/** The attributes that `tree` gives its paths, kept for the next who asks on this thread. */
export function attributesOf(store: ObjectReader, tree: Oid): TreeAttributes {
  const known = kept.get(tree)
  if (known?.store === store) return known.attributes
  const attributes = new TreeAttributes(store, tree)
  kept.set(tree, { store, attributes })
  return attributes
}

/**
 * What the `.gitattributes` files of a tree say, read when first needed. Neither a repository's `info/attributes` nor anybody's
 * configuration counts: the answer is the same wherever the tree is.
 */
export class TreeAttributes {
  readonly #store: ObjectReader
  readonly #root: AttributeDirectory
  #directories = new Map<string, AttributeDirectory>()
  #keptWeight = 0

  /** @throws GitError `missing` or `corrupt` when the tree is */
  constructor(store: ObjectReader, tree: Oid) {
    this.#store = store
    this.#root = this.#read('', tree, undefined)
  }

  /** For asking what the named attributes are of many paths. */
  question<Name extends string>(names: readonly Name[]): AttributeQuestion<Name> {
    return new AttributeQuestion(names, this.#root.rules, (path) => this.directory(path))
  }

  /**
   * The directory called `path` (a byte in each character, no slash at the end), also one that is not there.
   * @throws GitError `missing` or `corrupt` when a tree on the way is, `limit` when its attributes are too many
   */
  directory(path: string): AttributeDirectory {
    if (path === '') return this.#root
    const known = this.#directories.get(path)
    if (known !== undefined) return known
    let directory = this.#root
    for (let slash = path.indexOf('/'); ; slash = path.indexOf('/', slash + 1)) {
      directory = this.#step(directory, slash < 0 ? path : path.slice(0, slash))
      if (slash < 0) return directory
    }
  }

  #step(parent: AttributeDirectory, path: string): AttributeDirectory {
    const known = this.#directories.get(path)
    if (known !== undefined) return known
    const name = path.slice(parent.base === '' ? 0 : parent.base.length + 1)
    const directory = this.#read(path, this.#subtree(parent.tree, name), parent)
    this.#keep(directory)
    return directory
  }

  #keep(directory: AttributeDirectory): void {
    const weight = directory.weight - (directory.parent?.weight ?? 0)
    if (this.#keptWeight + weight > MAX_KEPT_WEIGHT) {
      this.#directories = new Map()
      this.#keptWeight = 0
    }
    this.#directories.set(directory.base, directory)
    this.#keptWeight += weight
  }

  #subtree(tree: Oid | undefined, name: string): Oid | undefined {
    if (tree === undefined) return undefined
    const entry = findEntry(this.#tree(tree), Buffer.from(name, 'latin1'), this.#store.format.rawLength)
    return entry !== undefined && entryType(entry.mode) === 'tree' ? entry.oid : undefined
  }

  #read(base: string, tree: Oid | undefined, parent: AttributeDirectory | undefined): AttributeDirectory {
    const rules = tree === undefined ? [] : this.#rules(tree, parent === undefined)
    const weight = (parent?.weight ?? 0) + DIRECTORY_WEIGHT + base.length + weightOf(rules)
    if (weight > MAX_CHAIN_WEIGHT) throw new GitError('limit', `Cannot read attributes: "${Buffer.from(base, 'latin1')}" has too many attributes`)
    return { base, rules, parent, tree, weight }
  }

  #rules(tree: Oid, isRoot: boolean): AttributeRule[] {
    const entry = findEntry(this.#tree(tree), '.gitattributes', this.#store.format.rawLength)
    if (entry === undefined || entryType(entry.mode) !== 'blob') return []
    const size = this.#store.findHeader(entry.oid)?.size
    // A file that is not there, in a partial clone, is passed over.
    if (size === undefined || size >= MAX_FILE_BYTES) return []
    return parseAttributes(this.#store.get(entry.oid, 'blob', MAX_FILE_BYTES).data, isRoot)
  }

  #tree(tree: Oid): Uint8Array {
    return tree === this.#store.format.emptyTree ? new Uint8Array(0) : this.#store.get(tree, 'tree').data
  }
}

function weightOf(rules: readonly AttributeRule[]): number {
  let weight = 0
  for (const rule of rules) {
    weight += RULE_WEIGHT + ('pattern' in rule ? rule.pattern.text.length : 0)
    for (const { value } of rule.states) weight += STATE_WEIGHT + (typeof value === 'string' ? value.length : 0)
  }
  return weight
}
