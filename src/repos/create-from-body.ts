import type { RepoRow, UserRow } from '../access/index.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { Unprocessable } from '../kernel/errors.ts'
import { createRepo } from './create-repo.ts'
import type { CreateRepoOption } from './schema.ts'

/**
 * Creates the repository that a CreateRepoOption describes.
 * @throws Unprocessable on names, templates or formats that cannot be used; Conflict when the name is taken
 */
export async function createFromBody(context: Context, asked: { owner: UserRow; actor: UserRow; body: CreateRepoOption }): Promise<RepoRow> {
  const { owner, actor, body } = asked
  if (body.object_format_name === 'sha256') throw new Unprocessable('[ObjectFormatName]: sha256 is not supported yet; sha1 is')
  return createRepo(context, {
    owner,
    actor,
    name: body.name,
    private: body.private ?? isPrivateByDefault(context.config),
    description: body.description,
    template: body.template,
    defaultBranch: body.default_branch,
    trustModel: body.trust_model,
  })
}

function isPrivateByDefault(config: Config): boolean {
  return config.repository.DEFAULT_PRIVATE === 'private'
}
