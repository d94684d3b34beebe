/**
 * Names of refs that are told only to who asks for them by the beginning of their names: a few hundred pull requests may have left behind
 * tens of thousands of heads, which no clone, mirror or list of all refs is about.
 */
export const QUIET = /^refs\/pull\/[1-9]\d*\/versions\//

/** Whether a ref is told to who asks for all whose names begin with `prefix`. */
export function isTold(name: string, prefix: string): boolean {
  return QUIET.test(`${prefix}/`) || !QUIET.test(name)
}
