import type { Child, Visit } from '#web/index.ts'
import { ceremony } from './ceremony.ts'
import type { creationOptions, requestOptions } from './webauthn.ts'

/** What is asked of a key, and what the form brings back beside the answer. */
export interface Asked {
  options: ReturnType<typeof creationOptions> | ReturnType<typeof requestOptions>
  /** The challenge. */
  sealed: string
}

interface CeremonyProps {
  /** Whether a key is made or signs. */
  kind: 'create' | 'get'
  action: string
  /** Or the address where the script is told, when somebody means to: a page that asks by itself is another each time. */
  asked: Asked | string
  button: string
  /** Says nothing where the browser cannot use keys. */
  isOptional?: boolean
  children?: Child
}

/** A form that a key fills in. It is there for browsers with scripts alone: no other way leads to a key. */
export function CeremonyForm({ kind, action, asked, button, isOptional = false, children }: CeremonyProps) {
  const ask = typeof asked === 'string' ? { 'data-ask': asked } : { 'data-options': JSON.stringify(asked.options) }
  return (
    <>
      <form class="fields" method="post" action={action} data-ceremony={kind} {...ask} data-optional={isOptional ? 'yes' : undefined} hidden>
        <p class="error" role="alert" hidden />
        {children}
        <input type="hidden" name="challenge" value={typeof asked === 'string' ? '' : asked.sealed} />
        <input type="hidden" name="credential" />
        <div>
          <button type="submit">{button}</button>
        </div>
      </form>
      {!isOptional && (
        <noscript>
          <p>Security keys require JavaScript. Enable it in your browser.</p>
        </noscript>
      )}
    </>
  )
}

/** On the sign-in page. */
export function PasskeyForm({ visit, redirectTo }: { visit: Visit; redirectTo: string }) {
  const [action, ask] = [visit.to`/user/webauthn/passkey/login`, visit.to`/user/webauthn/passkey/challenge`]
  return (
    <div class="passkey">
      <CeremonyForm kind="get" action={action} asked={ask} button="Sign in with a passkey" isOptional>
        <input type="hidden" name="redirect_to" value={redirectTo} />
      </CeremonyForm>
    </div>
  )
}

/** Of the script that pages with such a form load. */
export function scriptAddress(visit: Visit): string {
  return visit.to`/assets/second-factors/${ceremony.name}`
}
