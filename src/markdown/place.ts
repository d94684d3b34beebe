import { posix } from 'node:path'
import type { Place } from './job.ts'

/** How a text is read: `markdown` is a plain document, the others know of a repository. */
export const modes = ['markdown', 'gfm', 'comment', 'wiki', 'file'] as const
export type Mode = (typeof modes)[number]

/** What a request says of where its text stands. */
export interface Whereabouts {
  /** `/owner/repo` or `/owner/repo/src/branch/main/doc`, or such an address with a server's root before it. */
  path: string
  /** The file's path in the repository, or ''. */
  filePath: string
  /** Where links of a repository's document go when the path names no branch: `branch/main`, or ''. */
  fallbackRef: string
}

/** The path segments of a `Context`, without the root address and what cannot be part of a path. */
export function contextSegments(context: string, rootUrl: string): string[] {
  const root = new URL(rootUrl)
  // The server may be reached under other names than its own.
  const path = /^https?:/i.test(context) ? (URL.parse(context)?.pathname ?? '') : context
  const below = path.startsWith(root.pathname) ? path.slice(root.pathname.length) : path
  return below.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/** As Gitea resolves what is relative: links of a file go to `src/`, its pictures to `media/`, those of a comment to the repository. */
export function placeOf(mode: Mode, { path, filePath, fallbackRef }: Whereabouts, rootUrl: string): Place {
  const segments = contextSegments(path, rootUrl)
  const at = (...parts: string[]) => addressOf(rootUrl, parts)
  const both = (here: string[], top = here) => ({ here: at(...here), top: at(...top) })
  if (mode === 'markdown') return { repo: undefined, links: both(segments, []), media: both(segments, []), isWiki: false }
  if (segments.length < 2) return { repo: undefined, links: both([]), media: both([]), isWiki: false }
  const [owner, name] = segments
  const repo = `${owner}/${name}`
  if (mode === 'comment') return { repo, links: both([repo]), media: both([repo]), isWiki: false }
  if (mode === 'wiki') return { repo, links: both([repo, 'wiki']), media: both([repo, 'wiki/raw']), isWiki: true }
  const directory = directoryOf(filePath)
  const ref = refOf(segments, directory) || fallbackRef
  const inTree = (kind: string) => both([repo, kind, ref, directory], [repo, kind, ref])
  return { repo, links: inTree('src'), media: inTree('media'), isWiki: false }
}

/** `branch/feature/x` of `owner/repo/src/branch/feature/x/doc` when the file lies in `doc`; '' when the path names no branch. */
function refOf([, , src, kind = '', ...rest]: string[], directory: string): string {
  if (src !== 'src' || !['branch', 'commit', 'tag'].includes(kind) || rest.length === 0) return ''
  const ref = rest.join('/')
  return `${kind}/${directory !== '' && ref.endsWith(`/${directory}`) ? ref.slice(0, -directory.length - 1) : ref}`
}

function directoryOf(filePath: string): string {
  const directory = posix.dirname(posix.normalize(`/${filePath}`)).slice(1)
  return directory === '.' ? '' : directory
}

function addressOf(rootUrl: string, parts: string[]): string {
  const path = parts
    .flatMap((part) => part.split('/'))
    .filter((segment) => segment !== '')
    .map((segment) => `${encodeURIComponent(segment)}/`)
  return rootUrl + path.join('')
}
