import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Where } from '#git/workers/service.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { type DiffForm, serveDiff } from './serve-patch.ts'

/** A larger diff is shown up to here. */
const MAX_DIFF_BYTES = 512 * 1024
/** What is kept of those that were shown, in characters. */
const MOST_KEPT = 8 * 1024 * 1024

/** Two trees, commits or tags, and how they are compared. */
export interface DiffEnds {
  where: Where
  /** Undefined for the empty tree. */
  from: Oid | undefined
  to: Oid
  form?: Omit<DiffForm, 'head'>
}

export interface ShownDiff {
  text: string
  isCut: boolean
}

/** Between two ids nothing changes: what many look at is made once. */
class ShownDiffs extends KeptWork<ShownDiff> {
  constructor() {
    super(MOST_KEPT, ({ text }) => text.length)
  }
}

/** The beginning of a diff, as far as a page shows it; whoever makes it stops there. @throws Problem 503 as `streamCall` does */
export function readDiff(context: Pick<Context, 'config' | 'git' | 'services'>, { where, from, to, form = {} }: DiffEnds): Promise<ShownDiff> {
  const key = JSON.stringify([where, from, to, form])
  return context.services.get(ShownDiffs).answer(key, async () => readBeginning(serveDiff(context, where, from, to, form)))
}

async function readBeginning({ body }: Response): Promise<ShownDiff> {
  if (!body) return { text: '', isCut: false }
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    size += next.value.length
    if (size > MAX_DIFF_BYTES) break
  }
  const isCut = size > MAX_DIFF_BYTES
  if (isCut) await reader.cancel()
  const whole = Buffer.concat(chunks).subarray(0, MAX_DIFF_BYTES).toString('utf8')
  return { text: isCut ? whole.slice(0, whole.lastIndexOf('\n') + 1) : whole, isCut }
}
