import { Elysia, t } from 'elysia'
import { gate, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath } from '#kernel/http.ts'
import { resolveDefinition } from './resolve-definition.ts'

/** How editors are to treat a file. */
export function editorconfig(context: Context) {
  return new Elysia({ name: 'editorconfig' })
    .use(gate(context))
    .get('/repos/:owner/:repo/editorconfig/*', ({ repo, params, query }) => resolveDefinition(context, repo, decodePath(params['*']), query.ref ?? ''), {
      repo: 'code:read',
      params: t.Object({ ...RepoParams.properties, '*': t.String({ title: 'filepath', description: 'path of the file' }) }),
      query: t.Object({ ref: t.Optional(t.String({ maxLength: 1024, description: 'branch, tag or commit; default: the default branch' })) }),
      response: {
        200: t.Record(t.String(), t.String(), { description: 'values by lowercase name: indent_style, indent_size, tab_width, charset, end_of_line …' }),
      },
      detail: operation('repoGetEditorConfig', 'Get the EditorConfig definitions of a file in a repository', 'repository'),
    })
}
