import { createHmac } from 'node:crypto'

/** An authenticator app, written after RFC 4226 and RFC 6238 and nothing of the library's. */
export function codeOf(secret: string, seconds: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / 30)))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const at = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** Returns what the app shows now: a server in another process reads the same clock. */
export function currentCode(secret: string): string {
  return codeOf(secret, Date.now() / 1000)
}

/** Returns the code after that, which servers accept as well. */
export function nextCode(secret: string): string {
  return codeOf(secret, Date.now() / 1000 + 30)
}

/** RFC 4648, section 6. */
export function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/[\s=]/g, '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
