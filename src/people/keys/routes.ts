import { Elysia, t } from 'elysia'
import { accessStore, gate, IdText, isSiteAdmin, lineOf, type Member, noContent, operation, PersonParams, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { principals } from './principal-routes.ts'
import { CreateKeyOption, PublicKey, PublicKeyList, PublicKeysQuery } from './schema.ts'
import { findKeyOfAnyone, findPublicKey, listPublicKeys } from './store.ts'
import { addPublicKey, deletePublicKey } from './user-keys.ts'
import { presentPublicKey, presentPublicKeys } from './view.ts'

const KeyId = IdText('ID of the key')
const KeyParams = t.Object({ id: KeyId })

/** People's SSH keys. */
export function keys(context: Context) {
  /** One's own key, or to site administrators anybody's. */
  const presentReachable = (viewer: Member, id: number) => {
    const row = isSiteAdmin(viewer) ? findKeyOfAnyone(context.db, id) : findPublicKey(context.db, viewer.user.id, id)
    const owner = row?.user_id ? accessStore.findUserById(context.db, row.user_id) : undefined
    if (!row || !owner) throw new NotFound()
    return presentPublicKey(context, viewer, owner, row)
  }
  return new Elysia({ name: 'keys' })
    .use(gate(context))
    .use(paging(context))
    .use(principals(context))
    .get(
      '/user/keys',
      async ({ viewer, query, page, total }) => {
        const found = await listPublicKeys(context.db, lineOf(viewer), viewer.user.id, query.fingerprint || undefined, page)
        total(found.total)
        return presentPublicKeys(context, viewer, viewer.user, found.rows)
      },
      {
        signedIn: 'user',
        list: true,
        query: PublicKeysQuery,
        response: { 200: PublicKeyList },
        detail: operation('userCurrentListKeys', "List the authenticated user's public keys", 'user'),
      },
    )
    .post(
      '/user/keys',
      ({ viewer, body }) => {
        const row = addPublicKey(context, viewer.user, { title: body.title, key: body.key, readOnly: body.read_only === true })
        return presentPublicKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', body: CreateKeyOption, response: { 201: PublicKey }, detail: operation('userCurrentPostKey', 'Create a public key', 'user') },
    )
    .get('/user/keys/:id', ({ viewer, params }) => presentReachable(viewer, rowIdIn(params.id)), {
      signedIn: 'user',
      params: KeyParams,
      response: { 200: PublicKey },
      detail: operation('userCurrentGetKey', 'Get a public key', 'user'),
    })
    .delete('/user/keys/:id', ({ viewer, params }) => deletePublicKey(context, viewer.user, rowIdIn(params.id)), {
      signedIn: 'user',
      params: KeyParams,
      response: noContent,
      detail: operation('userCurrentDeleteKey', 'Delete a public key', 'user'),
    })
    .get(
      '/users/:username/keys',
      async ({ viewer, person, query, page, total }) => {
        const found = await listPublicKeys(context.db, lineOf(viewer), person.id, query.fingerprint || undefined, page)
        total(found.total)
        return presentPublicKeys(context, viewer, person, found.rows)
      },
      {
        person: 'visible',
        list: true,
        params: PersonParams,
        query: PublicKeysQuery,
        response: { 200: PublicKeyList },
        detail: operation('userListKeys', "List the given user's public keys", 'user'),
      },
    )
}
