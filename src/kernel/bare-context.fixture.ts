import { type Config, type ConfigInput, makeConfig } from '#config.ts'
import { Services } from './services.ts'

export interface BareContext {
  config: Config
  services: Services<BareContext>
  answerBroke(error: unknown, request: Request): void
}

/** As much of a context as those look at that bound how much is answered at a time. */
export function bareContext(settings: ConfigInput): BareContext {
  const context: BareContext = { config: makeConfig('/nowhere', settings), services: new Services(() => context), answerBroke: () => {} }
  return context
}
