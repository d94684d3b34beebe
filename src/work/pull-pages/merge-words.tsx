import { type Child, Trouble } from '#web/index.ts'

interface Ways {
  /** Of the pull request. */
  address: string
  baseBranch: string
}

type Words = (ways: Ways, said: string) => Child

/** Why a merge is not possible, by what the API says of it, with what can be done about it. */
const reasons: readonly (readonly [begins: string, words: Words])[] = [
  ['User not allowed to merge PR', ({ baseBranch }) => `only who may write to ${baseBranch} merges.`],
  ['Work in progress PRs cannot be merged', () => 'this is still a draft.'],
  ['Not all required status checks successful', () => <>checks that are required have not succeeded: {<a href="#checks">see which</a>}.</>],
  ['Does not have enough approvals', ({ address }) => <>it needs more approvals. {<a href={`${address}/files`}>Review it</a>}</>],
  ['There are requested changes', ({ address }) => <>a reviewer asks for changes. {<a href={`${address}/files`}>See which</a>}</>],
  ['There are official review requests', () => 'somebody was asked for a review that is still to come.'],
  ['The head branch is behind the base branch', ({ baseBranch }) => `its branch lacks what ${baseBranch} has: it has to be brought up to date.`],
  ['Changed protected files: ', (_, said) => `it changes files that are protected: ${said.slice('Changed protected files: '.length)}`],
  ['Please try again later', () => 'it is still being looked at: load the page again in a moment.'],
]

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

/** All that stands behind "This cannot be merged now:". */
export function MergeReasons({ words, said, ...ways }: Ways & { words: string; said: readonly string[] }) {
  const [first = '', ...more] = said
  if (more.length === 0) {
    return (
      <p>
        {words}: <MergeReason said={first} {...ways} />
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
  const [, words] = reasons.find(([begins]) => said.startsWith(begins)) ?? []
  return <>{words?.(ways, said) ?? said}</>
}

/** What comes of a page that was loaded before somebody else did something, by what the API says of it. */
const overtaken: Readonly<Record<string, string>> = {
  'head out of date': 'Somebody has pushed to the branch since this page was loaded. Look at what it brings now, before you merge it.',
  'merge push out of date': 'Somebody has pushed to the branch that it goes into, in this very moment. Try it again.',
  'The PR is already merged': 'Somebody has merged this already.',
  HeadBranchIsUpToDate: 'The branch has been brought up to date already.',
}

/** Why the last try did not succeed. */
export function MergeTrouble({ said, ...ways }: Ways & { said: string | undefined }) {
  if (said === undefined || !reasons.some(([begins]) => said.startsWith(begins))) return <Trouble text={said && (overtaken[said] ?? said)} />
  return (
    <p class="error" role="alert">
      This was not merged: <MergeReason said={said} {...ways} />
    </p>
  )
}
