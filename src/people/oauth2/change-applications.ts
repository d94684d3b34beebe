import { randomUUID } from 'node:crypto'
import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import type { Db } from '#kernel/db.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { isBuiltIn } from './clients.ts'
import { checkRedirectUri } from './redirect-uris.ts'
import { digestOf, makeSecret } from './secrets.ts'
import { type ApplicationOwner, type ApplicationRow, deleteGrant, findApplication, insertApplication, updateApplication } from './store.ts'

type ApplicationContext = Pick<Context, 'db' | 'clock'>

/** What its maker says of an application. */
export interface ApplicationTerms {
  name: string
  redirect_uris: readonly string[]
  confidential_client: boolean
  skip_secondary_authorization: boolean
}

/** An application whose secret was just made: this is the one time that it can be shown. */
export interface NewSecret {
  row: ApplicationRow
  secret: string
}

/** @throws BadRequest when no answer could be sent to one of the addresses, or there is none */
export function createApplication({ db, clock }: ApplicationContext, owner: ApplicationOwner, terms: ApplicationTerms): NewSecret {
  const secret = makeSecret('clientSecret')
  const now = clock.seconds()
  const row = {
    owner_id: owner.id,
    ...columnsOf(terms),
    client_id: randomUUID(),
    secret_digest: digestOf(secret),
    created_at: now,
    updated_at: now,
  }
  const id = db.tx((tx) => insertApplication(tx, row))
  return { row: { ...row, id }, secret }
}

/** Changes what is given of one of the owner's applications; its secret stays. @throws NotFound, BadRequest */
export function editApplication({ db, clock }: ApplicationContext, owner: ApplicationOwner, id: number, terms: Partial<ApplicationTerms>): ApplicationRow {
  return db.tx((tx) => {
    const former = getApplication(tx, owner, id)
    updateApplication(tx, id, { ...columnsOf({ ...termsOf(former), ...terms }), updated_at: clock.seconds() })
    return getApplication(tx, owner, id)
  })
}

/** The former secret is worth nothing from then on. @throws NotFound */
export function renewSecret({ db, clock }: ApplicationContext, owner: ApplicationOwner, id: number): NewSecret {
  const secret = makeSecret('clientSecret')
  return db.tx((tx) => {
    getApplication(tx, owner, id)
    updateApplication(tx, id, { secret_digest: digestOf(secret), updated_at: clock.seconds() })
    return { row: getApplication(tx, owner, id), secret }
  })
}

/** With all that anybody has granted it: nobody is let in by that from then on, however many they are. @throws NotFound */
export function removeApplication(context: Pick<Context, 'db' | 'jobs'>, owner: ApplicationOwner, id: number): void {
  context.db.txLeavingRows((tx) => void deleteRow(context, tx, 'oauth2_application', getApplication(tx, owner, id).id))
}

/** Takes back what the account has granted, with all codes and tokens. @throws NotFound */
export function revokeGrant({ db }: Pick<ApplicationContext, 'db'>, user: UserRow, id: number): void {
  if (!db.tx((tx) => deleteGrant(tx, user.id, id))) throw new NotFound()
}

/** @throws NotFound for those of others, and those that every server knows */
export function getApplication(db: Db, owner: ApplicationOwner, id: number): ApplicationRow {
  const row = findApplication(db, owner, id)
  if (!row || isBuiltIn(row)) throw new NotFound()
  return row
}

export function termsOf(row: ApplicationRow): ApplicationTerms {
  return {
    name: row.name,
    redirect_uris: row.redirect_uris.split('\n'),
    confidential_client: row.is_confidential === 1,
    skip_secondary_authorization: row.skips_consent === 1,
  }
}

function columnsOf({ name, redirect_uris, confidential_client, skip_secondary_authorization }: ApplicationTerms) {
  const uris = [...new Set(redirect_uris.map((uri) => uri.trim()).filter((uri) => uri !== ''))]
  if (uris.length === 0) throw new BadRequest('Enter at least one redirect URI.')
  for (const uri of uris) checkRedirectUri(uri)
  return {
    name: name.trim(),
    redirect_uris: uris.join('\n'),
    is_confidential: Number(confidential_client),
    skips_consent: Number(skip_secondary_authorization),
  }
}
