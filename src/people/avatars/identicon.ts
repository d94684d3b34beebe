const GRID = 5
const CELL = 20

/** A picture for an account: a symmetric pattern and a colour, both made of `seed` alone. SVG, 140 by 140. */
export function identicon(seed: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(seed).digest()
  const size = (GRID + 2) * CELL
  const cells: string[] = []
  for (let column = 0; column < GRID; column++) {
    const mirrored = Math.min(column, GRID - 1 - column)
    for (let row = 0; row < GRID; row++) {
      if (((hash[mirrored * GRID + row] as number) & 1) === 1) cells.push(`M${(column + 1) * CELL} ${(row + 1) * CELL}h${CELL}v${CELL}h-${CELL}z`)
    }
  }
  const hue = Math.round((hash.readUInt16BE(30) / 65_536) * 360)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">`,
    `<path fill="#f0f0f0" d="M0 0h${size}v${size}H0z"/><path fill="hsl(${hue} 45% 50%)" d="${cells.join('')}"/></svg>\n`,
  ].join('')
}
