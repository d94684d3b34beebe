import type { HookTestEvent } from '#automation/webhooks/events.ts'
import type { ReleaseEvent } from '#code/releases/events.ts'
import type { StatusEvent } from '#code/statuses/events.ts'
import type { WikiEvent } from '#code/wiki/events.ts'
import type { PushEvent } from '#repositories/refs/events.ts'
import type { RepoEvent } from '#repositories/repos/events.ts'
import type { CommentEvent, IssueEvent } from '#work/issues/events.ts'
import type { ReviewEvent } from '#work/reviews/events.ts'

/** Everything that is announced, in one closed union: a reader that forgets a case does not compile. */
export type ForgeEvent = RepoEvent | PushEvent | StatusEvent | ReleaseEvent | WikiEvent | HookTestEvent | IssueEvent | CommentEvent | ReviewEvent
