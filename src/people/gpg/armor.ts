const LINE = 64

/**
 * Keys as one armoured block, which `gpg --import` reads; of no keys a block that says so. Source: RFC 4880, section 6.
 * @param certificates binary
 */
export function armorKeys(certificates: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(certificates)
  const note = certificates.length === 0 ? "Note: This user hasn't uploaded any GPG keys.\n" : ''
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc24(bytes))
  const body = [...lines, `=${check.subarray(1).toString('base64')}`].join('\n')
  return `-----BEGIN PGP PUBLIC KEY BLOCK-----\n${note}\n${body}\n-----END PGP PUBLIC KEY BLOCK-----\n`
}

function crc24(bytes: Uint8Array): number {
  let crc = 0xb704ce
  for (const byte of bytes) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x800000 ? ((crc << 1) ^ 0x1864cfb) & 0xffffff : crc << 1
  }
  return crc
}
