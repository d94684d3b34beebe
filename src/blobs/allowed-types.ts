import { Unprocessable } from '#kernel/errors.ts'

/** @param allowed endings (`.png`), media types (`image/png`) and groups of them (`image/*`); none, or any wildcard for all, allow everything. @throws Unprocessable */
export function refuseType(name: string, allowed: readonly string[]): void {
  const lower = name.toLowerCase()
  const type = Bun.file(lower).type.split(';')[0] ?? ''
  const isIt = (one: string) => {
    const rule = one.trim().toLowerCase()
    if (rule === '*/*' || rule === '*') return true
    if (rule.startsWith('.')) return lower.endsWith(rule)
    return rule.endsWith('/*') ? type.startsWith(rule.slice(0, -1)) : type === rule
  }
  if (allowed.length > 0 && !allowed.some(isIt)) throw new Unprocessable(`This file cannot be attached: its type is not allowed [name: ${name.slice(0, 100)}]`)
}

/** A name as it is shown: no path, no control characters. @throws Unprocessable when nothing is left */
export function cleanName(name: string): string {
  const plain = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 255)
    .toWellFormed()
  if (plain === '' || plain === '.' || plain === '..') throw new Unprocessable('[name]: expected a file name')
  return plain
}
