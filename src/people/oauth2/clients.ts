import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import { type ApplicationRow, findApplicationByClientId, insertApplication } from './store.ts'

type ClientContext = Pick<Context, 'config' | 'db' | 'clock'>

/**
 * Programs that ask under an id that is the same on every server, by their names in the settings: they have no secret and listen on the
 * machine that they run on. Ids and names are Gitea's.
 */
const builtIn = {
  'git-credential-oauth': { client_id: 'a4792ccc-144e-407e-86c9-5e7d8d9c3269', name: 'git-credential-oauth' },
  'git-credential-manager': { client_id: 'e90ee53c-94e2-48ac-9358-a874fb9e0662', name: 'Git Credential Manager' },
  tea: { client_id: 'd57cb8c4-630c-4168-8324-ec79935e18d4', name: 'tea' },
} as const

const loopbackUris = 'http://127.0.0.1\nhttps://127.0.0.1'

/** The application that goes by the id; one that every server knows is written down when somebody first uses it. */
export function findClient(context: ClientContext, clientId: string): ApplicationRow | undefined {
  return findApplicationByClientId(context.db, clientId) ?? addBuiltIn(context, clientId)
}

export function redirectUrisOf({ redirect_uris }: Pick<ApplicationRow, 'redirect_uris'>): string[] {
  return redirect_uris.split('\n').filter((uri) => uri !== '')
}

/** Whether every server knows it, so that nobody has made it or changes it. */
export function isBuiltIn({ client_id }: Pick<ApplicationRow, 'client_id'>): boolean {
  return Object.values(builtIn).some((one) => one.client_id === client_id)
}

/** Removes those that the settings no longer name, with all that people have granted them. */
export function dropDisabledClients(context: ClientContext & Pick<Context, 'jobs'>): void {
  const enabled = enabledClients(context).map(({ client_id }) => client_id)
  const disabled = Object.values(builtIn).filter(({ client_id }) => !enabled.includes(client_id))
  const dropped = disabled.flatMap(({ client_id }) => findApplicationByClientId(context.db, client_id) ?? [])
  if (dropped.length === 0) return
  context.db.txLeavingRows((tx) => {
    for (const { id } of dropped) deleteRow(context, tx, 'oauth2_application', id)
  })
}

function enabledClients({ config }: ClientContext) {
  return config.oauth2.DEFAULT_APPLICATIONS.map((name) => builtIn[name])
}

function addBuiltIn(context: ClientContext, clientId: string): ApplicationRow | undefined {
  const known = enabledClients(context).find(({ client_id }) => client_id === clientId)
  if (!known) return undefined
  const now = context.clock.seconds()
  return context.db.tx((tx) => {
    const rest = { owner_id: null, secret_digest: '', is_confidential: 0, skips_consent: 0, redirect_uris: loopbackUris, created_at: now, updated_at: now }
    if (!findApplicationByClientId(tx, clientId)) insertApplication(tx, { ...known, ...rest })
    return findApplicationByClientId(tx, clientId)
  })
}
