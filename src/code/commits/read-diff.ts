/** A larger diff is shown up to here. */
const MAX_DIFF_BYTES = 512 * 1024

/** The beginning of a diff, as far as a page shows it; whoever makes it stops there. @param answer that has it as text */
export async function readDiff({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  if (!body) return { text: '', isCut: false }
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    size += next.value.length
    if (size > MAX_DIFF_BYTES) break
  }
  const isCut = size > MAX_DIFF_BYTES
  if (isCut) await reader.cancel()
  const whole = Buffer.concat(chunks).subarray(0, MAX_DIFF_BYTES).toString('utf8')
  return { text: isCut ? whole.slice(0, whole.lastIndexOf('\n') + 1) : whole, isCut }
}
