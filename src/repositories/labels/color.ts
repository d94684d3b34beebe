/** Six hexadecimal digits in lower case, of a color in any of the forms that `schema.ts` lets in: `#00AABB`, `00aabb`, `#0ab`, `0ab`. */
export function normalizeColor(text: string): string {
  const digits = text.trim().replace('#', '').toLowerCase()
  return digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
}
