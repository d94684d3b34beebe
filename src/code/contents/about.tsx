import { atLeast, type RepoAccess } from '#access/index.ts'
import { listLanguages } from '#code/languages/index.ts'
import { findLatest } from '#code/releases/index.ts'
import type { Context } from '#context.ts'
import type { ListedEntry } from '#git/browse/list-tree.ts'
import { licensesOf } from '#repositories/repos/index.ts'
import { type Html, Linked, numberText, Time, type Visit } from '#web/index.ts'

interface Language {
  name: string
  bytes: number
}

/** So many are named; the others are counted as one. */
const MOST_LANGUAGES = 6
const licenseFile = /^(?:licen[cs]e|copying|unlicense)(?:[.-].*)?$/i

interface Props {
  visit: Visit
  repo: RepoAccess
  /** Of the root of the default branch. */
  entries: readonly ListedEntry[]
}

/** What a repository is about, beside its files. */
export function renderAbout(context: Pick<Context, 'db'>, { visit, repo, entries }: Props): Html {
  const { row, permission } = repo
  const latest = row.release_count > 0 && atLeast(permission.of('releases'), 'read') ? findLatest(context.db, row.id) : undefined
  const address = visit.to`/${repo.owner.name}/${row.name}`
  return (
    <aside class="about" aria-label="About this repository">
      <h2>About</h2>
      <p dir="auto">{row.description === '' ? <span class="faint">No description provided</span> : <Linked text={row.description} />}</p>
      {atLeast(permission.level, 'admin') && (
        <p>
          <a href={`${address}/settings/access`}>{row.is_private === 1 ? 'Private: view access report' : 'Public: view access report'}</a>
        </p>
      )}
      {row.website !== '' && (
        <p>
          <a href={row.website} rel="nofollow noopener">
            {row.website.replace(/^https?:\/\//, '')}
          </a>
        </p>
      )}
      <Topics visit={visit} names={row.topic_names} />
      <Licenses visit={visit} repo={repo} entries={entries} />
      {latest && (
        <section>
          <h3>
            <a href={`${address}/releases`}>Releases</a> <span class="faint">{numberText(row.release_count)}</span>
          </h3>
          <p>
            <a href={visit.to`/${repo.owner.name}/${row.name}/releases/tag/${latest.tag_name}`}>{latest.title || latest.tag_name}</a>{' '}
            <span class="faint">
              <Time at={latest.created_at} />
            </span>
          </p>
        </section>
      )}
      <Languages languages={listLanguages(context.db, row.id)} />
      <p>
        <a href={`${address}/activity`}>Activity</a> · <a href={`${address}/activity/contributors`}>Contributors</a>
      </p>
    </aside>
  )
}

function Topics({ visit, names }: { visit: Visit; names: string }) {
  if (names === '') return null
  return (
    <ul class="topics" aria-label="Topics">
      {names.split(',').map((name) => (
        <li>
          <a class="label" href={`${visit.to`/explore/repos`}?q=${encodeURIComponent(name)}`}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Licenses({ visit, repo: { owner, row }, entries }: Props) {
  const names = licensesOf(row)
  const file = entries.find(({ path }) => licenseFile.test(path))
  if (names.length === 0) return null
  const text = `${names.join(', ')} license`
  return <p>{file ? <a href={visit.to`/${owner.name}/${row.name}/src/branch/${row.default_branch}/${file.path}`}>{text}</a> : text}</p>
}

function Languages({ languages }: { languages: readonly Language[] }) {
  const total = languages.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total === 0) return null
  const shown = partsOf(languages)
  let at = 0
  const bars = shown.map(({ bytes }, i) => {
    const width = (bytes / total) * 100
    at += width
    return <rect class={`share-${i}`} x={(at - width).toFixed(2)} width={width.toFixed(2)} height="8" />
  })
  return (
    <section>
      <h3>Languages</h3>
      <svg class="shares" viewBox="0 0 100 8" preserveAspectRatio="none" width="100%" height="8" aria-hidden="true">
        {bars}
      </svg>
      <ul class="languages">
        {shown.map(({ name, bytes }, i) => (
          <li>
            <svg width="10" height="10" aria-hidden="true">
              <circle class={`share-${i}`} cx="5" cy="5" r="5" />
            </svg>{' '}
            {name} <span class="faint">{percent(bytes / total)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function partsOf(languages: readonly Language[]): Language[] {
  if (languages.length <= MOST_LANGUAGES) return [...languages]
  const others = languages.slice(MOST_LANGUAGES - 1)
  return [...languages.slice(0, MOST_LANGUAGES - 1), { name: 'Other', bytes: others.reduce((sum, { bytes }) => sum + bytes, 0) }]
}

function percent(share: number): string {
  return share < 0.001 ? '<0.1%' : `${(share * 100).toFixed(1)}%`
}
