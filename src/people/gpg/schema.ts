import { type TSchema, Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { Int, Time } from '#kernel/schema.ts'

export const GPGKeyEmail = t.Object({ email: t.String(), verified: t.Boolean() }, { $id: 'GPGKeyEmail' })

export const GPGKey = Type.Recursive(
  (subkey: TSchema) =>
    t.Object({
      id: Int(),
      primary_key_id: t.String({ description: 'key id of the primary key, for a subkey' }),
      key_id: t.String(),
      public_key: t.String({ description: 'the public key packet in base64' }),
      emails: t.Union([t.Array(GPGKeyEmail), t.Null()]),
      subkeys: t.Union([t.Array(subkey), t.Null()]),
      can_sign: t.Boolean(),
      can_encrypt_comms: t.Boolean(),
      can_encrypt_storage: t.Boolean(),
      can_certify: t.Boolean(),
      verified: t.Boolean({ description: 'whether the account proved ownership by signing a token' }),
      created_at: Time,
      expires_at: Time,
    }),
  { $id: 'GPGKey' },
)
export type GPGKey = Static<typeof GPGKey>
export const GPGKeyList = t.Array(GPGKey, { $id: 'GPGKeyList' })

const tooLong = 'the limit is 65536 characters; export without third-party signatures: "gpg --armor --export-options export-minimal --export"'

export const ArmoredSignature = t.String({ maxLength: 16_384 })

export const CreateGPGKeyOption = t.Object(
  {
    armored_public_key: t.String({ minLength: 1, maxLength: 65_536, error: tooLong }),
    armored_signature: t.Optional(ArmoredSignature),
  },
  { $id: 'CreateGPGKeyOption' },
)

export const VerifyGPGKeyOption = t.Object(
  { key_id: t.String({ minLength: 1, maxLength: 16, description: 'ID of the key to verify' }), armored_signature: ArmoredSignature },
  { $id: 'VerifyGPGKeyOption' },
)

/** Text; nothing is ever answered. */
export const SigningKey = { 200: t.String({ description: 'the public key' }) }
