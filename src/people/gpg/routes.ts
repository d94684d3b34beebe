import { Elysia, t } from 'elysia'
import { gate, IdText, PageQuery, PersonParams, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { addGpgKey, deleteGpgKey, verifyGpgKey } from './change-keys.ts'
import { CreateGPGKeyOption, GPGKey, GPGKeyList, VerifyGPGKeyOption } from './schema.ts'
import { signingKeys } from './signing-key-routes.ts'
import { findGpgKey, listGpgKeys } from './store.ts'
import { verificationToken } from './token.ts'
import { presentGpgKey, presentGpgKeys } from './view.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['user'] })
const KeyParams = t.Object({ id: IdText('id of the key') })

/** People's OpenPGP keys, by which their commits are verified. */
export function gpgKeys(context: Context) {
  return new Elysia({ name: 'gpg' })
    .use(gate(context))
    .use(paging(context))
    .use(signingKeys(context))
    .get(
      '/user/gpg_keys',
      ({ viewer, page, total }) => {
        const found = listGpgKeys(context.db, viewer.user.id, page)
        total(found.total)
        return presentGpgKeys(context, viewer, viewer.user, found.rows)
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: GPGKeyList },
        detail: detail('userCurrentListGPGKeys', "List the authenticated user's GPG keys"),
      },
    )
    .post(
      '/user/gpg_keys',
      async ({ viewer, body, set }) => {
        const row = await addGpgKey(context, viewer.user, { armored: body.armored_public_key, signature: body.armored_signature ?? '' })
        set.status = 201
        return presentGpgKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', body: CreateGPGKeyOption, response: { 201: GPGKey }, detail: detail('userCurrentPostGPGKey', 'Create a GPG key') },
    )
    .get(
      '/user/gpg_keys/:id',
      ({ viewer, params }) => {
        const row = findGpgKey(context.db, viewer.user.id, rowIdIn(params.id))
        if (!row) throw new NotFound()
        return presentGpgKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', params: KeyParams, response: { 200: GPGKey }, detail: detail('userCurrentGetGPGKey', 'Get a GPG key') },
    )
    .delete(
      '/user/gpg_keys/:id',
      ({ viewer, params, set }) => {
        deleteGpgKey(context, viewer.user, rowIdIn(params.id))
        set.status = 204
      },
      { signedIn: 'user', params: KeyParams, response: { 204: t.Void() }, detail: detail('userCurrentDeleteGPGKey', 'Remove a GPG key') },
    )
    .get(
      '/user/gpg_key_token',
      ({ viewer, set }) => {
        set.headers['content-type'] = 'text/plain; charset=utf-8'
        return verificationToken(viewer.user, context.clock.seconds())
      },
      { signedIn: 'user', response: { 200: t.String() }, detail: detail('getVerificationToken', 'Get a Token to verify') },
    )
    .post(
      '/user/gpg_key_verify',
      async ({ viewer, body, set }) => {
        const row = await verifyGpgKey(context, viewer.user, body.key_id, body.armored_signature)
        set.status = 201
        return presentGpgKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', body: VerifyGPGKeyOption, response: { 201: GPGKey }, detail: detail('userVerifyGPGKey', 'Verify a GPG key') },
    )
    .get(
      '/users/:username/gpg_keys',
      ({ viewer, person, page, total }) => {
        const found = listGpgKeys(context.db, person.id, page)
        total(found.total)
        return presentGpgKeys(context, viewer, person, found.rows)
      },
      {
        person: 'visible',
        list: true,
        params: PersonParams,
        query: PageQuery,
        response: { 200: GPGKeyList },
        detail: detail('userListGPGKeys', "List the given user's GPG keys"),
      },
    )
}
