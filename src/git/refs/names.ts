import { GitError, visible } from '../errors.ts'

/** A full ref name that git accepts and that lies under `refs/`. */
export type RefName = string & { readonly refName: unique symbol }

export const HEADS = 'refs/heads/'
export const TAGS = 'refs/tags/'

/** What file systems allow for one path component, and what we allow for a whole name; UTF-8 bytes. */
const MAX_COMPONENT_BYTES = 255
const MAX_NAME_BYTES = 1024
/** Each directory that a name lies in is looked up when the ref is made. */
const MAX_PARTS = 32

/** Control characters, space and what revision and refspec syntax claims. */
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/

/**
 * The rules of `git check-ref-format` (its manual page, "DESCRIPTION"), and ours: under `refs/`, of bounded length,
 * without characters that make a name look like another, and no branch or tag that a command line would take for an option,
 * for HEAD or for a full name of another ref.
 */
export function isRefName(text: string): text is RefName {
  return reasonAgainst(text) === undefined
}

/** What is wrong with a name that is to be given to a ref, in git's word and in full; undefined when nothing is. */
export function faultOfName(text: string): string | undefined {
  const reason = reasonAgainst(text)
  return reason && `funny refname: ${reason}`
}

/** The same of a name that is pushed: git's `receive-pack` takes none directly under `refs/`, where stores may have `refs/stash` all the same. */
export function faultOfPushedName(text: string): string | undefined {
  return faultOfName(text) ?? (text.lastIndexOf('/') < 'refs/'.length ? 'funny refname: it lies directly under "refs/"' : undefined)
}

/** @throws GitError `refused`, with the rule that `text` breaks */
export function parseRefName(text: string): RefName {
  const reason = reasonAgainst(text)
  if (reason !== undefined) throw new GitError('refused', `Cannot use ref name "${text.slice(0, 200)}": ${reason}`)
  return text as RefName
}

/** The ref of branch `name`. @throws GitError `refused` */
export function branchRef(name: string): RefName {
  return parseRefName(HEADS + name)
}

/** The ref of tag `name`. @throws GitError `refused` */
export function tagRef(name: string): RefName {
  return parseRefName(TAGS + name)
}

/** `refs/heads/a/b` → `a/b`; undefined for what is not a branch. */
export function branchName(ref: RefName): string | undefined {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : undefined
}

/** `refs/tags/v1` → `v1`; undefined for what is not a tag. */
export function tagName(ref: RefName): string | undefined {
  return ref.startsWith(TAGS) ? ref.slice(TAGS.length) : undefined
}

function reasonAgainst(text: string): string | undefined {
  if (!text.startsWith('refs/')) return 'it does not start with "refs/"'
  if (Buffer.byteLength(text) > MAX_NAME_BYTES) return `it is longer than ${MAX_NAME_BYTES} bytes`
  if (!text.isWellFormed()) return 'it is not valid Unicode'
  if (forbidden.test(text)) return 'it has a control character, a space, one of ~^:?*[\\, ".." or "@{"'
  if (visible(text) !== text) return 'it has an invisible character, or one that changes the text direction'
  if (text.endsWith('.')) return 'it ends with "."'
  return reasonAgainstShortName(text) ?? firstReason(text.split('/'))
}

function reasonAgainstShortName(text: string): string | undefined {
  const start = [HEADS, TAGS].find((one) => text.startsWith(one))
  if (start === undefined) return undefined
  const name = text.slice(start.length)
  if (name.startsWith('-')) return 'a branch or tag name must not start with "-"'
  if (name.startsWith('refs/')) return 'a branch or tag name must not start with "refs/", because it would look like a full ref name'
  if (name === 'HEAD' || name === '@') return `a branch or tag cannot be named "${name}"`
  return undefined
}

function firstReason(components: string[]): string | undefined {
  if (components.length > MAX_PARTS) return `it has more than ${MAX_PARTS} parts between slashes`
  for (const component of components) {
    if (component === '') return 'a part between slashes is empty'
    if (component.startsWith('.')) return 'a part starts with "."'
    if (component.endsWith('.lock')) return 'a part ends with ".lock"'
    if (Buffer.byteLength(component) > MAX_COMPONENT_BYTES) return `a part is longer than ${MAX_COMPONENT_BYTES} bytes`
  }
  return undefined
}

/** How existing refs are asked for, by whoever keeps them. */
export interface RefLookup {
  has(name: string): boolean
  /** Some ref whose name starts with `prefix`. */
  findUnder(prefix: string): string | undefined
}

/**
 * The existing ref that keeps `name` from being created because one would have to be a directory where the other
 * is a file (`refs/heads/a` and `refs/heads/a/b`), or undefined. `name` itself is no conflict.
 */
export function conflictsWith(name: RefName, existing: RefLookup): string | undefined {
  for (let slash = name.indexOf('/', 'refs/'.length); slash > 0; slash = name.indexOf('/', slash + 1)) {
    const parent = name.slice(0, slash)
    if (existing.has(parent)) return parent
  }
  return existing.findUnder(`${name}/`)
}

/** A lookup over names sorted as JavaScript compares strings. */
export function lookupIn(sorted: readonly string[]): RefLookup {
  return {
    has: (name) => sorted[firstAtLeast(sorted, name)] === name,
    findUnder: (prefix) => {
      const found = sorted[firstAtLeast(sorted, prefix)]
      return found?.startsWith(prefix) ? found : undefined
    },
  }
}

function firstAtLeast(sorted: readonly string[], name: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as string) < name) low = middle + 1
    else high = middle
  }
  return low
}
