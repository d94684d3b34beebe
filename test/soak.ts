/** Whether this is `npm run soak`: it runs the tests that use this file, at their full size, and takes hours. */
export const isSoak = process.env.SOAK === '1'

/** Returns `few` in `npm test` and `many` in `npm run soak`: how many cases to try, how large to make something. */
export function soak<T>(few: T, many: T): T {
  return isSoak ? many : few
}
