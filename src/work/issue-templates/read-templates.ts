import type { RepoRow } from '#access/index.ts'
import { findRevision, readBlob } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { parseCommit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import { messageOf } from '#kernel/errors.ts'
import { parseConfig, usualConfig } from './parse-config.ts'
import { parseTemplate } from './parse-template.ts'
import type { IssueConfig, IssueTemplate } from './schema.ts'

const directories = ['', '.gitea/', '.github/', '.gitlab/'].flatMap((root) => [`${root}ISSUE_TEMPLATE`, `${root}issue_template`])
/** As many files are read, and as much of each. */
const MAX_FILES = 100
const MAX_BYTES = 65_536

interface SmallFile {
  path: string
  oid: Oid
  size: number
}

/** The templates on the default branch, and how many files there are none for something being wrong with them. */
export async function readTemplates(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<{ templates: IssueTemplate[]; faults: number }> {
  const templates: IssueTemplate[] = []
  let faults = 0
  for (const file of await listFiles(context, repo)) {
    if (!/\.(?:md|ya?ml)$/.test(file.path) || /\/config\.ya?ml$/.test(file.path)) continue
    try {
      templates.push(parseTemplate(file.path, await textOf(context, repo, file)))
    } catch {
      faults++
    }
  }
  return { templates, faults }
}

/** The first config there is; what is wrong with it, if anything is, and what holds then. */
export async function readConfig(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<{ config: IssueConfig; fault: string }> {
  const file = (await listFiles(context, repo)).find(({ path }) => /\/config\.ya?ml$/.test(path))
  if (!file) return { config: usualConfig, fault: '' }
  try {
    return { config: parseConfig(await textOf(context, repo, file)), fault: '' }
  } catch (error) {
    return { config: usualConfig, fault: messageOf(error) }
  }
}

async function textOf(context: Pick<Context, 'git'>, repo: RepoRow, { oid, size }: SmallFile): Promise<string> {
  return new TextDecoder().decode(await readBlob(context, repo.id, oid, size, MAX_BYTES))
}

/** The small files of the directories that can hold templates, in their order. */
async function listFiles(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<SmallFile[]> {
  const revision = repo.is_empty === 1 ? undefined : findRevision(context, repo, repo.default_branch)
  if (!revision) return []
  const { tree } = parseCommit(context.git.storeOf(repo.id).get(revision.oid, 'commit').data)
  const files: SmallFile[] = []
  for (const directory of directories) {
    const found = await context.git.run('openPath', repo.id, { tree, path: directory, maxBytes: 0 })
    if (found?.mode !== 0o040000) continue
    const { entries } = await context.git.run('listTree', repo.id, { tree: found.oid, options: { recursive: false, offset: 0, limit: MAX_FILES } })
    for (const { path, mode, oid, size } of entries) {
      if ((mode & 0o170000) === 0o100000 && size <= MAX_BYTES) files.push({ path: `${directory}/${path}`, oid, size })
    }
  }
  return files
}
