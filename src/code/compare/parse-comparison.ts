import { BadRequest } from '#kernel/errors.ts'
import { type HeadText, parseHead } from '#repositories/forks/index.ts'

export interface Comparison {
  base: HeadText
  head: HeadText
  /** `base..head`: what differs between the two, not what the head has changed since they parted. */
  isDirect: boolean
}

/**
 * `base...head`, `base..head`, or `head` alone, which is compared with the default branch, as an empty side is. The head may be
 * in a fork: `owner:branch`, or `owner/repo:branch`.
 * @throws BadRequest for revision syntax: only names are compared
 */
export function parseComparison(text: string, defaultBranch: string): Comparison {
  const [, base = '', dots = '...', head = text] = /^(.*?)(\.\.\.?)(.*)$/s.exec(text) ?? []
  const sides = [base, head].map((side) => {
    if (/[\^~]|@\{/.test(side)) throw new BadRequest('Unsupported comparison syntax: ref with suffix')
    return parseSide(side, defaultBranch)
  }) as [HeadText, HeadText]
  return { base: sides[0], head: sides[1], isDirect: dots === '..' }
}

function parseSide(text: string, defaultBranch: string): HeadText {
  const side = parseHead(text)
  return { ...side, ref: side.ref || defaultBranch }
}
