import { Elysia, t } from 'elysia'
import { gate, noContent, operation, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { decodePath } from '#kernel/http.ts'
import { getCommitByRef } from '#repositories/refs/index.ts'
import { changeNote, readNote } from './notes.ts'
import { presentOne } from './present-commits.ts'
import { DetailsQuery, Note, NoteOptions } from './schema.ts'

const params = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'sha', description: 'a git ref or commit sha' }) })

/** Notes of commits, as `git notes` keeps them; writing them is Forgejo's. */
export function noteRoutes(context: Context) {
  const commitOf = (repo: RepoAccess, raw: string) => getCommitByRef(context, repo.row, decodePath(raw))
  const present = async (viewer: Viewer, repo: RepoAccess, of: Oid, query: DetailsQuery) => {
    const note = await readNote(context, repo, of)
    return { message: note.message, commit: await presentOne(context, viewer, repo, note.commit, query) }
  }
  return new Elysia({ name: 'notes' })
    .use(gate(context))
    .get('/repos/:owner/:repo/git/notes/*', async ({ viewer, repo, params, query }) => present(viewer, repo, await commitOf(repo, params['*']), query), {
      repo: 'code:read',
      params,
      query: DetailsQuery,
      response: { 200: Note },
      detail: operation('repoGetNote', 'Get a note corresponding to a single commit from a repository', 'repository'),
    })
    .post(
      '/repos/:owner/:repo/git/notes/*',
      async ({ viewer, repo, params, body }) => {
        const of = await commitOf(repo, params['*'])
        await changeNote(context, requireUser(viewer), repo, of, body.message)
        return present(viewer, repo, of, {})
      },
      {
        repo: 'code:write',
        params,
        bodyLimit: context.config.api.MAX_BODY_SIZE,
        body: NoteOptions,
        response: { 200: Note },
        detail: { ...operation('repoSetNote', 'Set a note corresponding to a single commit from a repository', 'repository'), errors: [409] },
      },
    )
    .delete(
      '/repos/:owner/:repo/git/notes/*',
      async ({ viewer, repo, params }) => changeNote(context, requireUser(viewer), repo, await commitOf(repo, params['*']), undefined),
      {
        repo: 'code:write',
        params,
        response: noContent,
        detail: { ...operation('repoRemoveNote', 'Removes a note corresponding to a single commit from a repository', 'repository'), errors: [409] },
      },
    )
}
