import type { RepoRow } from '#access/index.ts'
import { findRevision, readBlob } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'

/** The same names as Gitea and GitHub have, the first that is there. */
const places = ['', '.gitea/', '.github/', 'docs/'].flatMap((root) => [`${root}PULL_REQUEST_TEMPLATE.md`, `${root}pull_request_template.md`])
const MAX_BYTES = 65_536

/** What pull requests begin with, as a file on the default branch says; empty where there is none. */
export async function readPullTemplate(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<string> {
  const revision = repo.is_empty === 1 ? undefined : findRevision(context, repo, repo.default_branch)
  if (!revision) return ''
  const { tree } = await context.git.look('links', repo.id, { oid: revision.oid })
  const file = await firstFile(context, repo, tree)
  const text = file ? new TextDecoder().decode(await readBlob(context, repo.id, file.oid, MAX_BYTES)) : ''
  return withoutHead(text).trim()
}

async function firstFile(context: Pick<Context, 'git'>, { id }: RepoRow, tree: Oid): Promise<{ oid: Oid; size: number } | undefined> {
  for (const path of places) {
    const found = await context.git.run('openPath', id, { tree, path, maxBytes: 0 })
    if (found && (found.mode & 0o170000) === 0o100000 && found.size <= MAX_BYTES) return found
  }
  return undefined
}

/** What stands above between two lines of dashes is about the template. */
function withoutHead(text: string): string {
  return text.replace(/^---\r?\n(?:(?!---).*\r?\n)*---\r?\n/, '')
}
