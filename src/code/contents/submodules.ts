import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'

const MAX_GITMODULES = 64 * 1024

/** Where the submodules of a tree come from, by path. Read only when asked; a file that is absent, odd or too large names none. */
export async function readSubmodules(context: Pick<Context, 'git'>, repoId: number, tree: Oid): Promise<Map<string, string>> {
  const found = await context.git.run('openPath', repoId, { tree, path: '.gitmodules', maxBytes: MAX_GITMODULES })
  return found?.data === undefined ? new Map() : parseGitmodules(Buffer.from(found.data).toString())
}

/** The `path` and `url` of each section. Source: git's `Documentation/gitmodules.adoc` and the syntax part of `config.adoc`. */
export function parseGitmodules(text: string): Map<string, string> {
  const urls = new Map<string, string>()
  let section: { path?: string; url?: string } = {}
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*\[/.test(line)) section = {}
    const [, key, value = ''] = /^\s*(path|url)\s*=\s*(.*?)\s*$/i.exec(line) ?? []
    if (key !== undefined) section[key.toLowerCase() as 'path' | 'url'] = unquote(value)
    if (section.path !== undefined && section.url !== undefined) urls.set(section.path, section.url)
  }
  return urls
}

function unquote(value: string): string {
  const quoted = /^"(.*)"$/.exec(value)
  return (quoted?.[1] ?? value).replace(/\\(["\\])/g, '$1')
}
