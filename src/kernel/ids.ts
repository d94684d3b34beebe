/** `bytes` random bytes in lower-case hexadecimal; 20 (160 bits) for anything that grants access. */
export function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex()
}

/** SHA-256 in hexadecimal: how random tokens are stored. Not for passwords. */
/** For names that others have chosen so, as those of files in Gitea's diffs; nothing is kept safe by it. */
export function sha1Hex(text: string): string {
  return Bun.SHA1.hash(text, 'hex')
}

export function sha256Hex(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

/** The row id that a path or query names; 0, which no row has, for whatever is none. */
export function rowIdIn(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}
