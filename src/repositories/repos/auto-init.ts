import type { RepoRow, UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import type { NewFile } from '#git/porcelain.ts'
import { branchRef } from '#git/refs/names.ts'
import { Conflict, Unprocessable } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { type RefResult, writeObjects } from '#repositories/refs/index.ts'
import { measureRepo } from './measure-repo.ts'
import type { CreateRepoOption } from './schema.ts'
import { findGitignore } from './templates/gitignores.ts'
import { fillLicense, findLicense } from './templates/licenses.ts'
import { noteFilled } from './unfilled.ts'

/** Gitea has one readme template, and takes this name for it. */
const README = 'Default'

/**
 * The files of a repository's first commit.
 * @throws Unprocessable when a template is asked for that there is not, whether or not `auto_init` is on
 */
export async function initialFiles(body: CreateRepoOption, owner: UserRow, year: number): Promise<NewFile[]> {
  if (body.readme && body.readme !== README) throw unknownTemplate('Readme', body.readme, README)
  const files: NewFile[] = [{ path: 'README.md', data: `# ${body.name}\n${body.description ? `\n${body.description}` : ''}` }]
  const ignored = namesIn(body.gitignores).map((name) => findGitignore(name) ?? fail('Gitignores', name, 'a name from /gitignore/templates'))
  if (ignored.length > 0) files.push({ path: '.gitignore', data: ignored.map(({ name, source }) => `# ---> ${name}\n${source}`).join('\n') })
  const [key, ...others] = namesIn(body.license)
  if (key !== undefined) {
    const license = (others.length === 0 && (await findLicense(key))) || fail('License', body.license ?? '', 'one key from /licenses')
    files.push({ path: 'LICENSE', data: fillLicense(license, owner.full_name || owner.name, year) })
  }
  return files
}

/** Makes the first commit, on the default branch, in the actor's name. */
export async function commitInitialFiles(context: Context, repo: RepoRow, actor: UserRow, files: NewFile[]): Promise<void> {
  const who = gitIdentity(context, actor)
  await writeObjects(context, repo.id, async (writing) => {
    const oid = await writing.make('firstCommit', { files, who, message: 'Initial commit' })
    const update = { name: branchRef(repo.default_branch), old: SHA1.zero, new: oid, fastForward: true }
    writing.land((tx, move) => {
      const [result] = move({ actorId: actor.id, message: 'commit (initial): Initial commit', updates: [update], isBeginning: true }) as [RefResult]
      if (!result.ok) throw new Conflict(`Cannot create the first commit: ${result.reason}`)
      noteFilled(context, tx, repo.id)
    })
  })
  await measureRepo(context, repo.id)
}

function namesIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function fail(field: string, name: string, expected: string): never {
  throw unknownTemplate(field, name, expected)
}

/** Of a body's member that names a template there is not; `expected` tells what there is. */
export function unknownTemplate(field: string, name: string, expected: string): Unprocessable {
  return new Unprocessable(`[${field}]: Template "${name.slice(0, 100)}" does not exist. Use ${expected}.`)
}
