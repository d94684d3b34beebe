import type { RepoAccess } from '#access/index.ts'
import type { Visit } from '#web/index.ts'

/** `git@host:path`. Without a user, the host needs a dot or brackets: `C:\path` is a drive, and `javascript:path` no host. */
const scpLike = /^(?:[^@/:]+@|(?=[^/:]*\.|\[))(\[[\da-f:.]+\]|[^/:@[]+):(?!\/\/)(.+)$/i
const remoteProtocols = new Set(['ssh:', 'git:', 'git+ssh:', 'ssh+git:'])

/**
 * The address of a submodule's repository in a browser, from the one in `.gitmodules`: a page of this server where that names one, else the same
 * host over HTTPS. Undefined for what no browser opens, such as a local path.
 * @param url relative to this repository (`../lib.git`), scp-like (`git@host:path`), or with http, https, ssh or git as its protocol
 */
export function submoduleLink(visit: Visit, { owner, row }: RepoAccess, url: string): string | undefined {
  if (/^\.\.?(?:\/|$)/.test(url)) return pageOf(visit, [owner.name, row.name, ...url.split('/')])
  const [, scpHost, scpPath = ''] = scpLike.exec(url) ?? []
  const parsed = URL.parse(scpHost === undefined ? url : `ssh://${scpHost}/${scpPath.replace(/^\/+/, '')}`)
  if (!parsed) return undefined
  const root = new URL(visit.root)
  if (remoteProtocols.has(parsed.protocol)) {
    if (parsed.hostname === root.hostname) return pageOf(visit, partsOf(parsed.pathname))
    return URL.parse(`https://${parsed.hostname}${parsed.pathname.replace(/\.git\/*$/, '')}`)?.href
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined
  if (parsed.host === root.host && parsed.pathname.startsWith(root.pathname)) {
    return pageOf(visit, partsOf(parsed.pathname.slice(root.pathname.length)))
  }
  // User names and passwords are meant for git, not for the link.
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}

function partsOf(path: string): string[] {
  try {
    return decodeURIComponent(path).split('/')
  } catch {
    return []
  }
}

/** The page of a repository here; undefined for a path that leads out of the server or is not `owner/name`. */
function pageOf(visit: Visit, path: readonly string[]): string | undefined {
  const parts: string[] = []
  for (const part of path) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  const [owner, name, ...more] = parts
  return owner === undefined || name === undefined || more.length > 0 ? undefined : visit.to`/${owner}/${name.replace(/\.git$/, '')}`
}
