import type { FileStats } from './compare-file.ts'
import { octal } from './patch-header.ts'
import { pathBytes, quotePath } from './quote-path.ts'
import type { FileChange, MovedFile } from './renames.ts'

/** A changed file and its numbers. */
export interface CountedFile {
  change: FileChange
  stats: FileStats
}

const LEAST_GRAPH = 6
const LEAST_WIDTH = 16

/** What `git diff --stat --summary` prints for mails, at most `width` columns wide; nothing without files. Source: git's `show_stats`. */
export function diffStat(files: readonly CountedFile[], width = 72): string {
  const shown = files.filter(isShown)
  if (shown.length === 0) return files.map(summaryLine).join('')
  const layout = layOut(shown, width)
  return shown.map((file) => statLine(file, layout)).join('') + shortStat(shown) + files.map(summaryLine).join('')
}

/** A modified file of which nothing that counts has changed is left out. */
function isShown({ change, stats }: CountedFile): boolean {
  return change.status !== 'modified' || stats.additions + stats.deletions > 0 || change.old.mode !== change.new.mode || stats.isBinary
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)`, with a line break. */
function shortStat(files: readonly CountedFile[]): string {
  let [additions, deletions] = [0, 0]
  for (const { stats } of files) {
    if (stats.isBinary) continue
    additions += stats.additions
    deletions += stats.deletions
  }
  const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`
  const added = additions > 0 || deletions === 0 ? `, ${count(additions, 'insertion')}(+)` : ''
  const deleted = deletions > 0 || additions === 0 ? `, ${count(deletions, 'deletion')}(-)` : ''
  return ` ${count(files.length, 'file')} changed${added}${deleted}\n`
}

interface Layout {
  name: number
  number: number
  graph: number
  maxChange: number
}

function layOut(files: readonly CountedFile[], wanted: number): Layout {
  const texts = files.filter(({ stats }) => !stats.isBinary)
  const binaries = files.filter(({ stats }) => stats.isBinary)
  const maxChange = texts.reduce((most, { stats }) => Math.max(most, stats.additions + stats.deletions), 0)
  const longest = files.reduce((most, { change }) => Math.max(most, printedName(change).length), 0)
  const binary = binaries.reduce((most, { stats }) => Math.max(most, 14 + String(stats.additions).length + String(stats.deletions).length), 0)
  const number = Math.max(String(maxChange).length, binaries.length > 0 ? 3 : 0)
  const width = Math.max(wanted, LEAST_WIDTH + LEAST_GRAPH + number)
  let graph = maxChange + 4 > binary ? maxChange : binary - 4
  let name = longest
  const rest = width - number - 6
  if (name + graph > rest) {
    const most = Math.floor((width * 3) / 8) - number - 6
    if (graph > most) graph = Math.max(LEAST_GRAPH, most)
    if (name > rest - graph) name = rest - graph
    else graph = rest - name
  }
  return { name, number, graph, maxChange }
}

function statLine({ change, stats }: CountedFile, layout: Layout): string {
  const head = ` ${fitted(printedName(change), layout.name)} | `
  if (stats.isBinary) {
    const sizes = stats.additions + stats.deletions > 0 ? ` ${stats.deletions} -> ${stats.additions} bytes` : ''
    return `${head}${'Bin'.padStart(layout.number)}${sizes}\n`
  }
  const total = stats.additions + stats.deletions
  return `${head}${String(total).padStart(layout.number)}${total > 0 ? ' ' : ''}${graph(stats, layout)}\n`
}

/** A name that is too long loses its beginning, up to a slash if there is one. */
function fitted(name: string, width: number): string {
  if (name.length <= width) return name.padEnd(width)
  const end = name.slice(name.length - (width - 3))
  const slash = end.indexOf('/')
  return `...${(slash < 0 ? end : end.slice(slash)).padEnd(width - 3)}`
}

function graph({ additions, deletions }: FileStats, { graph: width, maxChange }: Layout): string {
  let [plus, minus] = [additions, deletions]
  if (width <= maxChange) {
    const scale = (n: number) => (n === 0 ? 0 : 1 + Math.floor((n * (width - 1)) / maxChange))
    const scaled = scale(additions + deletions)
    const total = scaled < 2 && additions > 0 && deletions > 0 ? 2 : scaled
    if (additions < deletions) {
      plus = scale(additions)
      minus = total - plus
    } else {
      minus = scale(deletions)
      plus = total - minus
    }
  }
  return '+'.repeat(plus) + '-'.repeat(minus)
}

function printedName(change: FileChange): string {
  return 'oldPath' in change ? renameName(change) : quotePath(pathBytes(change))
}

/** `a/{b => c}/d`: what both names begin and end with, whole directories only, is said once. Source: git's `pprint_rename`. */
function renameName(change: MovedFile): string {
  const before = pathBytes({ path: change.oldPath, rawPath: change.rawOldPath })
  const [quotedOld, quotedNew] = [quotePath(before), quotePath(pathBytes(change))]
  if (quotedOld.startsWith('"') || quotedNew.startsWith('"')) return `${quotedOld} => ${quotedNew}`
  const prefix = commonPrefix(quotedOld, quotedNew)
  const suffix = commonSuffix(quotedOld, quotedNew, prefix)
  const middle = (name: string) => name.slice(prefix, Math.max(prefix, name.length - suffix))
  const both = `${middle(quotedOld)} => ${middle(quotedNew)}`
  return prefix + suffix === 0 ? both : `${quotedOld.slice(0, prefix)}{${both}}${quotedOld.slice(quotedOld.length - suffix)}`
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === '/') length = i + 1
  return length
}

/** May begin with the slash that the prefix ends with. */
function commonSuffix(a: string, b: string, prefix: number): number {
  const least = prefix - (prefix > 0 ? 1 : 0)
  let length = 0
  for (let back = 1; a.length - back >= least && b.length - back >= least && a[a.length - back] === b[b.length - back]; back++) {
    if (a[a.length - back] === '/') length = back
  }
  return length
}

function summaryLine({ change }: CountedFile): string {
  const name = quotePath(pathBytes(change))
  if (change.status === 'added') return ` create mode ${octal(change.new)} ${name}\n`
  if (change.status === 'deleted') return ` delete mode ${octal(change.old)} ${name}\n`
  const modes = change.old.mode === change.new.mode ? '' : ` mode change ${octal(change.old)} => ${octal(change.new)}`
  if (!('oldPath' in change)) return modes === '' ? '' : `${modes} ${name}\n`
  const verb = change.status === 'renamed' ? 'rename' : 'copy'
  return ` ${verb} ${renameName(change)} (${change.similarity}%)\n${modes === '' ? '' : `${modes}\n`}`
}
