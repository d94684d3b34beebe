const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** argon2id, 19 MiB, two passes; runs on a thread of its own. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, argon2id)
}

/** The hash of a password that nobody knows, at the same cost: unknown names take as long as wrong passwords. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$Mw7/3395LSsB+gQSWYVa2qy25BZSlnvGPSV/qjVo+70$zU9azh8MQZBZF2YlMMBkHDRdpBdgfPDgewQUbZMakvw'

/** Whether `password` is the one `hash` was made of. An empty or absent hash takes as long, and never matches. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await Bun.password.verify(password, hash || decoy).catch(() => false)
  return matches && Boolean(hash)
}
