import type { ObjectFormat, ObjectType, Oid } from '../objects/oid.ts'
import { type Budget, ENTRY_COST } from './budget.ts'
import type { DiskStore } from './disk.ts'
import { getObject } from './rules.ts'
import type { GitObject, ObjectHeader, ObjectReader } from './types.ts'

/** A store for one look, within a budget for what it inflates. */
export class FrugalReader implements ObjectReader {
  readonly format: ObjectFormat
  readonly #store: DiskStore
  readonly #budget: Budget

  constructor(store: DiskStore, budget: Budget) {
    this.format = store.format
    this.#store = store
    this.#budget = budget
  }

  has(oid: Oid): boolean {
    return this.#store.has(oid)
  }

  findHeader(oid: Oid): ObjectHeader | undefined {
    this.#budget.take(ENTRY_COST)
    return this.#store.findHeader(oid)
  }

  find(oid: Oid, maxBytes?: number): GitObject | undefined {
    return this.#store.find(oid, maxBytes, this.#budget)
  }

  get(oid: Oid, type?: ObjectType, maxBytes?: number): GitObject {
    return getObject(this, oid, type, maxBytes)
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    return this.#store.findByPrefix(prefix, limit)
  }
}
