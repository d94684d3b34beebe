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
  ['crash "out of memory"', 'Words, and a phrase. Everything has to match.'],
  ['label:bug label:"good first issue"', 'Issues with both labels.'],
  ['label:bug,question', 'Issues with one of the labels. A comma means OR in every qualifier.'],
  ['label:bug OR author:ada', 'Either one. Use parentheses for groups: author:ada (label:bug OR label:crash).'],
  ['-label:bug NOT crash', 'Without the label and without the word.'],
  ['created:>=2026-01-01 updated:2026-01-01..2026-03-31 comments:>5', 'Dates (in UTC) and numbers: >, >=, <, <= and ranges.'],
  ['author:@me assignee:* no:milestone', '@me is you, * is anybody.'],
  ['crash in:title sort:updated-desc', 'Where to look for words (title, body, comments), and in which order to list.'],
  ['12', 'Issue number 12, before issues that mention 12.'],
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
