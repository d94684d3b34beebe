import type { CommitState } from './schema.ts'

/** The states of several contexts as one: any that failed fails all; nothing said is pending. Source: Gitea's `CalcCommitStatus`. */
export function combineStates(states: readonly CommitState[]): CommitState {
  if (states.some((state) => state === 'error' || state === 'failure' || state === 'warning')) return 'failure'
  return states.length > 0 && states.every((state) => state === 'success' || state === 'skipped') ? 'success' : 'pending'
}
