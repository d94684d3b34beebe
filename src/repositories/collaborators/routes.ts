import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging, type RepoAccess, RepoParams, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { candidates } from './candidate-routes.ts'
import { removeCollaborator, setCollaborator } from './change-collaborators.ts'
import { collaboratorsKnownTo, findKnownPerson, levelOf, refuseAskingAboutOthers } from './rules.ts'
import { AddCollaboratorOption, RepoCollaboratorPermission } from './schema.ts'
import { isCollaborator, listCollaborators } from './store.ts'

const CollaboratorParams = t.Object({ ...RepoParams.properties, collaborator: t.String({ description: 'Username of the collaborator' }) })

/** Who has a part in a repository; visitors are not told. */
export function collaborators(context: Context) {
  return new Elysia({ name: 'collaborators' }).use(grants(context)).use(candidates(context))
}

function grants(context: Context) {
  return new Elysia({ name: 'collaborators.grants' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/collaborators',
      async ({ viewer, repo, page, total }) => {
        const found = await listCollaborators(context.db, viewer, repo.row.id, collaboratorsKnownTo(requireUser(viewer), repo), page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        repo: 'read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('repoListCollaborators', "List a repository's collaborators", 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/collaborators/:collaborator',
      ({ viewer, repo, params }) => {
        if (!isCollaborator(context.db, repo.row.id, collaboratorsKnownTo(requireUser(viewer), repo), params.collaborator)) throw new NotFound()
      },
      {
        repo: 'read',
        params: CollaboratorParams,
        response: noContent,
        detail: operation('repoCheckCollaborator', 'Check if a user is a collaborator of a repository', 'repository'),
      },
    )
    .put(
      '/repos/:owner/:repo/collaborators/:collaborator',
      ({ viewer, repo, params, body }) => setCollaborator(context.db, viewer, repo, params.collaborator, body.permission ?? 'write'),
      {
        repo: 'admin',
        params: CollaboratorParams,
        body: AddCollaboratorOption,
        response: noContent,
        detail: operation('repoAddCollaborator', 'Add or update a collaborator to a repository', 'repository'),
      },
    )
    .delete('/repos/:owner/:repo/collaborators/:collaborator', ({ viewer, repo, params }) => removeCollaborator(context, viewer, repo, params.collaborator), {
      repo: 'admin',
      params: CollaboratorParams,
      response: noContent,
      detail: operation('repoDeleteCollaborator', 'Delete a collaborator from a repository', 'repository'),
    })
    .get(
      '/repos/:owner/:repo/collaborators/:collaborator/permission',
      ({ viewer, repo, params }) => {
        const person = getAskedAbout(context.db, viewer, repo, params.collaborator)
        const level = levelOf(context.db, repo, person)
        return { permission: level, role_name: level, user: presentUser(context, viewer, person) }
      },
      {
        repo: 'read',
        params: CollaboratorParams,
        response: { 200: RepoCollaboratorPermission },
        detail: operation('repoGetRepoPermissions', 'Get repository permissions for a user', 'repository'),
      },
    )
}

/** @throws Forbidden when the viewer may ask about themselves alone; NotFound when there is no such person */
function getAskedAbout(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow {
  refuseAskingAboutOthers(requireUser(viewer), repo, name)
  const person = findKnownPerson(db, viewer, repo, name)
  if (!person) throw new NotFound(`user does not exist [name: ${name.slice(0, 100)}]`)
  return person
}
