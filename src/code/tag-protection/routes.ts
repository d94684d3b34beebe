import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { addTagProtection, deleteTagProtection, editTagProtection, get } from './change-protections.ts'
import { CreateTagProtectionOption, EditTagProtectionOption, TagProtection, TagProtectionList } from './schema.ts'
import { listTagProtections, type TagProtectionRow } from './store.ts'
import { presentTagProtection } from './view.ts'

const ProtectionParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the tag protection') })

/** Who may make, move and delete which tags. */
export function tagProtection(context: Context) {
  const present = (row: TagProtectionRow) => presentTagProtection(context.db, row)
  return new Elysia({ name: 'tag-protection' })
    .use(gate(context))
    .get('/repos/:owner/:repo/tag_protections', ({ repo }) => listTagProtections(context.db, repo.row.id).map(present), {
      repo: 'admin',
      params: RepoParams,
      response: { 200: TagProtectionList },
      detail: operation('repoListTagProtection', 'List tag protections for a repository', 'repository'),
    })
    .post('/repos/:owner/:repo/tag_protections', ({ viewer, repo, body }) => present(addTagProtection(context, viewer, repo, body)), {
      repo: 'admin',
      params: RepoParams,
      body: CreateTagProtectionOption,
      response: { 201: TagProtection },
      detail: operation('repoCreateTagProtection', 'Create a tag protection for a repository', 'repository'),
    })
    .get('/repos/:owner/:repo/tag_protections/:id', ({ repo, params }) => present(get(context.db, repo, rowIdIn(params.id))), {
      repo: 'admin',
      params: ProtectionParams,
      response: { 200: TagProtection },
      detail: operation('repoGetTagProtection', 'Get a specific tag protection for the repository', 'repository'),
    })
    .patch(
      '/repos/:owner/:repo/tag_protections/:id',
      ({ viewer, repo, params, body }) => present(editTagProtection(context, viewer, repo, rowIdIn(params.id), body)),
      {
        repo: 'admin',
        params: ProtectionParams,
        body: EditTagProtectionOption,
        response: { 200: TagProtection },
        detail: operation('repoEditTagProtection', 'Edit a tag protection for a repository. Only fields that are set will be changed', 'repository'),
      },
    )
    .delete('/repos/:owner/:repo/tag_protections/:id', ({ repo, params }) => deleteTagProtection(context, repo, rowIdIn(params.id)), {
      repo: 'admin',
      params: ProtectionParams,
      response: noContent,
      detail: operation('repoDeleteTagProtection', 'Delete a specific tag protection for the repository', 'repository'),
    })
}
