import type { PullRow } from '#work/pulls/index.ts'

export type PullTab = 'conversation' | 'commits' | 'files'

/** From which branch into which, and the parts of a pull request. */
export function PullHead({ address, pull, tab }: { address: string; pull: PullRow; tab: PullTab }) {
  return (
    <>
      <p>
        <code>{pull.head_branch}</code> into <code>{pull.base_branch}</code>
      </p>
      <nav class="tabs" aria-label="Pull request">
        <a href={address} aria-current={tab === 'conversation' ? 'page' : undefined}>
          Conversation
        </a>
        <a href={`${address}/commits`} aria-current={tab === 'commits' ? 'page' : undefined}>
          Commits
        </a>
        <a href={`${address}/files`} aria-current={tab === 'files' ? 'page' : undefined}>
          Files changed
        </a>
      </nav>
    </>
  )
}
