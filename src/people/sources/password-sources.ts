import type { PasswordSources } from '#access/index.ts'
import type { Context } from '#context.ts'
import { skipsLocalTwoFactor, sourcesState } from './store.ts'

/** What the gate asks about people who have no password here. It loads what asks sources with the first question to one. */
export function passwordSources(context: Context): PasswordSources {
  return {
    check: async (name, password, known) => (await import('./sign-in.ts')).signInElsewhere(context, name, password, known),
    skipsSecondFactor: (user) => skipsLocalTwoFactor(context.db, user),
    state: () => sourcesState(context.db),
  }
}
