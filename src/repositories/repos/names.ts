import { Unprocessable } from '#kernel/errors.ts'

/** Longest repository name, in characters; Gitea's. */
const MAX_REPO_NAME = 100

const allowed = /^[-.\w]+$/
/** What `owner/name.git`, feeds and wikis are found under, and what a path would read as something else. */
const reservedEndings = ['.git', '.wiki', '.rss', '.atom', '.lock', '.']
const reservedNames = ['.', '..', '-']
/** Windows opens a device for these, whatever their extension: a clone could not be checked out under the name. */
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/

/**
 * Checks a repository name by Gitea's rules and ours.
 * @throws Unprocessable naming the rule
 */
export function checkRepoName(name: string): void {
  const lower = name.toLowerCase()
  if (name === '' || name.length > MAX_REPO_NAME) throw invalid(name, `it must have 1 to ${MAX_REPO_NAME} characters`)
  if (!allowed.test(name)) throw invalid(name, 'only letters, digits, "-", "_" and "." are allowed')
  if (name.includes('..')) throw invalid(name, '".." is not allowed')
  if (reservedNames.includes(lower) || deviceName.test(lower)) throw invalid(name, 'the name is reserved')
  const ending = reservedEndings.find((one) => lower.endsWith(one))
  if (ending !== undefined) throw invalid(name, `it must not end with "${ending}"`)
}

function invalid(name: string, reason: string): Unprocessable {
  return new Unprocessable(`[Name]: Cannot use "${name.slice(0, MAX_REPO_NAME)}" as a repository name: ${reason}`)
}
