import { type Child, Trouble } from '#web/index.ts'

interface Ways {
  /** Of the pull request. */
  address: string
  baseBranch: string
}

type Words = (ways: Ways, said: string) => Child

/** Why a merge is not possible, by what the API says of it, with what can be done about it. */
const reasons: readonly (readonly [begins: string, words: Words])[] = [
  ['User not allowed to merge PR', ({ baseBranch }) => `Only users who are allowed to merge into ${baseBranch} can merge this pull request.`],
  ['Work in progress PRs cannot be merged', () => 'This pull request is still a draft.'],
  ['Not all required status checks successful', () => <>Required checks have not succeeded. {<a href="#checks">View checks</a>}</>],
  ['Does not have enough approvals', ({ address }) => <>More approving reviews are required. {<a href={`${address}/files`}>Review changes</a>}</>],
  ['There are requested changes', ({ address }) => <>A reviewer requested changes. {<a href={`${address}/files`}>View review comments</a>}</>],
  ['There are official review requests', () => 'A requested review is still pending.'],
  ['The head branch is behind the base branch', ({ baseBranch }) => `The branch is out of date with ${baseBranch}. Update it before you merge.`],
  ['Changed protected files: ', (_, said) => `This pull request changes protected files: ${said.slice('Changed protected files: '.length)}`],
  ['Please try again later', () => 'The server is still checking the reviews of this pull request. Reload the page in a moment.'],
]

/** The API says it with the name of the merge style first. */
const STYLE_REFUSED = ' is not allowed an allowed merge style for this repository'
const styleReason = ['', () => 'This merge style is not enabled in this repository.'] as const

function reasonFor(said: string): (typeof reasons)[number] | undefined {
  return said.endsWith(STYLE_REFUSED) ? styleReason : reasons.find(([begins]) => said.startsWith(begins))
}

/** What others can still mend: checks that run, reviews that are to come, a branch that is brought up to date. */
const passing = [
  'Not all required status checks successful',
  'Does not have enough approvals',
  'There are requested changes',
  'There are official review requests',
  'The head branch is behind the base branch',
]

/** Whether what is in the way may pass without the pull request becoming another. */
export function mayPass(said: string): boolean {
  return passing.includes(said)
}

/** All that stands behind "Merging is blocked". */
export function MergeReasons({ words, said, ...ways }: Ways & { words: string; said: readonly string[] }) {
  const [first = '', ...more] = said
  if (more.length === 0) {
    return (
      <p>
        {words}. <MergeReason said={first} {...ways} />
      </p>
    )
  }
  return (
    <>
      <p>{words}:</p>
      <ul>
        {said.map((one) => (
          <li>
            <MergeReason said={one} {...ways} />
          </li>
        ))}
      </ul>
    </>
  )
}

function MergeReason({ said, ...ways }: Ways & { said: string }) {
  const [, words] = reasonFor(said) ?? []
  return <>{words?.(ways, said) ?? said}</>
}

/** What comes of a page that was loaded before somebody else did something, by what the API says of it. */
const overtaken: Readonly<Record<string, string>> = {
  'head out of date': 'Someone pushed to the branch after you loaded this page. Review the new commits before you merge.',
  'merge push out of date': 'Someone pushed to the base branch during the merge. Try again.',
  'The PR is already merged': 'This pull request is already merged.',
  HeadBranchIsUpToDate: 'The branch is already up to date.',
  // The API says the same of a conflict, of nothing to merge, and of reviews that are still being checked.
  'Please try again later': 'The pull request was not merged: it cannot be merged in its current state, which is shown below.',
}

/** Why the last try did not succeed. */
export function MergeTrouble({ said, ...ways }: Ways & { said: string | undefined }) {
  const told = said && overtaken[said]
  if (said === undefined || told !== undefined || reasonFor(said) === undefined) return <Trouble text={told ?? said} />
  return (
    <p class="error" role="alert">
      The pull request was not merged. <MergeReason said={said} {...ways} />
    </p>
  )
}
