import { qualifiers, type SearchNote } from '#work/issues/index.ts'

/** Shows the notes about a search; at least one. */
export function SearchNotes({ notes }: { notes: readonly SearchNote[] }) {
  return (
    <div class="error" role="alert" id="search-notes">
      {notes.map(({ message, isError }) => (
        <p>
          {message.split('`').map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}
          {isError && ' This part is ignored.'}
        </p>
      ))}
    </div>
  )
}

const rules = [
  ['crash "out of memory"', 'A word and a phrase. All parts must match.'],
  ['label:bug label:"good first issue"', 'Issues with both labels.'],
  ['label:bug,question', 'Issues with at least one of the labels. A comma means OR in every qualifier.'],
  ['label:bug OR author:ada', 'Issues that match either part. Use parentheses to group: author:ada (label:bug OR label:crash).'],
  ['-label:bug NOT crash', 'Issues without the label and without the word.'],
  ['created:>=2026-01-01 updated:2026-01-01..2026-03-31 comments:>5', 'Dates (UTC) and numbers accept >, >=, <, <= and ranges.'],
  ['author:@me assignee:* no:milestone', '@me is you, * is any value.'],
  ['crash in:title sort:updated-desc', 'Search words only in the title (or body, or comments), and sort the results.'],
  ['12', 'Issue number 12 first, then issues that mention 12.'],
] as const

/** Shows a short help about the search syntax. */
export function SearchHelp() {
  return (
    <details class="search-help">
      <summary>Search syntax</summary>
      <dl>
        {rules.map(([example, meaning]) => (
          <>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      <p>
        {'Qualifiers: '}
        {qualifiers.map((name, i) => (
          <>
            {i > 0 && ', '}
            <code>{`${name}:`}</code>
          </>
        ))}
      </p>
    </details>
  )
}
