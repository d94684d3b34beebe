import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { isSealed, SecretLost } from '#kernel/secret-box.ts'
import { listSecretColumns, type SecretColumns, updateHook, type WebhookRow } from './store.ts'

const PURPOSE = 'webhook'
/** Rows that the start looks at in one go. */
const SLICE = 500

/** Where a hook's deliveries go, for chats the only secret there is; and what they are signed and authorized with, empty where they are not. */
export type HookSecrets = Omit<SecretColumns, 'id'>

/** As columns: encrypted. */
export function sealSecrets<Plain extends Partial<HookSecrets>>({ secrets }: Pick<Context, 'secrets'>, plain: Plain): Plain {
  return Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, secrets.seal(text, PURPOSE)])) as Plain
}

/** @throws SecretLost when the key is gone that they were encrypted under */
export function openSecrets({ secrets }: Pick<Context, 'secrets'>, { url, secret, authorization }: HookSecrets): HookSecrets {
  return { url: secrets.open(url, PURPOSE), secret: secrets.open(secret, PURPOSE), authorization: secrets.open(authorization, PURPOSE) }
}

/** Where a hook leads, to be shown; empty when the key is gone: it can be set anew. */
export function addressOf({ secrets }: Pick<Context, 'secrets'>, { url }: Pick<WebhookRow, 'url'>): string {
  try {
    return secrets.open(url, PURPOSE)
  } catch (error) {
    if (error instanceof SecretLost) return ''
    throw error
  }
}

/** Encrypts what an earlier version stored as it was, and tells of what cannot be read any more. */
export async function protectSecrets(context: Pick<Context, 'db' | 'secrets' | 'log'>): Promise<void> {
  context.secrets.prepare()
  let lost = 0
  let rows = listSecretColumns(context.db, 0, SLICE)
  while (rows.length > 0) {
    sealPlain(context, rows)
    lost += rows.filter((row) => textsOf(row).some(([, text]) => isSealed(text) && !context.secrets.holdsKeyOf(text))).length
    if (isDue()) await breathe()
    rows = listSecretColumns(context.db, rows.at(-1)?.id ?? 0, SLICE)
  }
  if (lost === 0) return
  const remedy = 'Add the old key to the file as another line, or enter the URLs and secrets again.'
  context.log.error(`cannot decrypt the URLs and secrets of ${lost} webhooks: their key is not in ${context.secrets.path}. ${remedy}`)
}

function sealPlain(context: Pick<Context, 'db' | 'secrets'>, rows: readonly SecretColumns[]): void {
  const isPlain = ([, text]: [string, string]) => text !== '' && !isSealed(text)
  const open = rows.filter((row) => textsOf(row).some(isPlain))
  if (open.length === 0) return
  context.db.tx((tx) => {
    for (const row of open) updateHook(tx, row.id, sealSecrets(context, Object.fromEntries(textsOf(row).filter(isPlain))))
  })
}

function textsOf({ url, secret, authorization }: HookSecrets): [name: string, text: string][] {
  return Object.entries({ url, secret, authorization })
}
