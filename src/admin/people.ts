import { t } from 'elysia'
import { accessStore, type UserRow } from '../access/index.ts'
import type { Context } from '../context.ts'
import { NotFound, Unprocessable } from '../kernel/errors.ts'

export const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['admin'] })

/** The path of every route about one account. */
export const Username = t.Object({ username: t.String({ description: 'username of the user' }) })

/** A person or an organization. @throws NotFound */
export function getAccount(context: Pick<Context, 'db'>, name: string): UserRow {
  const found = accessStore.findUserByName(context.db, name)
  if (!found) throw new NotFound(`user redirect does not exist [name: ${name}]`)
  return found
}

/** @throws NotFound; Unprocessable when it is an organization */
export function getPerson(context: Pick<Context, 'db'>, name: string): UserRow {
  const found = getAccount(context, name)
  if (found.kind !== 'person') throw new Unprocessable(`${found.name} is an organization not a user`)
  return found
}
