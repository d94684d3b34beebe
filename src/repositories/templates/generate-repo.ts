import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { accessStore, type Member, type RepoAccess, type RepoRow, refuseHiding, refuseMaking, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { publishPacks } from '#git/packs/write/publish.ts'
import { branchRef } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import { Conflict, NotFound } from '#kernel/errors.ts'
import { copyAvatar } from '#people/avatars/index.ts'
import { gitIdentity } from '#people/users/index.ts'
import { copyLabels } from '#repositories/labels/index.ts'
import { discard, findRef, getState, markExact, markInexact, quarantineName, type RefResult, writeObjects } from '#repositories/refs/index.ts'
import { awaitRepo, createRepo, measureRepo, type NewRepository, noteFilled, undoUnfilled } from '#repositories/repos/index.ts'
import { copyTopics } from '#repositories/topics/index.ts'
import { TemplateParts } from './hooks.ts'
import { getOwner, getTemplate, requireItem } from './rules.ts'
import type { GenerateRepoOption } from './schema.ts'
import { templateVariables } from './variables.ts'

/** Names the files in which variables are filled in. */
const RULES = '.gitea/template'

export interface Generation {
  viewer: Member
  template: RepoAccess
  body: GenerateRepoOption
}

/** The template's files, packed for the new repository. */
interface Content {
  tree: Oid
  packs: string[]
}

/**
 * Makes a repository from a template: what is asked for of it, its files in one first commit by who asks. Of the template's history nothing comes
 * along, nor does anything that its default branch does not show.
 * @throws Unprocessable, Forbidden and NotFound as the rules do; Conflict when there is one of this name; GitError as `fillTemplate` does
 */
export async function generateRepo(context: Context, asked: Generation): Promise<RepoRow> {
  const { viewer, body, template } = asked
  requireItem(body)
  refuseHiding(viewer, body.private === true)
  refuseMaking(viewer)
  getTemplate(context.db, viewer, template, body)
  const owner = getOwner(context.db, viewer, body.owner)
  const repo = body.git_content ? await withContent(context, asked, owner) : makeRepo(context, asked, owner, undefined)
  if (body.avatar) await copyAvatar(context, { table: 'repository', id: template.row.id }, { table: 'repository', id: repo.id })
  const made = accessStore.findRepoById(context.db, repo.id)
  if (!made) throw new NotFound()
  return made
}

async function withContent(context: Context, asked: Generation, owner: UserRow): Promise<RepoRow> {
  const { id } = asked.template.row
  const quarantine = join(context.git.pathOf(id), 'objects', quarantineName('fork'))
  // Upkeep takes nothing away meanwhile.
  const leave = await context.pushes.share(id)
  try {
    const content = await packContent(context, asked.template.row, quarantine)
    const repo = makeRepo(context, asked, owner, content)
    if (content) await commitContent(context, asked, { repo, owner, tree: content.tree })
    return repo
  } finally {
    leave()
    await discard(context, quarantine)
  }
}

/** Undefined for a template without a commit. */
async function packContent(context: Pick<Context, 'db' | 'git'>, template: RepoRow, quarantine: string): Promise<Content | undefined> {
  const tip = findRef(context.db, template.id, branchRef(template.default_branch))
  if (!tip) return undefined
  const { tree } = await context.git.look('links', template.id, { oid: tip.oid })
  if (tree === SHA1.emptyTree) return { tree, packs: [] }
  mkdirSync(quarantine)
  return { tree, packs: await context.git.run('packReachable', template.id, { tips: [tree], quarantine }) }
}

function makeRepo(context: Context, asked: Generation, owner: UserRow, content: Content | undefined): RepoRow {
  using coming = content && content.packs.length > 0 ? awaitRepo(context) : undefined
  return context.db.tx((tx) => {
    const repo = insertRepo(context, tx, asked, owner, { id: coming?.id, awaitsContent: content !== undefined })
    if (!content) {
      copyParts(context, tx, asked, repo.id)
      return repo
    }
    // Until the commit is there no ref reaches them.
    markInexact(tx, repo.id)
    publishPacks(content.packs, join(context.git.pathOf(repo.id), 'objects', 'pack'))
    return repo
  })
}

/** Rights are asked on rows read in the transaction. */
function insertRepo(
  context: Context,
  tx: Tx,
  { viewer, template: seen, body }: Generation,
  { name }: UserRow,
  more: Pick<NewRepository, 'id' | 'awaitsContent'>,
): RepoRow {
  const template = getTemplate(tx, viewer, seen, body).row
  const repo = createRepo(context, {
    owner: getOwner(tx, viewer, name),
    actor: viewer.user,
    name: body.name,
    private: body.private ?? false,
    description: body.description,
    defaultBranch: body.default_branch || template.default_branch,
    ...more,
  })
  return repo
}

/** All but the files, and after them: rules about branches are not for the commit that the repository begins with. */
function copyParts(context: Pick<Context, 'services' | 'clock'>, tx: Tx, { viewer, template: seen, body }: Generation, repoId: number): void {
  const { id } = getTemplate(tx, viewer, seen, body).row
  const now = context.clock.seconds()
  if (body.topics) copyTopics(tx, id, repoId)
  if (body.labels) copyLabels(tx, id, repoId, now)
  for (const [field, copy] of context.services.get(TemplateParts).all) {
    if (body[field]) copy(tx, id, repoId, viewer.user.id, now)
  }
}

async function commitContent(context: Context, asked: Generation, made: { repo: RepoRow; owner: UserRow; tree: Oid }): Promise<void> {
  const { viewer, template } = asked
  const { repo, owner, tree } = made
  const terms = { rulesPath: RULES, variables: templateVariables(context, { row: repo, owner }, template) }
  const message = 'Initial commit'
  try {
    await writeObjects(context, repo.id, async (writing) => {
      const { oid, isFilled } = await writing.make('templateCommit', { tree, terms, who: gitIdentity(context, viewer.user), message })
      const update = { name: branchRef(repo.default_branch), old: SHA1.zero, new: oid, fastForward: true }
      writing.land((tx, move) => {
        const [result] = move({ actorId: viewer.user.id, message: `commit (initial): ${message}`, updates: [update], isBeginning: true }) as [RefResult]
        if (!result.ok) throw new Conflict(`Cannot create the first commit: ${result.reason}`)
        copyParts(context, tx, asked, repo.id)
        noteFilled(context, tx, repo.id)
        if (!isFilled) markExact(tx, repo.id, getState(tx, repo.id).version)
      })
    })
  } catch (error) {
    undoUnfilled(context, { actor: viewer.user, owner, repo })
    throw error
  }
  await measureRepo(context, repo.id)
}
