import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, PageQuery, PersonParams, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { addGpgKey, deleteGpgKey, verifyGpgKey } from './change-keys.ts'
import { CreateGPGKeyOption, GPGKey, GPGKeyList, VerifyGPGKeyOption } from './schema.ts'
import { signingKeys } from './signing-key-routes.ts'
import { findGpgKey, listGpgKeys } from './store.ts'
import { verificationToken } from './token.ts'
import { presentGpgKey, presentGpgKeys } from './view.ts'

const KeyParams = t.Object({ id: IdText('ID of the key') })

/** People's OpenPGP keys, by which their commits are verified. */
export function gpgKeys(context: Context) {
  return new Elysia({ name: 'gpg' })
    .use(gate(context))
    .use(paging(context))
    .use(signingKeys(context))
    .get(
      '/user/gpg_keys',
      async ({ viewer, page, total }) => {
        const found = await listGpgKeys(context.db, viewer, viewer.user.id, page)
        total(found.total)
        return presentGpgKeys(context, viewer, viewer.user, found.rows)
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: GPGKeyList },
        detail: operation('userCurrentListGPGKeys', "List the authenticated user's GPG keys", 'user'),
      },
    )
    .post(
      '/user/gpg_keys',
      async ({ viewer, body }) => {
        const row = await addGpgKey(context, viewer.user, { armored: body.armored_public_key, signature: body.armored_signature ?? '' })
        return presentGpgKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', body: CreateGPGKeyOption, response: { 201: GPGKey }, detail: operation('userCurrentPostGPGKey', 'Create a GPG key', 'user') },
    )
    .get(
      '/user/gpg_keys/:id',
      ({ viewer, params }) => {
        const row = findGpgKey(context.db, viewer.user.id, rowIdIn(params.id))
        if (!row) throw new NotFound()
        return presentGpgKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', params: KeyParams, response: { 200: GPGKey }, detail: operation('userCurrentGetGPGKey', 'Get a GPG key', 'user') },
    )
    .delete('/user/gpg_keys/:id', ({ viewer, params }) => deleteGpgKey(context, viewer.user, rowIdIn(params.id)), {
      signedIn: 'user',
      params: KeyParams,
      response: noContent,
      detail: operation('userCurrentDeleteGPGKey', 'Remove a GPG key', 'user'),
    })
    .get(
      '/user/gpg_key_token',
      ({ viewer, set }) => {
        set.headers['content-type'] = 'text/plain; charset=utf-8'
        return verificationToken(viewer.user, context.clock.seconds())
      },
      {
        signedIn: 'user',
        response: { 200: t.String() },
        detail: { ...operation('getVerificationToken', 'Get a Token to verify', 'user'), produces: ['text/plain'] },
      },
    )
    .post(
      '/user/gpg_key_verify',
      async ({ viewer, body }) => {
        const row = await verifyGpgKey(context, viewer.user, body.key_id, body.armored_signature)
        return presentGpgKey(context, viewer, viewer.user, row)
      },
      { signedIn: 'user', body: VerifyGPGKeyOption, response: { 201: GPGKey }, detail: operation('userVerifyGPGKey', 'Verify a GPG key', 'user') },
    )
    .get(
      '/users/:username/gpg_keys',
      async ({ viewer, person, page, total }) => {
        const found = await listGpgKeys(context.db, viewer, person.id, page)
        total(found.total)
        return presentGpgKeys(context, viewer, person, found.rows)
      },
      {
        person: 'visible',
        list: true,
        params: PersonParams,
        query: PageQuery,
        response: { 200: GPGKeyList },
        detail: operation('userListGPGKeys', "List the given user's GPG keys", 'user'),
      },
    )
}
