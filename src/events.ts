import type { PushEvent } from './refs/events.ts'
import type { RepoEvent } from './repos/events.ts'
import type { HookTestEvent } from './webhooks/events.ts'

/** Everything that is announced, in one closed union: a reader that forgets a case does not compile. */
export type ForgeEvent = RepoEvent | PushEvent | HookTestEvent
