import { analyse } from 'chardet'
import { findDecoder, needsCharset } from './file-text.ts'

/** The encodings that are detected, by their names in `TextDecoder`. Everything else is read as Windows-1252. */
const detected = new Set(['Shift_JIS', 'GB18030', 'Big5', 'EUC-JP', 'EUC-KR', 'windows-1251'])
/** The most bytes that are examined: the detector takes some microseconds for each. */
const SAMPLE_BYTES = 4096
/** A shorter sample is repeated, because the detector needs more than a few characters. */
const LEAST_BYTES = 256
/** In percent. The detector reports 10 for bytes that could be in any encoding. */
const LEAST_CONFIDENCE = 12
/** Greek, Hebrew and Arabic encodings are ignored: the detector mistakes short Russian texts for them. */
const passedOver = /^(?:ISO-8859-[678]|windows-125[356])$/
const LF = 10

/**
 * Returns the encoding of a text that is not UTF-8: the one that `.gitattributes` names, else the one detected from its bytes. Undefined when neither
 * is known. Slow: call it in workers only. @param told value of the attribute `working-tree-encoding`
 */
export function charsetOf(data: Uint8Array, told: string | boolean | undefined): string | undefined {
  if (!needsCharset(data)) return undefined
  return typeof told === 'string' && !/^utf/i.test(told) && findDecoder(told) ? told : detectCharset(data)
}

/** Detects the encoding of a text that is not UTF-8 from its bytes. Undefined when that fails. Slow: call it in workers only. */
export function detectCharset(data: Uint8Array): string | undefined {
  const sample = foreignParts(data)
  if (sample.length === 0) return undefined
  const repeated = Array.from({ length: Math.ceil(LEAST_BYTES / sample.length) }, () => [sample, Uint8Array.of(LF)])
  const found = analyse(Buffer.concat(repeated.flat())).filter(({ name }) => !passedOver.test(name))
  const most = found[0]?.confidence ?? 0
  if (most < LEAST_CONFIDENCE) return undefined
  return found.find(({ name, confidence }) => confidence === most && detected.has(name) && isIn(name, sample))?.name
}

/** Collects, from each line, the part between its first and last non-ASCII byte: source code has few of them. */
function foreignParts(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let left = SAMPLE_BYTES
  for (let at = 0; at < data.length && left > 0; ) {
    const found = data.indexOf(LF, at)
    const end = found < 0 ? data.length : found
    let first = at
    while (first < end && (data[first] as number) < 0x80) first++
    let last = end
    while (last > first && (data[last - 1] as number) < 0x80) last--
    if (first < last) {
      // The second byte of a character can be ASCII.
      const part = data.subarray(first, Math.min(last + 1, end, first + left))
      parts.push(...(parts.length > 0 ? [Uint8Array.of(LF), part] : [part]))
      left -= part.length + 1
    }
    at = end + 1
  }
  return Buffer.concat(parts)
}

/** Returns whether most non-ASCII bytes have a non-ASCII neighbor: true in Cyrillic texts, false in Western languages. */
function isCyrillic(sample: Uint8Array): boolean {
  const isForeign = (at: number) => (sample[at] ?? 0) >= 0x80
  let [all, beside] = [0, 0]
  for (let at = 0; at < sample.length; at++) {
    if (!isForeign(at)) continue
    all++
    if (isForeign(at - 1) || isForeign(at + 1)) beside++
  }
  return beside > all / 2
}

/** Returns whether a sample is valid in an encoding. It can end in the middle of a character. */
function isIn(charset: string, sample: Uint8Array): boolean {
  if (charset === 'windows-1251' && !isCyrillic(sample)) return false
  return !new TextDecoder(charset as Bun.Encoding).decode(sample, { stream: true }).includes('\ufffd')
}
