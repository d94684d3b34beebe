import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { trimSlashes } from '#git/diff/path-filter.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound } from '#kernel/errors.ts'
import { findRevision } from './revisions.ts'

type Repositories = Pick<Context, 'db' | 'git'>
/** To the nth parent, or to what an object of another type leads to. */
type Step = number | string

/** Each step is one commit read. */
const MAX_STEPS = 200
/** Longer texts name nothing. */
const MAX_TEXT = 2048

/**
 * The object that somebody types a name of: what `findRevision` finds, or `@` for `HEAD`; from there parents (`~3`, `^2`) and what it
 * leads to (`^{}`, `^{commit}`, `^{tree}`), as often as they like; and after a colon a file or directory of its tree. Undefined where
 * there is none. Source: `Documentation/revisions.txt`
 */
export async function findNamedObject(context: Repositories, repo: RepoRow, text: string): Promise<Oid | undefined> {
  if (text.length > MAX_TEXT) return undefined
  const [, name = '', ways = '', path] = /^([^~^:]+)((?:[~^]\d{0,4}|\^\{[a-z]*\})*)(?::(.*))?$/s.exec(text) ?? []
  const start = findRevision(context, repo, name === '@' ? 'HEAD' : name)
  const steps = stepsOf(ways)
  const at = start && steps && (await follow(context, repo.id, start.oid, steps))
  return at === undefined || path === undefined ? at : findInTree(context, repo.id, at, trimSlashes(path))
}

/** The commit that is so named, through tags. Undefined where there is none. */
export async function findNamedCommit(context: Repositories, repo: RepoRow, text: string): Promise<Oid | undefined> {
  const oid = await findNamedObject(context, repo, text)
  return oid && context.git.look('peel', repo.id, { oid, type: 'commit' })
}

/** The same. @throws NotFound */
export async function getNamedCommit(context: Repositories, repo: RepoRow, text: string): Promise<Oid> {
  const oid = await findNamedCommit(context, repo, text)
  if (oid === undefined) throw new NotFound(`object does not exist [id: ${text.slice(0, 200)}, rel_path: ]`)
  return oid
}

async function follow(context: Repositories, repoId: number, start: Oid, steps: readonly Step[]): Promise<Oid | undefined> {
  let at: Oid | undefined = start
  for (const step of steps) {
    if (at === undefined) return undefined
    at = typeof step === 'number' ? await parentOf(context, repoId, at, step) : await peelTo(context, repoId, at, step)
  }
  return at
}

/** One way back after the other: which parent, or what kind of object. Undefined when they are too many. */
function stepsOf(ways: string): Step[] | undefined {
  const steps: Step[] = []
  for (const [, sign, digits, type] of ways.matchAll(/([~^])(?:(\d+)|\{(\w*)\})?/g)) {
    const count = Number(digits ?? 1)
    if (type !== undefined) steps.push(type)
    else if (count === 0) steps.push('commit')
    else if (sign === '^') steps.push(count)
    else steps.push(...Array(Math.min(count, MAX_STEPS + 1)).fill(1))
    if (steps.length > MAX_STEPS) return undefined
  }
  return steps
}

async function parentOf({ git }: Repositories, repoId: number, oid: Oid, nth: number): Promise<Oid | undefined> {
  const commit = await git.look('peel', repoId, { oid, type: 'commit' })
  return commit && (await git.look('links', repoId, { oid: commit })).parents[nth - 1]
}

async function peelTo({ git }: Repositories, repoId: number, oid: Oid, type: string): Promise<Oid | undefined> {
  if (type === 'commit' || type === 'tree') return git.look('peel', repoId, { oid, type })
  if (type !== '') return undefined
  return git.storeOf(repoId).findHeader(oid)?.type === 'tag' ? git.look('peel', repoId, { oid, type: 'commit' }) : oid
}

async function findInTree(context: Repositories, repoId: number, oid: Oid, path: string): Promise<Oid | undefined> {
  const tree = await context.git.look('peel', repoId, { oid, type: 'tree' })
  if (tree === undefined || path === '') return tree
  return (await context.git.run('openPath', repoId, { tree, path, maxBytes: 0 }))?.oid
}
