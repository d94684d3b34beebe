import { type Child, type Tab, Tabs, type Visit } from '#web/index.ts'
import type { PullRow, StackedPull } from '#work/pulls/index.ts'
import { Stack } from './stack.tsx'
import type { TabCounts } from './tab-counts.ts'

export type PullTab = 'conversation' | 'commits' | 'files' | 'versions'

interface Props {
  visit: Visit
  address: string
  pull: PullRow
  tab: PullTab
  /** Of what is behind the tabs. */
  counts: TabCounts
  /** Those that depend on each other, with this one among them; none where the page is about something else. */
  stack: readonly StackedPull[]
  /** Where the branch that it is merged into can be changed. */
  base?: Child
}

/** From which branch into which, and the parts of a pull request. Of a fork that the viewer may not see, the branch alone is told. */
export function PullHead({ visit, address, pull, tab, counts, stack, base }: Props) {
  const isElsewhere = pull.head_repo_id !== null && pull.head_repo_id !== pull.repo_id
  const home = isElsewhere ? visit.findRepo(pull.head_repo_id as number) : undefined
  return (
    <>
      <div class="buttons ends">
        <p>
          {'Merge '}
          {home && (
            <>
              <a href={visit.to`/${home.owner.name}/${home.row.name}`}>{`${home.owner.name}/${home.row.name}`}</a>{' '}
            </>
          )}
          <code>{pull.head_branch}</code> into <code>{pull.base_branch}</code>
        </p>
        {base}
      </div>
      <Stack address={address.slice(0, address.lastIndexOf('/'))} stack={stack} />
      <Tabs
        visit={visit}
        label="Pull request"
        now={tab}
        tabs={[
          { name: 'conversation', href: address, text: 'Conversation', icon: 'comment', count: counts.conversation },
          { name: 'commits', href: `${address}/commits`, text: 'Commits', icon: 'git-commit', count: counts.commits },
          { name: 'files', href: `${address}/files`, text: 'Files changed', icon: 'diff', count: counts.files },
          ...(counts.checks > 0 ? [checksTab(address, counts.checks)] : []),
          { name: 'versions', href: `${address}/versions`, text: 'Versions', icon: 'history', count: counts.versions },
        ]}
      />
    </>
  )
}

/** They stand in the conversation, where it is seen what they keep from being merged. */
function checksTab(address: string, count: number): Tab {
  return { name: 'checks', href: `${address}#checks`, text: 'Checks', icon: 'check-circle-fill', count }
}
