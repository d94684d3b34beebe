import type { Context } from '#context.ts'
import { ActionButton, Empty, Time, type Visit } from '#web/index.ts'
import { describeScopes } from './describe-scopes.ts'
import { Maker } from './maker.tsx'
import { parseScopes } from './scopes.ts'
import type { GivenGrant } from './store.ts'

/** Applications that somebody has let in, each with what it may do and a way to end that. */
export function GrantList({ context, visit, grants }: { context: Context; visit: Visit; grants: readonly GivenGrant[] }) {
  if (grants.length === 0) return <Empty visit={visit} icon="key" title="No authorized applications" />
  return (
    <ul class="list">
      {grants.map((grant) => (
        <li class="bar">
          <div>
            <strong>{grant.application}</strong>
            <p>
              <Maker context={context} visit={visit} of={grant} />
            </p>
            <p class="faint">
              {`Can ${describeScopes(parseScopes(grant.scope)).join('; ')}`}
              {', authorized '}
              <Time at={grant.created_at} />
              {grant.last_used_at === null ? ', never used' : [', last used ', <Time at={grant.last_used_at} />]}
            </p>
          </div>
          <ActionButton action={visit.to`/user/settings/applications/oauth2/${grant.application_id}/revoke/${grant.id}`} to={grant.application} isDanger>
            Revoke access
          </ActionButton>
        </li>
      ))}
    </ul>
  )
}
