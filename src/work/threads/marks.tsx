import type { Issue } from '#work/issues/index.ts'

export function stateOf({ state, pull_request: pull }: Pick<Issue, 'state' | 'pull_request'>): 'Open' | 'Merged' | 'Closed' {
  return state === 'open' ? 'Open' : pull?.merged ? 'Merged' : 'Closed'
}

export function StateMark({ issue }: { issue: Pick<Issue, 'state' | 'pull_request'> }) {
  const state = stateOf(issue)
  return <span class={`state ${state.toLowerCase()}`}>{state}</span>
}
