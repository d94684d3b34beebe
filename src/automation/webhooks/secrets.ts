import type { Context } from '#context.ts'
import { isSealed } from '#kernel/secret-box.ts'
import { rowsWithSecrets, updateHook, type WebhookRow } from './store.ts'

const PURPOSE = 'webhook'

/** What a hook's deliveries are signed and authorized with; empty: they are not. */
export interface HookSecrets {
  secret: string
  authorization: string
}

/** As columns: encrypted. */
export function sealSecrets({ secrets }: Pick<Context, 'secrets'>, plain: Partial<HookSecrets>): Partial<HookSecrets> {
  return Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, secrets.seal(text, PURPOSE)]))
}

/** @throws SecretLost when the key is gone that they were encrypted under */
export function openSecrets({ secrets }: Pick<Context, 'secrets'>, { secret, authorization }: Pick<WebhookRow, keyof HookSecrets>): HookSecrets {
  return { secret: secrets.open(secret, PURPOSE), authorization: secrets.open(authorization, PURPOSE) }
}

/** Encrypts what an earlier version stored as it was, and tells of what cannot be read any more. */
export async function protectSecrets(context: Pick<Context, 'db' | 'secrets' | 'log'>): Promise<void> {
  context.secrets.prepare()
  let lost = 0
  for (const { id, secret, authorization } of rowsWithSecrets(context.db)) {
    const plain = Object.fromEntries(Object.entries({ secret, authorization }).filter(([, text]) => text !== '' && !isSealed(text)))
    if (Object.keys(plain).length > 0) context.db.tx((tx) => updateHook(tx, id, sealSecrets(context, plain)))
    if ([secret, authorization].some((text) => isSealed(text) && !context.secrets.holdsKeyOf(text))) lost++
  }
  if (lost === 0) return
  const remedy = 'Add the lost key as a further line to that file, or set these secrets anew.'
  context.log.error(`the secrets of ${lost} webhooks were encrypted under a key that is not in ${context.secrets.path}. ${remedy}`)
}
