import { randomHex } from '#kernel/ids.ts'

const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** argon2id, 19 MiB, two passes; runs on a thread of its own. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, argon2id)
}

/** A hash that no password has, so that unknown names take as long as wrong passwords. */
const decoy = hashPassword(randomHex(20))

/** Whether `password` is the one `hash` was made of. An empty or absent hash takes as long, and never matches. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await Bun.password.verify(password, hash || (await decoy)).catch(() => false)
  return matches && Boolean(hash)
}
