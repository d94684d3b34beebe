import type { RepoRow } from '#access/index.ts'
import { findRevision, readBlob } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { usualConfig } from './schema.ts'
import { type ConfigRead, MAX_MS, type TemplatesJob, type TemplatesRead, templatesThread } from './templates-thread.ts'

const directories = ['', '.gitea/', '.github/', '.gitlab/'].flatMap((root) => [`${root}ISSUE_TEMPLATE`, `${root}issue_template`])
/** As many files are read, and as much of each. */
const MAX_FILES = 100
const MAX_BYTES = 65_536
/** Of all templates together. */
const MAX_ALL_BYTES = 16 * MAX_BYTES

interface SmallFile {
  path: string
  oid: Oid
  size: number
}

/**
 * The templates on the default branch, and how many files there are none for something being wrong with them.
 * @throws Problem 503 when too many wait for templates of this repository
 */
export async function readTemplates(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<TemplatesRead> {
  const found = (await listFiles(context, repo)).filter(({ path }) => /\.(?:md|ya?ml)$/.test(path) && !/\/config\.ya?ml$/.test(path))
  const files: { path: string; text: string }[] = []
  let left = MAX_ALL_BYTES
  for (const file of found) if ((left -= file.size) >= 0) files.push({ path: file.path, text: await textOf(context, repo, file) })
  if (files.length === 0) return { templates: [], faults: found.length }
  const { templates, faults } = await read<TemplatesRead>(repo, { files }, () => ({ templates: [], faults: files.length }))
  return { templates, faults: faults + found.length - files.length }
}

/** The first config there is; what is wrong with it, if anything is, and what holds then. @throws Problem 503 as `readTemplates` does */
export async function readConfig(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<ConfigRead> {
  const file = (await listFiles(context, repo)).find(({ path }) => /\/config\.ya?ml$/.test(path))
  if (!file) return { config: usualConfig, fault: '' }
  const config = await textOf(context, repo, file)
  return read<ConfigRead>(repo, { config }, (fault) => ({ config: usualConfig, fault }))
}

/** @param otherwise what to answer when it takes too long */
async function read<T extends TemplatesRead | ConfigRead>(repo: RepoRow, job: TemplatesJob, otherwise: (fault: string) => T): Promise<T> {
  try {
    return (await templatesThread.run(job, { line: `repository ${repo.id}`, milliseconds: MAX_MS })) as T
  } catch (error) {
    if (error instanceof Unprocessable) return otherwise(error.message)
    throw error
  }
}

async function textOf(context: Pick<Context, 'git'>, repo: RepoRow, { oid }: SmallFile): Promise<string> {
  return new TextDecoder().decode(await readBlob(context, repo.id, oid, MAX_BYTES))
}

/** The small files of the directories that can hold templates, in their order. */
async function listFiles(context: Pick<Context, 'db' | 'git'>, repo: RepoRow): Promise<SmallFile[]> {
  const revision = repo.is_empty === 1 ? undefined : findRevision(context, repo, repo.default_branch)
  if (!revision) return []
  const { tree } = await context.git.look('links', repo.id, { oid: revision.oid })
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
