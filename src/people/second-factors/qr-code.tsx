import encodeQR from 'qr'

/** Modules of light around it, as readers want them. */
const BORDER = 4

/** A text as a QR code: dark on light in every scheme, without styles. Source: ISO/IEC 18004. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })
  const size = rows.length
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={rows.map(pathOfRow).join('')} fill="#000000" />
    </svg>
  )
}

/** A stroke for each run of dark modules. */
function pathOfRow(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    const from = x
    while (row[x + 1]) x++
    path += `M${from} ${y}h${x - from + 1}v1H${from}z`
  }
  return path
}
