import { Elysia, t } from 'elysia'
import { gate, getRepo, noContent, operation, RepoParams, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { FlagList, FlagName, ReplaceFlagsOption } from './schema.ts'
import { countFlags, hasFlag, listFlags, putFlag, removeFlag, removeFlags } from './store.ts'

const MAX_FLAGS = 100

/** Marks on repositories that only site administrators see and set, as Forgejo has them. */
export function flags(context: Context) {
  const idOf = ({ viewer, params, request }: { viewer: Viewer; params: { owner: string; repo: string }; request: Request }) =>
    getRepo(context.db, viewer, params, request).row.id
  const FlagParams = t.Object({ ...RepoParams.properties, flag: t.String({ description: 'Name of the flag' }) })
  return new Elysia({ name: 'flags' })
    .use(gate(context))
    .get('/repos/:owner/:repo/flags', (asked) => listFlags(context.db, idOf(asked)), {
      siteAdmin: 'repository',
      params: RepoParams,
      response: { 200: FlagList },
      detail: operation('repoListFlags', "List a repository's flags", 'repository'),
    })
    .put(
      '/repos/:owner/:repo/flags',
      ({ body, ...asked }) => {
        const id = idOf(asked)
        context.db.tx((tx) => {
          removeFlags(tx, id)
          for (const name of body.flags ?? []) putFlag(tx, id, name)
        })
      },
      {
        siteAdmin: 'repository',
        params: RepoParams,
        body: ReplaceFlagsOption,
        response: noContent,
        detail: operation('repoReplaceAllFlags', 'Replace all flags of a repository', 'repository'),
      },
    )
    .delete(
      '/repos/:owner/:repo/flags',
      (asked) => {
        const id = idOf(asked)
        context.db.tx((tx) => removeFlags(tx, id))
      },
      {
        siteAdmin: 'repository',
        params: RepoParams,
        response: noContent,
        detail: operation('repoDeleteAllFlags', 'Remove all flags from a repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/flags/:flag',
      (asked) => {
        if (!hasFlag(context.db, idOf(asked), asked.params.flag)) throw new NotFound()
      },
      {
        siteAdmin: 'repository',
        params: FlagParams,
        response: noContent,
        detail: operation('repoCheckFlag', 'Check if a repository has a given flag', 'repository'),
      },
    )
    .put(
      '/repos/:owner/:repo/flags/:flag',
      (asked) => {
        const id = idOf(asked)
        context.db.tx((tx) => {
          putFlag(tx, id, asked.params.flag)
          if (countFlags(tx, id) > MAX_FLAGS) throw new Unprocessable(`[Flag]: Cannot add a flag: the repository already has the maximum of ${MAX_FLAGS} flags`)
        })
      },
      {
        siteAdmin: 'repository',
        params: t.Object({ ...RepoParams.properties, flag: FlagName }),
        response: noContent,
        detail: operation('repoAddFlag', 'Add a flag to a repository', 'repository'),
      },
    )
    .delete(
      '/repos/:owner/:repo/flags/:flag',
      (asked) => {
        const id = idOf(asked)
        context.db.tx((tx) => removeFlag(tx, id, asked.params.flag))
      },
      {
        siteAdmin: 'repository',
        params: FlagParams,
        response: noContent,
        detail: operation('repoDeleteFlag', 'Remove a flag from a repository', 'repository'),
      },
    )
}
