import { fault } from './fault.ts'

/** Longer ones are refused unread; git's own limit is the size from which it streams files. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Refuses a `.gitmodules` file that would make git write outside the submodule's place or run something.
 * Source: `fsck_gitmodules_fn` of git's `fsck.c`, `submodule-config.c`. A file that is no configuration at all passes, as in git.
 * @throws GitError `refused`
 */
export function checkGitmodules(data: Uint8Array): void {
  if (data.length > MAX_BYTES) throw fault('refused', `the .gitmodules file of ${data.length} bytes is too large to be checked`)
  for (const { name, key, value } of readSettings(Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8'))) {
    if (name === '' || name.split(/[\\/]/).includes('..')) throw fault('refused', `the .gitmodules file has a submodule with the name "${name}"`)
    if (key === 'url' && isHostileUrl(value)) throw fault('refused', `the .gitmodules file has the url "${value}"`)
    if (key === 'path' && value.startsWith('-')) throw fault('refused', `the .gitmodules file has the path "${value}"`)
    if (key === 'update' && value.startsWith('!')) throw fault('refused', `the .gitmodules file has the update command "${value}"`)
  }
}

interface Setting {
  name: string
  key: string
  value: string
}

/** The settings of `[submodule "name"]` sections, as far as the text is a configuration. */
function* readSettings(text: string): Generator<Setting> {
  let name: string | undefined
  for (const line of text
    .replace(/^\ufeff/, '')
    .replace(/\\\r?\n/g, '')
    .split('\n')) {
    const section = /^\s*\[\s*([^\]\s"]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (section) name = (section[1] as string).toLowerCase() === 'submodule' ? section[2]?.replace(/\\(.)/g, '$1') : oldStyleName(section[1] as string)
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/.exec(section ? line.slice(section[0].length) : line)
    if (name !== undefined && setting) yield { name, key: (setting[1] as string).toLowerCase(), value: unquote(setting[2] ?? '') }
    else if (name !== undefined && section) yield { name, key: '', value: '' }
  }
}

/** `[submodule.name]`, the section form that git still reads. */
function oldStyleName(section: string): string | undefined {
  return /^submodule\./i.test(section) ? section.slice('submodule.'.length) : undefined
}

/** A value without its quotes, escapes and comment. */
function unquote(raw: string): string {
  let value = ''
  let isQuoted = false
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at]
    if (char === '"') isQuoted = !isQuoted
    else if (char === '\\') value += escapes[raw[++at] as string] ?? raw[at] ?? ''
    else if ((char === '#' || char === ';') && !isQuoted) break
    else value += char
  }
  return value.trim()
}

const escapes: Record<string, string | undefined> = { n: '\n', t: '\t', b: '\b' }

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
