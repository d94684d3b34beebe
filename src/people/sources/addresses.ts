import type { Context } from '#context.ts'
import { accountName } from './external-user.ts'
import type { Source } from './source.ts'

/** The address of somebody whose source tells none: one that leads nowhere, and that nobody else has. */
export function placeholderOf({ rootUrl }: Pick<Context, 'rootUrl'>, source: Source, name: string): string {
  const local = accountName(name).toLowerCase()
  // As Gitea has it, so that those who move over keep theirs.
  if (source.kind === 'ldap') return `${local}@localhost.local`
  return `${local}@noreply.${new URL(rootUrl).hostname}`
}
