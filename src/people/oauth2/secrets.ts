import { randomHex, sha256Hex } from '#kernel/ids.ts'

/** What the secrets of this room begin with, so that programs which look for leaked ones find them. */
const prefixes = { clientSecret: 'gto_', code: 'gta_', access: 'pfa_', refresh: 'pfr_' } as const

/** 256 random bits. @returns what is shown once; `digestOf` is what is kept */
export function makeSecret(kind: keyof typeof prefixes): string {
  return prefixes[kind] + randomHex(32)
}

export function isSecret(kind: keyof typeof prefixes, text: string): boolean {
  return text.startsWith(prefixes[kind]) && /^[0-9a-f]{64}$/.test(text.slice(prefixes[kind].length))
}

export function digestOf(secret: string): string {
  return sha256Hex(secret)
}
