import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { ObjectFormat, Oid } from '../objects/oid.ts'
import { makeFolders } from '../store/make-folders.ts'
import type { ObjectReader } from '../store/types.ts'
import { filterFor } from './changed-paths.ts'
import { type CommitGraph, findSoundCommitGraph } from './commit-graph.ts'
import { CommitSource } from './commit-source.ts'
import { FilterList } from './filter-list.ts'
import { type Generations, generationsOf } from './generations.ts'
import { GraphFile } from './graph-file.ts'
import { firstByte, GraphWriter, type Table } from './graph-writer.ts'
import { reachable } from './walk.ts'

export interface WriteGraphOptions {
  /** Called now and then with how many commits have been found. */
  onProgress?: (commits: number) => void
  /**
   * Whether to add changed-path filters, which make histories of paths quick and cost a comparison of trees for each new
   * commit. Default: as the graph has it that is there.
   */
  changedPaths?: boolean
  /** Where it lies until it is whole, on the same file system. Default: beside `path`. */
  temporary?: string | undefined
}

export interface WrittenGraph {
  /** Rows of the graph; when it would be empty, no file is left at the path. */
  commits: number
  /** How many of them were not in the graph that was there before. */
  added: number
}

/**
 * Writes the commit-graph of all that `tips` reach to `path` (see `commitGraphPath`), in one rename. Rows of the graph
 * that is there are reused, so only new commits are read from the store; commits that nothing reaches any more are
 * left out. Whoever has the old file open keeps it until they open the new one.
 * @throws GitError `missing` or `corrupt` when a reachable commit is
 */
export async function writeCommitGraph(store: ObjectReader, tips: readonly Oid[], path: string, options: WriteGraphOptions = {}): Promise<WrittenGraph> {
  const source = new CommitSource(store, findReusable(path, store.format))
  const known = source.size
  const ids = await collect(source, tips, options.onProgress)
  const added = ids.filter((id) => id >= known).length
  if (ids.length === 0) rmSync(path, { force: true })
  else await writeRows(source, await tableOf(source, ids, options), path, options.temporary)
  return { commits: ids.length, added }
}

/** A damaged graph, or one of an older git's without corrected dates, is as good as none: all is read again. */
function findReusable(path: string, format: ObjectFormat): CommitGraph | undefined {
  const graph = findSoundCommitGraph(path, format)
  return graph?.hasCorrectedDates && graph.hasGenerations ? graph : undefined
}

/** All reachable commits in the order of their object ids. */
async function collect(source: CommitSource, tips: readonly Oid[], onProgress: WriteGraphOptions['onProgress']): Promise<number[]> {
  const buckets: number[][] = Array.from({ length: 256 }, () => [])
  let count = 0
  for (const id of reachable(source, tips)) {
    ;(buckets[firstByte(source.oid(id))] as number[]).push(id)
    if (++count % 256 === 0 && isDue()) {
      onProgress?.(count)
      await breathe()
    }
  }
  onProgress?.(count)
  for (const bucket of buckets) {
    if (isDue()) await breathe()
    sortByOid(source, bucket)
  }
  return buckets.flat()
}

function sortByOid(source: CommitSource, ids: number[]): void {
  const keyed = ids.map((id) => ({ id, oid: source.oid(id) }))
  keyed.sort((a, b) => (a.oid < b.oid ? -1 : 1))
  keyed.forEach(({ id }, i) => {
    ids[i] = id
  })
}

async function tableOf(source: CommitSource, ids: readonly number[], options: WriteGraphOptions): Promise<Table> {
  const hasFilters = options.changedPaths ?? source.graph?.filters !== undefined
  const generations = await generationsOf(source, ids)
  return { ids, generations, filters: hasFilters ? await filtersOf(source, ids, generations) : undefined }
}

/** By row. Computed from the newest commit down, so that each comparison finds trees of the one before still in the store's cache. */
async function filtersOf(source: CommitSource, ids: readonly number[], { correctedDates }: Generations): Promise<FilterList> {
  const filters = new FilterList(ids.length)
  const rows = Array.from(ids, (_, row) => row).sort((a, b) => (correctedDates[ids[b] as number] as number) - (correctedDates[ids[a] as number] as number))
  for (const row of rows) {
    if (isDue()) await breathe()
    filters.set(row, knownFilter(source, ids[row] as number) ?? computeFilter(source, ids[row] as number))
  }
  return filters
}

function knownFilter({ graph }: CommitSource, id: number): Uint8Array | undefined {
  return graph !== undefined && id < graph.count ? graph.filters?.find(id) : undefined
}

function computeFilter(source: CommitSource, id: number): Uint8Array {
  const [parent] = source.parents(id)
  return filterFor(source.store, parent === undefined ? undefined : source.tree(parent), source.tree(id))
}

async function writeRows(source: CommitSource, table: Table, path: string, temporary: string | undefined): Promise<void> {
  const folder = dirname(path)
  makeFolders(dirname(folder), folder)
  const file = new GraphFile(path, source.store.format, temporary)
  try {
    await new GraphWriter(source, table, file).write()
    file.finish()
  } finally {
    file.discard()
  }
}
