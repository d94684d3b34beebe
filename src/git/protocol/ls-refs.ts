import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import type { RefSnapshot, SnapshotRef } from './context.ts'
import { findHeadRef } from './context.ts'
import type { PktWriter } from './sideband.ts'

/** Source: `Documentation/gitprotocol-v2.txt`, "ls-refs". */
export interface LsRefsRequest {
  peel: boolean
  symrefs: boolean
  unborn: boolean
  /** Show only refs whose names begin with one of these; all when empty. */
  prefixes: string[]
}

/** @throws GitError `protocol` on a line that is none of the command's arguments */
export function decodeLsRefs(lines: readonly string[]): LsRefsRequest {
  const request: LsRefsRequest = { peel: false, symrefs: false, unborn: false, prefixes: [] }
  for (const line of lines) {
    if (line === 'peel') request.peel = true
    else if (line === 'symrefs') request.symrefs = true
    else if (line === 'unborn') request.unborn = true
    else if (line.startsWith('ref-prefix ')) request.prefixes.push(line.slice('ref-prefix '.length))
    else throw new GitError('protocol', `Cannot list refs: unexpected line "${line.slice(0, 80)}"`)
  }
  return request
}

/** Writes the answer to `ls-refs`, its closing flush included. */
export async function answerLsRefs(request: LsRefsRequest, refs: RefSnapshot, out: PktWriter): Promise<void> {
  const matches = prefixMatcher(request.prefixes)
  const reaches = quietMatcher(request.prefixes, refs)
  if (refs.head && matches('HEAD')) lineOfHead(request, refs, out)
  for (const ref of refs.refs) {
    if (matches(ref.name) && reaches(ref.name)) out.line(`${ref.oid} ${ref.name}${peeledOf(request, ref)}\n`)
    if (!out.isFull) continue
    await out.send()
    if (isDue()) await breathe()
  }
  out.flush()
  await out.send()
}

function lineOfHead(request: LsRefsRequest, refs: RefSnapshot, out: PktWriter): void {
  const target = request.symrefs ? ` symref-target:${refs.head?.target}` : ''
  const ref = findHeadRef(refs)
  if (ref) out.line(`${ref.oid} HEAD${target}${peeledOf(request, ref)}\n`)
  else if (request.unborn) out.line(`unborn HEAD${target}\n`)
}

function peeledOf(request: LsRefsRequest, ref: SnapshotRef): string {
  return request.peel && ref.peeled !== undefined ? ` peeled:${ref.peeled}` : ''
}

/** Tests whether names are none of quiet refs, or of those that are asked for: `refs/pull/` does not ask for what `refs/pull/7/versions/` does. */
function quietMatcher(prefixes: readonly string[], { quiet }: RefSnapshot): (name: string) => boolean {
  if (quiet === undefined) return () => true
  const matches = prefixMatcher(prefixes.filter((prefix) => quiet.test(prefix)))
  const isAskedFor = prefixes.some((prefix) => quiet.test(prefix)) ? matches : () => false
  return (name) => !quiet.test(name) || isAskedFor(name)
}

/** Tests names against all prefixes at once: of prefixes none of which begins with another, only the greatest that is not above the name can fit. */
export function prefixMatcher(prefixes: readonly string[]): (name: string) => boolean {
  if (prefixes.length === 0) return () => true
  const minimal: string[] = []
  for (const prefix of [...prefixes].sort()) {
    const last = minimal.at(-1)
    if (last === undefined || !prefix.startsWith(last)) minimal.push(prefix)
  }
  return (name) => {
    let low = 0
    let high = minimal.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((minimal[middle] as string) <= name) low = middle + 1
      else high = middle
    }
    return low > 0 && name.startsWith(minimal[low - 1] as string)
  }
}
