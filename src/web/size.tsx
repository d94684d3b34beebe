import { countText } from './numbers.ts'

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** How large something is: `1.5 MiB`, and the bytes themselves for who points at it. */
export function Size({ bytes }: { bytes: number }) {
  const [text, whole] = [sizeText(bytes), inBytes(bytes)]
  return <>{text === whole ? whole : <span title={whole}>{text}</span>}</>
}

/** The same in words alone. */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return step === 0 ? inBytes(bytes) : `${(bytes / 1024 ** step).toFixed(1)} ${units[step]}`
}

function inBytes(bytes: number): string {
  return countText(bytes, 'byte')
}
