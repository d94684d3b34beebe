import { breathe, isDue } from './breathe.ts'

/** Characters that are decoded at a time. */
const PIECE = 128 * 1024

/** The bytes that padded base64 stands for, white space let be; undefined when it is none. Others have their turns while a large one is decoded. */
export async function decodeBase64(text: string): Promise<Uint8Array | undefined> {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((text.length * 3) / 4))
  let length = 0
  let rest = ''
  let isPadded = false
  for (let at = 0; at < text.length; at += PIECE) {
    const more = text.slice(at, at + PIECE).replace(/\s+/g, '')
    if (more === '') continue
    const letters = rest + more
    if ((isPadded && rest === '') || !/^[A-Za-z0-9+/]*={0,2}$/.test(letters)) return undefined
    isPadded = letters.endsWith('=')
    const whole = letters.length - (letters.length % 4)
    length += bytes.write(letters.slice(0, whole), length, 'base64')
    rest = letters.slice(whole)
    if (isDue()) await breathe()
  }
  return rest === '' ? bytes.subarray(0, length) : undefined
}
