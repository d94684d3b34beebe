const DIGIT_BITS = 16
const DIGITS = 1 << DIGIT_BITS
/** Below this many a pass over all values of a digit costs more than comparing does. */
const WORTH_DIGITS = 4096

/** The numbers 0 to `count` - 1 sorted by `offsetOf` (whole, up to 2^53). Many by a radix sort, so no order of the input makes it slow. */
export function orderByOffset(count: number, offsetOf: (position: number) => number): Uint32Array {
  const offsets = new Float64Array(count)
  let largest = 0
  for (let i = 0; i < count; i++) {
    offsets[i] = offsetOf(i)
    if ((offsets[i] as number) > largest) largest = offsets[i] as number
  }
  let order = new Uint32Array(count).map((_, i) => i)
  if (count < WORTH_DIGITS) return order.sort((a, b) => (offsets[a] as number) - (offsets[b] as number))
  let spare = new Uint32Array(count)
  const starts = new Uint32Array(DIGITS + 1)
  for (let scale = 1; scale <= largest; scale *= DIGITS) {
    sortByDigit(offsets, scale, order, spare, starts.fill(0))
    ;[order, spare] = [spare, order]
  }
  return order
}

/** One stable pass: writes `order`, sorted by the digit of weight `scale`, to `into`. */
function sortByDigit(offsets: Float64Array, scale: number, order: Uint32Array, into: Uint32Array, starts: Uint32Array): void {
  for (let i = 0; i < order.length; i++) (starts[digit(offsets[i] as number, scale) + 1] as number)++
  for (let value = 1; value < DIGITS; value++) starts[value] = ((starts[value] as number) + (starts[value - 1] as number)) as number
  for (let i = 0; i < order.length; i++) into[(starts[digit(offsets[order[i] as number] as number, scale)] as number)++] = order[i] as number
}

function digit(offset: number, scale: number): number {
  return Math.floor(offset / scale) % DIGITS
}
