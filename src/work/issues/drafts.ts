/** Gitea's `repository.pull-request.WORK_IN_PROGRESS_PREFIXES`. */
const prefix = /^(?:WIP:|\[WIP\])/i
const prefixes = /^(?:(?:WIP:|\[WIP\])\s*)+/i

/** Whether a pull request with this title is still being worked on. */
export function isDraft(title: string): boolean {
  return prefix.test(title)
}

/** The title of the same one as a draft. */
export function asDraft(title: string): string {
  return isDraft(title) ? title : `WIP: ${title}`
}

/** The title of the same one once it is ready; empty where it said nothing else. */
export function asReady(title: string): string {
  return title.replace(prefixes, '').trim()
}
