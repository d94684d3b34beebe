import { GitError } from '../errors.ts'
import type { ObjectType } from '../objects/oid.ts'
import type { ObjectFilter } from '../packs/select/object-filter.ts'

const allTypes: readonly ObjectType[] = ['commit', 'tree', 'blob', 'tag']
const everything: ObjectFilter = { blobLimit: Infinity, treeDepth: Infinity, types: new Set(allTypes) }

const MAX_NESTING = 8
const MAX_PARTS = 64

/**
 * Parses a filter specification.
 * Source: `Documentation/rev-list-options.txt`, "--filter".
 * @throws GitError `protocol` on one that is malformed, `refused` on one that is not served
 */
export function parseFilter(spec: string): ObjectFilter {
  return parseNested(spec, { parts: 0, depth: 0 })
}

function parseNested(spec: string, seen: { parts: number; depth: number }): ObjectFilter {
  if (++seen.parts > MAX_PARTS || seen.depth > MAX_NESTING) throw new GitError('protocol', 'Cannot parse filter: too many parts')
  if (spec === 'blob:none') return { ...everything, blobLimit: 0 }
  if (spec.startsWith('blob:limit=')) return { ...everything, blobLimit: parseSize(spec.slice('blob:limit='.length), spec) }
  if (spec.startsWith('tree:')) return { ...everything, treeDepth: parseDepth(spec.slice('tree:'.length), spec) }
  if (spec.startsWith('object:type=')) return { ...everything, types: new Set([parseType(spec.slice('object:type='.length), spec)]) }
  if (spec.startsWith('combine:')) return combine(spec.slice('combine:'.length), seen)
  if (spec.startsWith('sparse:'))
    throw new GitError('refused', 'Cannot use filter "sparse:": this server does not support it. Use blob:none, blob:limit, tree or object:type')
  throw malformed(spec)
}

function combine(parts: string, seen: { parts: number; depth: number }): ObjectFilter {
  const inner = { parts: seen.parts, depth: seen.depth + 1 }
  const result = parts
    .split('+', MAX_PARTS + 1)
    .map((part) => parseNested(unquote(part), inner))
    .reduce(tightest)
  seen.parts = inner.parts
  return result
}

function tightest(a: ObjectFilter, b: ObjectFilter): ObjectFilter {
  return {
    blobLimit: Math.min(a.blobLimit, b.blobLimit),
    treeDepth: Math.min(a.treeDepth, b.treeDepth),
    types: a.types.intersection(b.types),
  }
}

function unquote(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw new GitError('protocol', `Cannot parse filter: "${part.slice(0, 80)}" is not URL-encoded`, { cause })
  }
}

const units: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

function parseSize(text: string, spec: string): number {
  const match = /^(\d{1,15})([kmg]?)$/i.exec(text)
  if (!match) throw malformed(spec)
  return Number(match[1]) * (units[(match[2] as string).toLowerCase()] as number)
}

function parseDepth(text: string, spec: string): number {
  if (!/^\d{1,15}$/.test(text)) throw malformed(spec)
  return Number(text)
}

function parseType(text: string, spec: string): ObjectType {
  const type = allTypes.find((known) => known === text)
  if (type === undefined) throw malformed(spec)
  return type
}

function malformed(spec: string): GitError {
  return new GitError(
    'protocol',
    `Cannot parse filter "${spec.slice(0, 80)}": expected blob:none, blob:limit=<size>, tree:<depth>, object:type=<type> or combine:<filter>+<filter>`,
  )
}
