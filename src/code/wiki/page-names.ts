import { posix } from 'node:path'

/**
 * A wiki page has a title that people read (`Home Page`), a name in addresses (`Home-Page`) and a file (`Home-Page.md`). In names and files
 * a dash stands for a space; what ends with `.-` has its dashes as they are. Everything else that is no plain letter is escaped as in a
 * query, a slash too, so that every page lies at the top. Source: Gitea's `services/wiki/wiki_path.go`.
 */
const MARK = '.-'
const ENDING = '.md'
const UNNAMED = 'unnamed'

/** What addresses have in these places. */
const reserved = ['_pages', '_new', '_edit', 'raw']

export function nameOfTitle(title: string): string {
  const name = escapeText(title.trim(), false)
  return name === '' || name === '.' || name === '..' ? UNNAMED : name
}

/** The name that an address says, whose slashes are the page's, but for one at its end. */
export function nameInAddress(raw: string): string {
  return posix.normalize(`/${raw}`).slice(1).replace(/\/$/, '').replaceAll('/', '%2F')
}

export function titleOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return textOf(last.endsWith(ENDING) ? decode(last.slice(0, -ENDING.length)) : last)
}

/** Where the page is written. A name that ends with `.md` is that of a file itself. */
export function pathOfName(name: string): string {
  const path = name.endsWith(ENDING) ? decode(name) : name.split('/').map(toFile).join('/') + ENDING
  return posix.normalize(`/${path}`).slice(1)
}

/** Where the page may lie, which a push may have written otherwise than we do; what comes first counts. */
export function pathsOfName(name: string): string[] {
  const path = pathOfName(name)
  return [...new Set([`${name}${ENDING}`, path, decode(path.replaceAll('+', ' '))])]
}

/** Undefined for a file that is no page. */
export function nameOfPath(path: string): string | undefined {
  if (!path.endsWith(ENDING)) return undefined
  const parts = path.slice(0, -ENDING.length).split('/')
  return parts.some((part) => isMalformed(part)) ? undefined : parts.map(canonical).join('/')
}

export function isReserved(name: string): boolean {
  return name.split('/').some((part) => reserved.includes(textOf(part)))
}

function toFile(part: string): string {
  return canonical(part).replaceAll('%20', ' ').replaceAll('+', ' ')
}

/** However a part was escaped. */
function canonical(part: string): string {
  return escapeText(textOf(part), part.endsWith(MARK))
}

function escapeText(text: string, isMarked: boolean): string {
  const keepsDashes = isMarked || text.includes('-') || text.endsWith(ENDING)
  return encode(keepsDashes ? text + MARK : text.replaceAll(' ', '-'))
}

function textOf(part: string): string {
  const text = part.endsWith(MARK) ? part.slice(0, -MARK.length) : part.replaceAll('-', ' ')
  return decode(text.replaceAll('+', ' '))
}

/** As Go's `url.QueryEscape`: a space is a plus sign. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

/** What cannot be decoded is its own meaning: a file can have any name. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isMalformed(part: string): boolean {
  try {
    decodeURIComponent(part)
    return false
  } catch {
    return true
  }
}
