import { globMatcher, weightOf } from '#kernel/glob.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { entryType, FILE_MODE, parseTree, TREE_MODE } from '../objects/tree.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { checkPath, EditableTree } from './editable-tree.ts'
import { expandBytes, expandPath, type Variables } from './expand-variables.ts'

export interface TemplateTerms {
  /** The file that says, a glob a line, in which files variables are filled in; it does not come along. */
  rulesPath: string
  variables: Variables
}

const MAX_RULES_BYTES = 64 * 1024
const MAX_GLOBS = 200
/** Characters of paths times the weight of the globs: some seconds. */
const MAX_EFFORT = 100_000_000
/** A larger file comes along as it is. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
/** What all that is filled in may come to. */
const MAX_FILLED_BYTES = 128 * 1024 * 1024
const EXECUTABLE_MODE = 0o100755
/** Git looks as far for the NUL that tells binary files from text. */
const BINARY_PROBE = 8000

/**
 * What a template's tree becomes: in files that its rules name, variables are filled in, in their names as well. Links, submodules, binary files
 * and modes stay as they are. Without rules the tree stays as it is.
 * @throws GitError `limit` when that is beyond measure, `refused` on paths that come out such as no tree may have
 */
export function fillTemplate(store: ScratchStore, root: Oid, { rulesPath, variables }: TemplateTerms): Oid {
  const tree = new EditableTree(store, root)
  const rules = tree.find(rulesPath)
  if (rules === undefined || entryType(rules.mode) !== 'blob') return root
  const globs = parseGlobs(Buffer.from(store.get(rules.oid, 'blob', MAX_RULES_BYTES).data).toString())
  tree.remove(rulesPath)
  const budget = { bytes: MAX_FILLED_BYTES }
  for (const { path, mode, oid } of [...matchingFiles(store, root, globs)]) {
    if (path === rulesPath) continue
    const filled = expandPath(path, variables)
    const entry = { mode, oid: isText(mode) ? fill(store, oid, variables, budget) : oid }
    if (filled !== path) tree.remove(path)
    tree.put(checkPath(filled), entry)
  }
  return tree.write()
}

/** Lines that begin with `#` are comments. @throws GitError `limit` when there are too many */
function parseGlobs(text: string): string[] {
  const globs = text.split('\n').map((line) => line.trim())
  const found = globs.filter((line) => line !== '' && !line.startsWith('#'))
  if (found.length > MAX_GLOBS) throw new GitError('limit', `Cannot expand the template: it has more than ${MAX_GLOBS} file patterns`)
  return found
}

interface FoundEntry {
  path: string
  mode: number
  oid: Oid
}

function* matchingFiles(store: ScratchStore, root: Oid, globs: readonly string[]): Generator<FoundEntry> {
  const matchers = globs.map((glob) => globMatcher(glob, '/'))
  const weight = 1 + weightOf(globs)
  let effortLeft = MAX_EFFORT
  for (const entry of entriesIn(store, root, '', 0)) {
    effortLeft -= weight * entry.path.length
    if (effortLeft < 0) throw new GitError('limit', 'Cannot expand the template: it has too many files for its file patterns')
    if (entry.mode !== TREE_MODE && matchers.some((matches) => matches(entry.path))) yield entry
  }
}

/** Files, links and directories, at any depth. */
function* entriesIn(store: ScratchStore, tree: Oid, prefix: string, depth: number): Generator<FoundEntry> {
  if (depth > defaultLimits.maxTreeDepth) throw new GitError('limit', 'Cannot expand the template: its directories are nested too deeply')
  if (tree === store.format.emptyTree) return
  for (const { mode, name, oid } of parseTree(store.get(tree, 'tree', defaultLimits.maxParsedBytes).data)) {
    if (entryType(mode) !== 'commit') yield { path: prefix + name, mode, oid }
    if (mode === TREE_MODE) yield* entriesIn(store, oid, `${prefix}${name}/`, depth + 1)
  }
}

function isText(mode: number): boolean {
  return mode === FILE_MODE || mode === EXECUTABLE_MODE
}

function fill(store: ScratchStore, oid: Oid, variables: Variables, budget: { bytes: number }): Oid {
  if ((store.findHeader(oid)?.size ?? 0) > MAX_FILE_BYTES) return oid
  const { data } = store.get(oid, 'blob', MAX_FILE_BYTES)
  if (!data.includes(0x24) || data.subarray(0, BINARY_PROBE).includes(0)) return oid
  const filled = expandBytes(data, variables)
  budget.bytes -= filled.length
  if (budget.bytes < 0) throw new GitError('limit', 'Cannot expand the template: the result is too large')
  return store.write('blob', filled)
}
