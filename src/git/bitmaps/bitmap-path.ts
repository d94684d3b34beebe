/** To walk all trees of a smaller pack takes a tenth of a second: it goes without bitmaps. */
export const LEAST_OBJECTS = 10_000

/** Where the bitmaps of a pack lie. */
export function bitmapPath(packPath: string): string {
  return packPath.replace(/\.pack$/, '.bitmap')
}
