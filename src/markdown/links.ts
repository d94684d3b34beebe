import type { Bases } from './job.ts'

/** What a browser leaves out of an address before it reads it: such bytes hide a scheme. */
const ignored = /[\u0000-\u0020\u007f-\u00a0\u00ad\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+/g
const scheme = /^([a-z][a-z0-9+.-]*):/i
/** Names that footnotes and headings have of their own. */
const ownFragment = /^(?:user-content-|fn:user-content-|fnref:user-content-)/

export const linkSchemes = ['http', 'https', 'mailto', 'tel', 'ftp', 'irc', 'ircs', 'xmpp']
export const mediaSchemes = ['http', 'https']

/**
 * The absolute address that a link in a text stands for: within the page to what the text itself names, relative to
 * where the text stands, or as it is when its scheme is one of `schemes`. Undefined for everything else.
 */
export function resolveLink(link: string, bases: Bases, schemes: readonly string[]): string | undefined {
  const text = link.trim()
  if (text.startsWith('#')) return `#${prefixed(text.slice(1))}`
  const found = scheme.exec(text.replace(ignored, ''))
  if (found) return schemes.includes((found[1] as string).toLowerCase()) && scheme.test(text) && URL.canParse(text) ? text : undefined
  if (/^[/\\]{2}/.test(text)) return undefined
  return resolveRelative(text, bases)
}

function resolveRelative(link: string, { here, top }: Bases): string | undefined {
  const isFromTop = link.startsWith('/')
  const base = new URL(isFromTop ? top : here)
  // What already names the whole path of this place stays: older Gitea wrote such links.
  const isWhole = isFromTop && base.pathname !== '/' && link.startsWith(base.pathname)
  const relative = isWhole ? link : `./${isFromTop ? link.slice(1) : link}`
  const url = URL.parse(relative, base.href)
  return url?.origin === base.origin ? url.href : undefined
}

/** An id or name of a text's own, so that it cannot stand for one of the page around it. */
export function prefixed(id: string): string {
  return ownFragment.test(id) ? id : `user-content-${id}`
}
