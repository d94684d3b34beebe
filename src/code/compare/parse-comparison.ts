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
 * in a fork: `owner:branch`, or `owner/repo:branch`. A name may have a suffix that leads to an ancestor: `main~3`, `v1^`.
 * @throws BadRequest for `@{…}`, which asks for a log of the branch
 */
export function parseComparison(text: string, defaultBranch: string): Comparison {
  const [, base = '', dots = '...', head = text] = /^(.*?)(\.\.\.?)(.*)$/s.exec(text) ?? []
  const sides = [base, head].map((side) => {
    if (side.includes('@{')) throw new BadRequest('Unsupported comparison syntax: a name with @{…}')
    return parseSide(side, defaultBranch)
  }) as [HeadText, HeadText]
  return { base: sides[0], head: sides[1], isDirect: dots === '..' }
}

function parseSide(text: string, defaultBranch: string): HeadText {
  const side = parseHead(text)
  return { ...side, ref: side.ref || defaultBranch }
}
