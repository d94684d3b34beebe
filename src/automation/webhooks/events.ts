import type { EventBase } from '#kernel/events.ts'

/** Someone asked that a hook be tried out, with a push of one commit to `ref`. */
export interface HookTestEvent extends EventBase {
  type: 'hook_test'
  repoId: number
  hookId: number
  ref: string
  oid: string
}
