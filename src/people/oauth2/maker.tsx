import { accessStore, canSeeAccount } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Visit } from '#web/index.ts'
import { isBuiltIn } from './clients.ts'
import type { ApplicationRow } from './store.ts'

/** Says who has made an application, as far as the viewer may know of them. */
export function Maker({ context, visit, of }: { context: Context; visit: Visit; of: Pick<ApplicationRow, 'client_id' | 'owner_id'> }) {
  if (isBuiltIn(of)) return <>This application is built into the server.</>
  if (of.owner_id === null) return <>This application was created by the site administrators.</>
  const owner = accessStore.findUserById(context.db, of.owner_id)
  if (!owner || !canSeeAccount(context.db, visit.viewer, owner)) return <>This application was created by a private account.</>
  return (
    <>
      This application was created by <a href={visit.to`/${owner.name}`}>{owner.name}</a>.
    </>
  )
}
