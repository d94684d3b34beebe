import { accessStore, type Member, type RepoRow, recheckAccount, refuseHiding, refuseMaking, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { findLabelTemplate, type LabelTemplate, labelTemplateNames } from '#repositories/labels/index.ts'
import { commitInitialFiles, initialFiles, unknownTemplate } from './auto-init.ts'
import { createRepo } from './create-repo.ts'
import type { CreateRepoOption } from './schema.ts'
import { undoUnfilled } from './unfilled.ts'

/**
 * Creates the repository that a CreateRepoOption describes, with its first commit when `auto_init` asks for one.
 * @throws Unprocessable on names, templates or formats that cannot be used; Conflict when the name is taken;
 * Forbidden when the viewer's token could not see it; Unauthorized or NotFound when the viewer, the owner or the repository goes meanwhile
 */
export async function createFromBody(context: Context, asked: { owner: UserRow; viewer: Member; body: CreateRepoOption }): Promise<RepoRow> {
  const { owner, viewer, body } = asked
  const actor = viewer.user
  const isPrivate = body.private ?? context.config.repository.DEFAULT_PRIVATE === 'private'
  refuseHiding(viewer, isPrivate)
  refuseMaking(viewer)
  if (body.object_format_name === 'sha256') throw new Unprocessable('[ObjectFormatName]: sha256 is not supported. Use sha1.')
  const labels = labelsIn(body)
  const files = await initialFiles(body, owner, new Date(context.clock.millis()).getUTCFullYear())
  recheckAccount(context.db, actor)
  const repo = createRepo(context, {
    owner,
    actor,
    name: body.name,
    private: isPrivate,
    description: body.description,
    template: body.template,
    defaultBranch: body.default_branch,
    trustModel: body.trust_model || undefined,
    labels,
    awaitsContent: body.auto_init,
  })
  if (!body.auto_init) return repo
  try {
    await commitInitialFiles(context, repo, actor, files)
  } catch (error) {
    if (accessStore.findRepoById(context.db, repo.id)) {
      undoUnfilled(context, { actor, owner, repo })
      throw error
    }
  }
  const made = accessStore.findRepoById(context.db, repo.id)
  if (made) return made
  // Somebody deleted it meanwhile; the commit may have been written after its directory had gone.
  context.git.clear(repo.id)
  throw new NotFound()
}

/** @throws Unprocessable when there is no such template */
function labelsIn({ issue_labels: name }: CreateRepoOption): readonly LabelTemplate[] {
  if (!name) return []
  const found = findLabelTemplate(name)
  if (!found) throw unknownTemplate('IssueLabels', name, labelTemplateNames.join(' or '))
  return found
}
