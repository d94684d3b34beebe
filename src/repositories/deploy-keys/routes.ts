import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, lineOf, noContent, operation, paging, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { CreateKeyOption } from '#people/keys/index.ts'
import { addDeployKey, deleteDeployKey } from './change-deploy-keys.ts'
import { DeployKey, DeployKeyList, DeployKeysQuery } from './schema.ts'
import { findDeployKey, listDeployKeys } from './store.ts'
import { presentDeployKeys } from './view.ts'

const DeployKeyParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the key') })

/** SSH keys that open one repository. */
export function deployKeys(context: Context) {
  return new Elysia({ name: 'deploy-keys' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/keys',
      async ({ viewer, repo, query, page, total }) => {
        const keyId = query.key_id ? rowIdIn(query.key_id) : undefined
        const found = await listDeployKeys(context.db, lineOf(viewer), repo.row.id, { keyId, fingerprint: query.fingerprint || undefined }, page)
        total(found.total)
        return presentDeployKeys(context, viewer, repo, found.rows)
      },
      {
        repo: 'admin',
        list: true,
        params: RepoParams,
        query: DeployKeysQuery,
        response: { 200: DeployKeyList },
        detail: operation('repoListKeys', "List a repository's keys", 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/keys',
      ({ viewer, repo, body }) => {
        const row = addDeployKey(context, repo.row, { title: body.title, key: body.key, readOnly: body.read_only === true })
        return presentDeployKeys(context, viewer, repo, [row])[0] as Static<typeof DeployKey>
      },
      {
        repo: 'admin',
        params: RepoParams,
        body: CreateKeyOption,
        response: { 201: DeployKey },
        detail: operation('repoCreateKey', 'Add a key to a repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/keys/:id',
      ({ viewer, repo, params }) => {
        const row = findDeployKey(context.db, repo.row.id, rowIdIn(params.id))
        if (!row) throw new NotFound()
        return presentDeployKeys(context, viewer, repo, [row])[0] as Static<typeof DeployKey>
      },
      { repo: 'admin', params: DeployKeyParams, response: { 200: DeployKey }, detail: operation('repoGetKey', "Get a repository's key by id", 'repository') },
    )
    .delete('/repos/:owner/:repo/keys/:id', ({ repo, params }) => deleteDeployKey(context, repo.row, rowIdIn(params.id)), {
      repo: 'admin',
      params: DeployKeyParams,
      response: noContent,
      detail: operation('repoDeleteKey', 'Delete a key from a repository', 'repository'),
    })
}
