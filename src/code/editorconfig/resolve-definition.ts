import type { RepoAccess } from '#access/index.ts'
import { getCommitRevision } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { Effort } from '#git/attributes/effort.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { NotFound } from '#kernel/errors.ts'
import { matchesGlob } from './match-glob.ts'
import { type ParsedFile, parseEditorConfig, type Section } from './parse-editorconfig.ts'

const NAME = '.editorconfig'
const MAX_BYTES = 64 * 1024
const MAX_PATH = 4096
/** Directories above a file that are looked into. */
const MAX_DIRECTORIES = 64
/** Steps of matching, for one request: some milliseconds. */
const MAX_STEPS = 1_000_000

/**
 * What the `.editorconfig` files above a file say of it; the file itself need not be there.
 * @param ref empty: the default branch
 * @throws NotFound where no such file says anything; GitError `limit` for headings that take too long to match
 */
export async function resolveDefinition(
  context: Pick<Context, 'db' | 'git'>,
  { row: repo }: RepoAccess,
  path: string,
  ref: string,
): Promise<Record<string, string>> {
  const parts = partsOf(path)
  const { oid } = await getCommitRevision(context, repo, ref || repo.default_branch)
  const { tree } = await context.git.look('links', repo.id, { oid: oid })
  const effort = new Effort({ perPath: 0, most: MAX_STEPS })
  const found: Section['pairs'][] = []
  for (let depth = Math.min(parts.length - 1, MAX_DIRECTORIES); depth >= 0; depth--) {
    const at = [...parts.slice(0, depth), NAME].join('/')
    const { data } = (await context.git.run('openPath', repo.id, { tree, path: at, maxBytes: MAX_BYTES })) ?? {}
    if (!data) continue
    const file = parseEditorConfig(Buffer.from(data).toString('utf8'))
    found.unshift(await pairsFor(parts.slice(depth).join('/'), file, effort))
    if (file.isRoot) break
  }
  if (found.length === 0) throw new NotFound()
  return settle(new Map(found.flat()))
}

/** What one file says of a path. Others have their turns meanwhile: a heading can stand for hundreds of patterns. */
async function pairsFor(path: string, { sections }: ParsedFile, effort: Effort): Promise<Section['pairs']> {
  const pairs: Section['pairs'][] = []
  for (const section of sections) {
    if (isDue()) await breathe()
    if (matchesGlob(section.glob, path, effort)) pairs.push(section.pairs)
  }
  return pairs.flat()
}

/** The size of a tab and that of an indent follow each other, and what is unset says nothing. */
function settle(pairs: Map<string, string>): Record<string, string> {
  for (const name of ['indent_style', 'indent_size', 'tab_width', 'end_of_line', 'charset', 'trim_trailing_whitespace', 'insert_final_newline']) {
    const value = pairs.get(name)
    if (value !== undefined) pairs.set(name, value.toLowerCase())
  }
  for (const [name, value] of pairs) if (value.toLowerCase() === 'unset') pairs.delete(name)
  const size = pairs.get('indent_size') ?? (pairs.get('indent_style') === 'tab' ? 'tab' : undefined)
  const width = pairs.get('tab_width') ?? (size === 'tab' ? undefined : size)
  if (width !== undefined) pairs.set('tab_width', width)
  if (size !== undefined) pairs.set('indent_size', size === 'tab' ? (width ?? size) : size)
  return Object.fromEntries([...pairs].filter(([name]) => name !== '__proto__'))
}

function partsOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0 || path.length > MAX_PATH || parts.includes('..') || path.includes('\0')) throw new NotFound()
  return parts
}
