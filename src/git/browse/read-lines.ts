import { Lines } from '../diff/lines.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { openPath } from './open-path.ts'

/** Lines of a file, from `first` to `last`, counted from 1. */
export interface LinesAsked {
  commit: Oid
  path: string
  first: number
  last: number
}

/** Larger files are not looked into, and no more lines are given of one. */
const MAX_BYTES = 8 << 20
const MAX_LINES = 1000

/** The lines as text, without their line breaks; undefined where the file has no such lines, or is not there. */
export function readLines(store: ObjectReader, asked: LinesAsked): string[] | undefined {
  const { commit, path, first, last } = asked
  if (store.findHeader(commit)?.type !== 'commit') return undefined
  const data = openPath(store, parseCommit(store.get(commit, 'commit').data).tree, path, MAX_BYTES)?.data
  const text = data && new Lines(data)
  if (text === undefined || first < 1 || last < first || last > text.count || last - first >= MAX_LINES) return undefined
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Buffer.from(text.bytes(first - 1 + i))
      .toString()
      .replace(/\r?\n$/, ''),
  )
}
