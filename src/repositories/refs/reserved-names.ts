import { SHA1 } from '#git/objects/oid.ts'
import type { RefName } from '#git/refs/names.ts'
import type { RefUpdate } from './ref-update.ts'

/** Refs that the server keeps: nobody pushes them. */
const OWN = ['refs/pull', 'refs/for', 'refs/internal']
/** Where names mean something to us or to git. */
const KNOWN = [...OWN, 'refs/heads', 'refs/tags', 'refs/notes', 'refs/remotes', 'refs/replace']

/**
 * Why nobody may move or delete a ref of this name, or make one; undefined where they may. What stands for a whole directory of refs is kept
 * like those in it, as git's `receive.hideRefs` does it: a ref of that name would leave no room for them. Names that differ from a known
 * directory in letters' case or in form alone, `refs/Pull/1/head` say, are one with it where file systems do not tell them apart, so that
 * in a mirror of the repository one ref would write over the other. A ref that has such a name from before can be deleted.
 */
export function reservedReason({ name, new: oid }: Pick<RefUpdate, 'name' | 'new'>): string | undefined {
  const directory = firstTwo(name)
  const isWhole = directory === name
  const isDeletion = oid === SHA1.zero
  if (OWN.includes(directory) && !isWhole) return 'refs with this name are managed by the server'
  const like = KNOWN.find((known) => known === folded(directory))
  if (like === undefined || isDeletion) return undefined
  if (like !== directory) return `the name is too similar to ${like}/ and would conflict with it on some file systems`
  return isWhole ? `a ref named ${like} would conflict with the refs in ${like}/` : undefined
}

/**
 * The name under which a ref of another server comes in: `refs/adopted/pull/1/head` for `refs/pull/1/head`, since 1 will be another pull
 * request here. All names that nobody may push stand aside like that.
 */
export function standAside(name: RefName): RefName {
  return OWN.includes(firstTwo(name)) ? (`refs/adopted/${name.slice('refs/'.length)}` as RefName) : name
}

/** `refs/heads` of `refs/heads/a/b`. */
function firstTwo(name: string): string {
  const end = name.indexOf('/', 'refs/'.length)
  return end < 0 ? name : name.slice(0, end)
}

/** Folds a name as file systems do that ignore case, Unicode composition and (HFS+) joiners. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Join_Control}/gu, '')
    .toLowerCase()
}
