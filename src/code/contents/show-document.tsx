import type { RepoAccess } from '#access/index.ts'
import type { RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { Documents } from '#markdown/index.ts'
import { type Html, raw, type Visit } from '#web/index.ts'

const markdownFile = /\.(?:md|markdown|mdown|mkd|livemd)$/i

export function isMarkdown(path: string): boolean {
  return markdownFile.test(path)
}

/** Markdown as it reads; undefined where that would take too long. */
export async function renderDocument(
  context: Pick<Context, 'services'>,
  visit: Visit,
  repo: RepoAccess,
  place: Pick<RefPath, 'kind' | 'name'>,
  path: string,
  text: string,
): Promise<Html | undefined> {
  const document = { text, path, ref: `${place.kind}/${place.name}` }
  const html = await context.services.get(Documents).render(visit, repo, document)
  return html === undefined ? undefined : raw(html)
}

/** The same files stand under every branch and commit: robots keep those of the default branch alone. */
export function indexing(visit: Visit, { row }: RepoAccess, { kind, name }: RefPath): Record<string, string> {
  return kind === 'branch' && name === row.default_branch ? {} : visit.unindexed
}
