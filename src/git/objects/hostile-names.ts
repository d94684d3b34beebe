/**
 * Tree entry names that some file system would take for something else than they look like.
 * Source: `fsck.c`, `path.c` (`is_ntfs_dotgit`, `is_ntfs_dot_generic`) and `utf8.c` (`is_hfs_dotgit`) of git.
 */

/** Code points that HFS+ ignores in a name. */
const hfsIgnored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Where git stops reading a name: at what is no UTF-8, which stands as U+FFFD in a string, and at the last two code points, which are no characters. */
const hfsUnread = /[\ufffd-\uffff].*$/s

/** What NTFS takes for `.git`: its short name, trailing dots and blanks, a stream name after a colon. */
const ntfsDotGit = /^(?:\.git|git~1)[. ]*(?:[\\/:]|$)/i

/** What NTFS takes for a file of git's: as above, with its short names `gitmod~1`…`4` and the hashed `gi7eba~1` forms. */
function onNtfs(name: string, short: string, hashed: string): RegExp {
  return new RegExp(`^(?:\\${name}|${short}~[1-4]|${hashedShortNames(hashed)})[ .]*(?::|$)`, 'i')
}

const ntfsDotGitmodules = onNtfs('.gitmodules', 'gitmod', 'gi7eba')
const ntfsDotGitattributes = onNtfs('.gitattributes', 'gitatt', 'gi7d29')

function hashedShortNames(prefix: string): string {
  const forms = [...prefix, ''].map((_, length) => `${prefix.slice(0, length)}~[1-9][0-9]{${prefix.length - length}}`)
  return `(?:${forms.join('|')})`
}

/** Why an entry must not have this name, or undefined when it may. */
export function findHostility(name: string): string | undefined {
  if (name === '') return 'an empty name'
  if (name === '.' || name === '..') return `the name "${name}"`
  if (name.includes('/')) return `the name "${name}", which has a slash`
  if (onHfs(name) === '.git') return `the name "${name}", which is .git to some file systems`
  for (const part of name.split('\\')) {
    if (part === '..') return `the name "${name}", which means the parent directory on Windows`
    if (ntfsDotGit.test(part)) return `the name "${name}", which is .git to some file systems`
  }
  return undefined
}

/** Whether some file system takes `name` for `.gitmodules`. */
export function isDotGitmodules(name: string): boolean {
  return onHfs(name) === '.gitmodules' || name.split('\\').some((part) => ntfsDotGitmodules.test(part))
}

/** Whether some file system takes `name` for `.gitattributes`. */
export function isDotGitattributes(name: string): boolean {
  return onHfs(name) === '.gitattributes' || name.split('\\').some((part) => ntfsDotGitattributes.test(part))
}

function onHfs(name: string): string {
  return name.replace(hfsUnread, '').replace(hfsIgnored, '').toLowerCase()
}
