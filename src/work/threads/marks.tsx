import { Icon, type IconName, type Visit } from '#web/index.ts'
import { type Issue, isDraft } from '#work/issues/index.ts'

type Stated = Pick<Issue, 'state' | 'title' | 'pull_request'>
type Tone = 'good' | 'done' | 'bad' | 'faint'
type Look = readonly [word: string, icon: IconName, tone: Tone]

function lookOf({ state, title, pull_request: pull }: Stated): Look {
  if (!pull) return state === 'open' ? ['Open', 'issue-opened', 'good'] : ['Closed', 'issue-closed', 'done']
  if (pull.merged) return ['Merged', 'git-merge', 'done']
  if (state === 'closed') return ['Closed', 'git-pull-request-closed', 'bad']
  return isDraft(title) ? ['Draft', 'git-pull-request-draft', 'faint'] : ['Open', 'git-pull-request', 'good']
}

/** How an issue or a pull request stands: shape, word and colour say it. */
export function StateMark({ visit, issue }: { visit: Visit; issue: Stated }) {
  const [word, icon, tone] = lookOf(issue)
  return (
    <span class={`state ${tone}`}>
      <Icon visit={visit} name={icon} />
      {word}
    </span>
  )
}

/** The same where there is no room for the word. */
export function StateIcon({ visit, issue }: { visit: Visit; issue: Stated }) {
  const [word, icon, tone] = lookOf(issue)
  return (
    <span class={tone}>
      <Icon visit={visit} name={icon} label={issue.pull_request ? `${word} pull request` : `${word} issue`} />
    </span>
  )
}
