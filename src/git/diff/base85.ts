import { GitError } from '../errors.ts'

/** Git's alphabet; source: `base85.c`. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const values = new Int16Array(256).fill(-1)
for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i

/** Five letters for each four bytes, the last ones filled up with zeros. */
export function encodeBase85(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let word = (((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0
    let letters = ''
    for (let i = 0; i < 5; i++) {
      letters = alphabet[word % 85] + letters
      word = Math.floor(word / 85)
    }
    text += letters
  }
  return text
}

/** @throws GitError `corrupt` when `text` is not what `length` bytes are encoded as */
export function decodeBase85(text: string, length: number): Uint8Array {
  if (text.length !== Math.ceil(length / 4) * 5) throw corrupt('a line does not have its declared length')
  const out = new Uint8Array(Math.ceil(length / 4) * 4)
  for (let at = 0, to = 0; at < text.length; at += 5, to += 4) {
    let word = 0
    for (let i = 0; i < 5; i++) {
      const value = values[text.charCodeAt(at + i)] ?? -1
      if (value < 0) throw corrupt(`"${text[at + i]}" is not a base85 character`)
      word = word * 85 + value
    }
    if (word > 0xffffffff) throw corrupt('a group of five characters encodes more than four bytes')
    for (let i = 3; i >= 0; i--, word = Math.floor(word / 256)) out[to + i] = word % 256
  }
  return out.subarray(0, length)
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot read binary patch: ${reason}`)
}
