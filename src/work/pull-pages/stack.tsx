import type { StackedPull } from '#work/pulls/index.ts'

interface Props {
  /** Of the repository's pull requests. */
  address: string
  stack: readonly StackedPull[]
}

/** The pull requests that this one depends on, and those that depend on it, in the order in which they are to be merged. */
export function Stack({ address, stack }: Props) {
  const at = stack.findIndex(({ isThis }) => isThis)
  const lower = stack[at - 1]
  if (at < 0) return null
  return (
    <section class="stack written" aria-label="Stack">
      <p>
        {lower ? (
          <>
            This pull request depends on <a href={`${address}/${lower.number}`}>{`#${lower.number} ${lower.title}`}</a>, which must be merged first.
          </>
        ) : (
          'Other pull requests depend on this one.'
        )}
      </p>
      <ol>
        {stack.map((pull) => (
          <li aria-current={pull.isThis ? 'true' : undefined}>
            {pull.isThis ? <strong>{`#${pull.number} ${pull.title}`}</strong> : <a href={`${address}/${pull.number}`}>{`#${pull.number} ${pull.title}`}</a>}{' '}
            <span class="faint">
              into <code>{pull.base}</code>
            </span>{' '}
            <span class="state open">{pull.isDraft ? 'Draft' : 'Open'}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
