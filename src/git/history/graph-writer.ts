import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import { BITS_PER_PATH, FILTER_HEADER_BYTES, HASH_VERSION, HASHES } from './changed-paths.ts'
import {
  CHUNK_BDAT,
  CHUNK_BIDX,
  CHUNK_CDAT,
  CHUNK_EDGE,
  CHUNK_GDA2,
  CHUNK_GDO2,
  CHUNK_OIDF,
  CHUNK_OIDL,
  CHUNK_ROW_BYTES,
  HEADER_BYTES,
  HIGH_BIT,
  hashVersions,
  NO_PARENT,
  SIGNATURE,
} from './commit-graph.ts'
import type { CommitSource } from './commit-source.ts'
import type { FilterList } from './filter-list.ts'
import { type Generations, storedDate } from './generations.ts'
import type { GraphFile } from './graph-file.ts'

/** All that a graph says beyond what the commits themselves do; `ids` in the order of the rows. */
export interface Table {
  ids: readonly number[]
  generations: Generations
  filters: FilterList | undefined
}

/** Writes the chunks of a commit-graph. Source: `Documentation/gitformat-commit-graph.txt`. */
export class GraphWriter {
  readonly #source: CommitSource
  readonly #ids: readonly number[]
  readonly #generations: Generations
  readonly #filters: FilterList | undefined
  readonly #file: GraphFile
  readonly #rowOf: Int32Array
  readonly #edges: number[] = []
  readonly #bigOffsets: number[] = []

  constructor(source: CommitSource, { ids, generations, filters }: Table, file: GraphFile) {
    this.#source = source
    this.#ids = ids
    this.#generations = generations
    this.#filters = filters
    this.#file = file
    this.#rowOf = new Int32Array(source.size)
    ids.forEach((id, row) => {
      this.#rowOf[id] = row
    })
  }

  async write(): Promise<void> {
    this.#gatherExtras()
    this.#writeHeader()
    this.#writeFanout()
    await this.#eachId((id) => this.#file.hex(this.#source.oid(id)))
    let edge = 0
    await this.#eachId((id) => {
      edge = this.#writeCommit(id, edge)
    })
    let big = 0
    await this.#eachId((id) => {
      const offset = this.#offset(id)
      this.#file.u32(offset < HIGH_BIT ? offset : HIGH_BIT + big++)
    })
    for (const offset of this.#bigOffsets) this.#file.u64(offset)
    for (const value of this.#edges) this.#file.u32(value)
    if (this.#filters !== undefined) await this.#writeFilters(this.#filters)
  }

  async #eachId(visit: (id: number) => void): Promise<void> {
    for (let i = 0; i < this.#ids.length; i++) {
      visit(this.#ids[i] as number)
      if (i % 1024 === 0 && isDue()) await breathe()
    }
  }

  /** Octopus parents and generations that do not fit a row go into chunks of their own. */
  #gatherExtras(): void {
    for (const id of this.#ids) {
      const offset = this.#offset(id)
      if (offset >= HIGH_BIT) this.#bigOffsets.push(offset)
      const parents = this.#source.parents(id)
      if (parents.length <= 2) continue
      for (let i = 1; i < parents.length; i++) this.#edges.push((this.#rowOf[parents[i] as number] as number) + (i === parents.length - 1 ? HIGH_BIT : 0))
    }
  }

  #writeHeader(): void {
    const { format } = this.#source.store
    const count = this.#ids.length
    const chunks: [number, number][] = [
      [CHUNK_OIDF, 256 * 4],
      [CHUNK_OIDL, count * format.rawLength],
      [CHUNK_CDAT, count * (format.rawLength + 16)],
      [CHUNK_GDA2, count * 4],
    ]
    if (this.#bigOffsets.length > 0) chunks.push([CHUNK_GDO2, this.#bigOffsets.length * 8])
    if (this.#edges.length > 0) chunks.push([CHUNK_EDGE, this.#edges.length * 4])
    if (this.#filters !== undefined) chunks.push([CHUNK_BIDX, count * 4], [CHUNK_BDAT, FILTER_HEADER_BYTES + this.#filters.totalBytes])
    this.#file.u32(SIGNATURE)
    this.#file.u32((1 << 24) | (hashVersions[format.name] << 16) | (chunks.length << 8))
    let at = HEADER_BYTES + (chunks.length + 1) * CHUNK_ROW_BYTES
    for (const [id, bytes] of [...chunks, [0, 0] as const]) {
      this.#file.u32(id)
      this.#file.u64(at)
      at += bytes
    }
  }

  #writeFanout(): void {
    const counts = new Uint32Array(256)
    for (const id of this.#ids) (counts[firstByte(this.#source.oid(id))] as number)++
    let sum = 0
    for (const count of counts) {
      sum += count
      this.#file.u32(sum)
    }
  }

  /** @returns the index of the next octopus merge's parents */
  #writeCommit(id: number, edge: number): number {
    const parents = this.#source.parents(id)
    const isOctopus = parents.length > 2
    this.#file.hex(this.#source.tree(id))
    this.#file.u32(parents.length > 0 ? (this.#rowOf[parents[0] as number] as number) : NO_PARENT)
    if (isOctopus) this.#file.u32(HIGH_BIT + edge)
    else this.#file.u32(parents.length > 1 ? (this.#rowOf[parents[1] as number] as number) : NO_PARENT)
    const date = storedDate(this.#source.date(id))
    this.#file.u32((this.#generations.levels[id] as number) * 4 + Math.floor(date / 2 ** 32))
    this.#file.u32(date % 2 ** 32)
    return isOctopus ? edge + parents.length - 1 : edge
  }

  async #writeFilters(filters: FilterList): Promise<void> {
    let end = 0
    for (let row = 0; row < filters.count; row++) {
      end += filters.lengthAt(row)
      this.#file.u32(end)
    }
    for (const value of [HASH_VERSION, HASHES, BITS_PER_PATH]) this.#file.u32(value)
    for (let row = 0; row < filters.count; row++) {
      this.#file.bytes(filters.at(row))
      if (row % 1024 === 0 && isDue()) await breathe()
    }
  }

  #offset(id: number): number {
    return (this.#generations.correctedDates[id] as number) - storedDate(this.#source.date(id))
  }
}

export function firstByte(oid: Oid): number {
  return Number.parseInt(oid.slice(0, 2), 16)
}
