import { breathe, isDue } from '#kernel/breathe.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE, type TreeEntry } from '../objects/tree.ts'
import { getHeader } from '../store/rules.ts'
import type { ObjectReader } from '../store/types.ts'
import { type LicensePrint, licensePrints, runsOf } from './license-prints.ts'

/** Files that licences stand in, at the root. */
const licenseFile = /^(?:un)?licen[sc]e|^copying|^ofl\b|[-_.]licen[sc]e(?:\.(?:md|txt|rst))?$/i
/** Where REUSE puts them: https://reuse.software/spec. */
const REUSE = 'LICENSES'
const MAX_FILES = 50
const MAX_BYTES = 256 * 1024
/** How much of a licence's text has to be there. */
const LEAST_SHARE = 0.92
const MAX_LICENSES_PER_FILE = 10

/** SPDX identifiers of the licences whose texts lie at the root of a tree, in its order of files. @throws GitError `missing` or `corrupt` when the tree is */
export async function detectLicenses(store: ObjectReader, tree: Oid): Promise<string[]> {
  const found = new Set<string>()
  for (const { oid } of licenseFiles(store, tree).slice(0, MAX_FILES)) {
    const size = getHeader(store, oid).size
    if (size === 0 || size > MAX_BYTES) continue
    const text = Buffer.from(store.get(oid, 'blob', MAX_BYTES).data).toString()
    for (const id of await licensesIn(text)) found.add(id)
  }
  return [...found]
}

/** Whether two trees have the same licences, as far as their files tell without being read. */
export function hasSameLicenseFiles(store: ObjectReader, a: Oid, b: Oid): boolean {
  const told = (tree: Oid) => JSON.stringify(licenseFiles(store, tree).map(({ name, oid }) => [name, oid]))
  return told(a) === told(b)
}

function licenseFiles(store: ObjectReader, tree: Oid): TreeEntry[] {
  return entriesOf(store, tree).flatMap((entry) => {
    if (entry.mode === TREE_MODE) return entry.name === REUSE ? entriesOf(store, entry.oid).filter(isFile) : []
    return isFile(entry) && licenseFile.test(entry.name) ? [entry] : []
  })
}

function isFile({ mode }: TreeEntry): boolean {
  return (mode & 0o170000) === 0o100000
}

function entriesOf(store: ObjectReader, tree: Oid): TreeEntry[] {
  return tree === store.format.emptyTree ? [] : parseTree(store.get(tree, 'tree', defaultLimits.maxParsedBytes).data)
}

/**
 * The licences whose texts a file holds, the one that it is most like first. What belongs to one counts for no other, so that a licence that is all
 * but contained in another is not found beside it.
 */
export async function licensesIn(text: string): Promise<string[]> {
  const prints = await licensePrints()
  let left = runsOf(text)
  const found: string[] = []
  while (left.length > 0 && found.length < MAX_LICENSES_PER_FILE) {
    const best = await findBest(prints, left)
    if (!best) break
    found.push(best.id)
    left = without(left, best.runs)
  }
  return found
}

/** The licence that is there almost whole and leaves the least of the text over. */
async function findBest(prints: readonly LicensePrint[], runs: Uint32Array): Promise<LicensePrint | undefined> {
  let best: { print: LicensePrint; likeness: number } | undefined
  for (const print of prints) {
    if (isDue()) await breathe()
    if (runs.length < print.runs.length * LEAST_SHARE) continue
    const shared = countShared(print.runs, runs)
    if (shared < print.runs.length * LEAST_SHARE) continue
    const likeness = shared / (print.runs.length + runs.length)
    if (!best || likeness > best.likeness) best = { print, likeness }
  }
  return best?.print
}

/** Of sorted lists. */
function countShared(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i] as number, b[j] as number]
    if (x === y) shared++
    if (x <= y) i++
    if (y <= x) j++
  }
  return shared
}

function without(a: Uint32Array, b: Uint32Array): Uint32Array {
  const left: number[] = []
  for (let i = 0, j = 0; i < a.length; ) {
    const x = a[i] as number
    const y = b[j] ?? Number.POSITIVE_INFINITY
    if (x < y) left.push(x)
    if (x <= y) i++
    if (y <= x) j++
  }
  return Uint32Array.from(left)
}
