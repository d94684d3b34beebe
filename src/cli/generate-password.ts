/** Letters and digits that are hard to take for one another, 32 of them. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUP = 5
const LEAST_GROUPS = 4

/** A password of 100 random bits or more, in groups that are easy to read out. */
export function generatePassword(leastLength: number): string {
  const groups = Math.max(LEAST_GROUPS, Math.ceil(leastLength / GROUP))
  return Array.from({ length: groups }, randomGroup).join('-')
}

function randomGroup(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(GROUP)), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
