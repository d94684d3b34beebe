import type { BytePath } from './entry.ts'

const FIRST_SIZE = 64
const GROWTH = 4
const LOAD = 0.8
const FNV_BASE = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193

/**
 * The order in which git meets the keys of a hash map that were put into it one after the other. Where several files are equally similar to
 * one, this order decides which of them git takes for the renamed one. Source: git's `hashmap.c`.
 */
export function inHashOrder<T>(items: readonly T[], keyOf: (item: T) => BytePath): T[] {
  const hashes = items.map((item) => hashOf(keyOf(item)))
  let chains = emptyChains(FIRST_SIZE)
  for (let i = 0; i < items.length; i++) {
    const chain = chains[(hashes[i] as number) & (chains.length - 1)] as number[]
    chain.unshift(i)
    if (i + 1 > Math.floor(chains.length * LOAD)) chains = rehash(chains, hashes)
  }
  return chains.flatMap((chain) => chain.map((i) => items[i] as T))
}

function rehash(chains: readonly number[][], hashes: readonly number[]): number[][] {
  const larger = emptyChains(chains.length * GROWTH)
  for (const chain of chains) for (const i of chain) (larger[(hashes[i] as number) & (larger.length - 1)] as number[]).unshift(i)
  return larger
}

function emptyChains(count: number): number[][] {
  return Array.from({ length: count }, () => [])
}

/** FNV-1. */
function hashOf(key: BytePath): number {
  let hash = FNV_BASE
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash, FNV_PRIME) ^ key.charCodeAt(i)
  return hash
}
