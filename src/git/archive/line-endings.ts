import type { AttributeValue } from '../attributes/parse-attributes.ts'

const CR = 13
const LF = 10

/** Whether line feeds become CRLF: for all that is text, or for what looks like text. */
export type EolRule = 'crlf' | 'auto-crlf' | undefined

/**
 * What the attributes ask for, on a system whose own line end is LF and without configuration.
 * Source: `convert_attrs` of git's `convert.c`.
 */
export function eolRule(attributes: { text: AttributeValue; crlf: AttributeValue; eol: AttributeValue }): EolRule {
  if (attributes.eol !== 'crlf') return undefined
  const text = attributes.text === undefined ? attributes.crlf : attributes.text
  if (text === false) return undefined
  return text === 'auto' ? 'auto-crlf' : 'crlf'
}

/** `data` with CRLF where lines end in LF alone. Source: `crlf_to_worktree` of git's `convert.c`. */
export function withCrlf(data: Uint8Array, rule: EolRule): Uint8Array {
  if (rule === undefined || !data.includes(LF)) return data
  const stats = textStats(data)
  if (stats.loneLf === 0 || (rule === 'auto-crlf' && (stats.cr > 0 || looksBinary(stats)))) return data
  const out = new Uint8Array(data.length + stats.loneLf)
  let to = 0
  for (let at = 0; at < data.length; at++) {
    if (data[at] === LF && data[at - 1] !== CR) out[to++] = CR
    out[to++] = data[at] as number
  }
  return out
}

interface TextStats {
  loneLf: number
  /** Alone or before a line feed. */
  cr: number
  hasNul: boolean
  printable: number
  nonPrintable: number
}

/** Backspace, tab, form feed and escape count as printable. */
const printableControls = new Set([8, 9, 12, 27])
const DEL = 127
/** At the end of a file it is DOS's mark of the end. */
const SUB = 26

function textStats(data: Uint8Array): TextStats {
  const stats: TextStats = { loneLf: 0, cr: 0, hasNul: false, printable: 0, nonPrintable: 0 }
  for (let at = 0; at < data.length; at++) {
    const byte = data[at] as number
    if (byte === CR) stats.cr++
    else if (byte === LF) stats.loneLf += data[at - 1] === CR ? 0 : 1
    else if ((byte < 32 && !printableControls.has(byte)) || byte === DEL) stats.nonPrintable++
    else stats.printable++
    if (byte === 0) stats.hasNul = true
  }
  if (data.at(-1) === SUB) stats.nonPrintable--
  return stats
}

function looksBinary({ hasNul, printable, nonPrintable }: TextStats): boolean {
  return hasNul || printable >>> 7 < nonPrintable
}
