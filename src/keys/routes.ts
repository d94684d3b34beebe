import { Elysia, t } from 'elysia'
import { gate, type UserRow } from '../access/index.ts'
import type { Context } from '../context.ts'
import { NotFound } from '../kernel/errors.ts'
import { rowIdIn } from '../kernel/ids.ts'
import { paging } from '../paging.ts'
import { RepoParams } from '../repos/index.ts'
import { addDeployKey, deleteDeployKey } from './deploy-keys.ts'
import { CreateKeyOption, DeployKey, DeployKeyList, DeployKeysQuery, PublicKey, PublicKeyList, PublicKeysQuery } from './schema.ts'
import { findDeployKey, findPublicKey, listDeployKeys, listPublicKeys } from './store.ts'
import { addPublicKey, deletePublicKey } from './user-keys.ts'
import { presentDeployKeys, presentPublicKey, presentPublicKeys } from './view.ts'

const detail = (operationId: string, summary: string, tag: string) => ({ operationId, summary, tags: [tag] })
const KeyId = t.String({ documentedAs: 'integer', description: 'id of the key' })
const KeyParams = t.Object({ id: KeyId })
const DeployKeyParams = t.Object({ ...RepoParams.properties, id: KeyId })

/** SSH keys: people's, and those that open one repository. */
export function keys(context: Context) {
  return new Elysia({ name: 'keys' }).use(userKeys(context)).use(deployKeys(context))
}

function userKeys(context: Context) {
  const getOwn = (owner: UserRow, id: string) => {
    const row = findPublicKey(context.db, owner.id, rowIdIn(id))
    if (!row) throw new NotFound()
    return row
  }
  return new Elysia({ name: 'keys.user' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/keys',
      ({ viewer, query, page, total }) => {
        const found = listPublicKeys(context.db, viewer.user.id, query.fingerprint || undefined, page)
        total(found.total)
        return presentPublicKeys(context, viewer, viewer.user, found.rows)
      },
      {
        signedIn: 'user',
        list: true,
        query: PublicKeysQuery,
        response: { 200: PublicKeyList },
        detail: detail('userCurrentListKeys', "List the authenticated user's public keys", 'user'),
      },
    )
    .post(
      '/user/keys',
      ({ viewer, body, set }) => {
        const row = addPublicKey(context, viewer.user, { title: body.title, key: body.key, readOnly: body.read_only === true })
        set.status = 201
        return presentPublicKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', body: CreateKeyOption, response: { 201: PublicKey }, detail: detail('userCurrentPostKey', 'Create a public key', 'user') },
    )
    .get('/user/keys/:id', ({ viewer, params }) => presentPublicKey(context, viewer, viewer.user, getOwn(viewer.user, params.id)), {
      signedIn: 'user',
      params: KeyParams,
      response: { 200: PublicKey },
      detail: detail('userCurrentGetKey', 'Get a public key', 'user'),
    })
    .delete(
      '/user/keys/:id',
      ({ viewer, params, set }) => {
        deletePublicKey(context, viewer.user, rowIdIn(params.id))
        set.status = 204
      },
      { signedIn: 'user', params: KeyParams, response: { 204: t.Void() }, detail: detail('userCurrentDeleteKey', 'Delete a public key', 'user') },
    )
    .get(
      '/users/:username/keys',
      ({ viewer, person, query, page, total }) => {
        const found = listPublicKeys(context.db, person.id, query.fingerprint || undefined, page)
        total(found.total)
        return presentPublicKeys(context, viewer, person, found.rows)
      },
      {
        person: 'visible',
        list: true,
        params: t.Object({ username: t.String({ description: 'username of the user' }) }),
        query: PublicKeysQuery,
        response: { 200: PublicKeyList },
        detail: detail('userListKeys', "List the given user's public keys", 'user'),
      },
    )
}

function deployKeys(context: Context) {
  return new Elysia({ name: 'keys.deploy' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/keys',
      ({ viewer, repo, query, page, total }) => {
        const keyId = query.key_id ? rowIdIn(query.key_id) : undefined
        const found = listDeployKeys(context.db, repo.row.id, { keyId, fingerprint: query.fingerprint || undefined }, page)
        total(found.total)
        return presentDeployKeys(context, viewer, repo, found.rows)
      },
      {
        repo: 'admin',
        list: true,
        params: RepoParams,
        query: DeployKeysQuery,
        response: { 200: DeployKeyList },
        detail: detail('repoListKeys', "List a repository's keys", 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/keys',
      ({ viewer, repo, body, set }) => {
        const row = addDeployKey(context, repo.row, { title: body.title, key: body.key, readOnly: body.read_only === true })
        set.status = 201
        return presentDeployKeys(context, viewer, repo, [row])[0]
      },
      {
        repo: 'admin',
        params: RepoParams,
        body: CreateKeyOption,
        response: { 201: DeployKey },
        detail: detail('repoCreateKey', 'Add a key to a repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/keys/:id',
      ({ viewer, repo, params }) => {
        const row = findDeployKey(context.db, repo.row.id, rowIdIn(params.id))
        if (!row) throw new NotFound()
        return presentDeployKeys(context, viewer, repo, [row])[0]
      },
      { repo: 'admin', params: DeployKeyParams, response: { 200: DeployKey }, detail: detail('repoGetKey', "Get a repository's key by id", 'repository') },
    )
    .delete(
      '/repos/:owner/:repo/keys/:id',
      ({ repo, params, set }) => {
        deleteDeployKey(context, repo.row, rowIdIn(params.id))
        set.status = 204
      },
      { repo: 'admin', params: DeployKeyParams, response: { 204: t.Void() }, detail: detail('repoDeleteKey', 'Delete a key from a repository', 'repository') },
    )
}
