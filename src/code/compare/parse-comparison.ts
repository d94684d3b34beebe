import { BadRequest } from '#kernel/errors.ts'

/** One side of a comparison: a revision, and whose, where that is said. */
export interface ComparedSide {
  ref: string
  owner?: string
  repo?: string
}

export interface Comparison {
  base: ComparedSide
  head: ComparedSide
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
  }) as [ComparedSide, ComparedSide]
  return { base: sides[0], head: sides[1], isDirect: dots === '..' }
}

function parseSide(text: string, defaultBranch: string): ComparedSide {
  const [, owner, repo, ref = text] = /^([^/:]+)(?:\/([^/:]+))?:(.*)$/s.exec(text) ?? []
  return { ref: ref || defaultBranch, ...(owner === undefined ? {} : { owner }), ...(repo === undefined ? {} : { repo }) }
}
