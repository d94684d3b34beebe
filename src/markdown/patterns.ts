/** How references are written. Read on both threads, so this file imports nothing. */

const name = '[A-Za-z0-9](?:[\\w.-]{0,38}\\w)?'
const repo = `${name}/[A-Za-z0-9._-]{1,100}`
/** Of a commit: 7 digits up to a SHA-256. */
const id = '[0-9a-f]{7,64}'
/** Neither within a word nor within an address. */
const before = '(?<![\\w/@.#!&-])'
const after = '(?![\\w/@-])'

/** `#1`, `!1`, `owner/repo#1`, `owner/repo@0123abc`, `@organization/team`, `@name` and `0123abc`, each in a group of its own name. */
export function referencePattern(): RegExp {
  const issue = `(?<repo>${repo})?(?<mark>[#!])(?<number>[1-9]\\d{0,9})`
  return new RegExp(`${before}(?:${issue}|(?<commitRepo>${repo})@(?<commit>${id})|@(?<team>${name}/${name})|@(?<name>${name})|(?<own>${id}))${after}`, 'g')
}

export function mentionPattern(): RegExp {
  return new RegExp(`(?<![\\w/@.-])@(${name})`, 'g')
}

export function commitPattern(): RegExp {
  return new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g')
}

/** The `owner/repo` of `owner/repo#1`, `owner/repo!1` and `owner/repo@0123abc`. */
export function repoPattern(): RegExp {
  return new RegExp(`${before}(${repo})[#!@]`, 'g')
}

/** The `owner/repo` that an address here begins with, behind the server's root. */
export function addressedRepo(rest: string): string | undefined {
  return /^([\w.-]{1,40}\/[\w.-]{1,100})\//.exec(rest)?.[1]
}

/** `@organization/team`. */
export function teamPattern(): RegExp {
  return new RegExp(`(?<![\\w/@.-])@(${name}/${name})(?![\\w/-])`, 'g')
}
