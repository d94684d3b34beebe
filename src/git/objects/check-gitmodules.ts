import type { GitError } from '../errors.ts'
import { fault } from './fault.ts'
import { readGitConfig } from './git-config.ts'

/** Longer ones are refused unread; git's own limit is the size from which it streams files. */
const MAX_BYTES = 4 * 1024 * 1024
/** What the section of a submodule begins with. */
const SECTION = 'submodule.'

/**
 * Refuses a `.gitmodules` file that would make git write outside the submodule's place or run something.
 * Source: `fsck_gitmodules_fn` of git's `fsck.c`, `submodule-config.c`. A file that is no configuration at all passes, as in git.
 * @throws GitError `refused`
 */
export function checkGitmodules(data: Uint8Array): void {
  if (data.length > MAX_BYTES) throw fault('refused', `the .gitmodules file of ${data.length} bytes is too large to be checked`)
  let checked = ''
  for (const { section, key, value } of readGitConfig(Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1'))) {
    if (!section.startsWith(SECTION)) continue
    if (section !== checked) checkName(section.slice(SECTION.length))
    checked = section
    if (value === undefined) continue
    if (key === 'url' && isHostileUrl(value)) throw refusal(`the url "${value}"`)
    if (key === 'path' && value.startsWith('-')) throw refusal(`the path "${value}"`)
    if (key === 'update' && value.startsWith('!')) throw refusal(`the update command "${value}"`)
  }
}

function checkName(name: string): void {
  if (name === '' || name.split(/[\\/]/).includes('..')) throw refusal(`a submodule with the name "${name}"`)
}

/** @param what of it is hostile, one character a byte */
function refusal(what: string): GitError {
  return fault('refused', `the .gitmodules file has ${Buffer.from(what, 'latin1').toString('utf8').replaceAll('\n', '\\n')}`)
}

/** Source: `check_submodule_url`: options, line breaks that reach a credential helper, `../` that leave the host. */
function isHostileUrl(url: string): boolean {
  if (url.startsWith('-')) return true
  const isRelative = url.startsWith('./') || url.startsWith('../')
  if (isRelative || url.startsWith('git://')) {
    if (percentDecoded(url).includes('\n')) return true
    const upwards = /^(?:\.\/)*(?:\.\.\/(?:\.\/)*)+/.exec(url)
    return upwards !== null && /^[:/]/.test(url.slice(upwards[0].length))
  }
  const target = url.replace(/^(?:https?|ftps?)::/, '')
  if (target === url && !/^(?:https?|ftps?):\/\//.test(url)) return false
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(target)?.[1] ?? ''
  return percentDecoded(url).includes('\n') || authority.slice(authority.lastIndexOf('@') + 1) === ''
}

function percentDecoded(url: string): string {
  return url.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
