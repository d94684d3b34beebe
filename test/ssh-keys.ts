/** A public key of OpenSSH's form, another for each `n`. */
export function ed25519Key(n: number): string {
  const key = new Bun.CryptoHasher('sha256').update(`matrix ${n}`).digest()
  const framed = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  return `ssh-ed25519 ${Buffer.concat([framed(Buffer.from('ssh-ed25519')), framed(key)]).toString('base64')}`
}
