import type { RepoAccess } from '#access/index.ts'
import type { PayloadCommitVerification } from '#code/commits/index.ts'
import { MadeBy, type People, type RefChoices, SignatureMark, subjectOf } from '#code/commits/index.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { ListedEntry } from '#git/browse/list-tree.ts'
import type { Page } from '#kernel/page.ts'
import { type Child, countText, type Html, Icon, type IconName, Pager, RepoFrame, Time, type Visit } from '#web/index.ts'
import { CloneMenu } from './clone-menu.tsx'
import type { LastCommits } from './last-commits.ts'
import { PlaceBar, type PlaceProps } from './place-bar.tsx'
import { submoduleLink } from './submodule-link.ts'
import { type ContentType, contentType } from './view.ts'

/** The commit that a directory is as it is since. */
export interface HeadCommit {
  details: CommitDetails
  verification: PayloadCommitVerification | undefined
  people: People
  /** How many commits there are up to it; undefined where nobody has counted them yet. */
  count?: number | undefined
  /** Its statuses. */
  mark: Child
}

export interface Listing {
  entries: readonly ListedEntry[]
  /** Of the directory, all its pages together. */
  total: number
  last: LastCommits
  /** Where submodules come from, by path. */
  submodules: ReadonlyMap<string, string>
}

interface TreeProps extends PlaceProps {
  listing: Listing
  page: Page
  choices: RefChoices
  head: HeadCommit | undefined
  readme?: { name: string; html: Html } | undefined
  /** What stands beside the files of a repository's root. */
  about?: Html | undefined
  /** What stands above all: what the viewer is asked, and what they may want to go on with. */
  offer?: Html | undefined
}

export function TreePage({ visit, repo, place, listing, page, choices, head, readme, about, offer }: TreeProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={place.path === '' ? undefined : place.path}>
      {offer}
      <div class={about ? 'beside' : undefined}>
        <div>
          <PlaceBar visit={visit} repo={repo} place={place} choices={choices} actions={['_new', '_upload']}>
            <CloneMenu visit={visit} repo={repo} place={place} />
          </PlaceBar>
          <div class="files">
            {head && <HeadLine visit={visit} repo={repo} place={place} head={head} />}
            <Entries visit={visit} repo={repo} place={place} listing={listing} />
          </div>
          <Pager visit={visit} page={page} total={listing.total} />
          {readme && (
            <section class="readme" aria-label={readme.name}>
              <h2 class="file-name">{readme.name}</h2>
              <article>{readme.html}</article>
            </section>
          )}
        </div>
        {about}
      </div>
    </RepoFrame>
  )
}

function HeadLine({ visit, repo: { owner, row }, place, head }: PlaceProps & { head: HeadCommit }) {
  const { details, verification, people, count, mark } = head
  const { oid, commit } = details
  const address = visit.to`/${owner.name}/${row.name}/commits/${place.kind}/${place.name}/${place.path}`
  return (
    <div class="head-commit">
      <span class="what">
        <MadeBy visit={visit} people={people} who={commit.author} />{' '}
        <a class="subject" href={visit.to`/${owner.name}/${row.name}/commit/${oid}`}>
          {subjectOf(commit)}
        </a>
        {verification && <SignatureMark verification={verification} />}
      </span>
      {mark && <div>{mark}</div>}
      <span class="faint">
        <a class="code" href={visit.to`/${owner.name}/${row.name}/commit/${oid}`}>
          {oid.slice(0, 10)}
        </a>{' '}
        <Time at={commit.author.seconds} /> <a href={address}>{count === undefined ? 'History' : countText(count, 'commit')}</a>
      </span>
    </div>
  )
}

/** The list of a directory. Where not all last commits are known yet, it is a part that can be asked for again, with a link for who has no script. */
export function Entries({ visit, repo, place, listing: { entries, last, submodules } }: PlaceProps & { listing: Listing }) {
  const { owner, row } = repo
  const base = visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${place.path}`.replace(/\/$/, '')
  const linkOf = (url: string | undefined) => url && submoduleLink(visit, repo, url)
  const isWhole = entries.every(({ path }) => last.has(path))
  // One commit has often changed many of them last.
  const changes = new Map<string | undefined, Html>()
  const changeOf = (commit: CommitDetails | undefined) => changes.getOrInsertComputed(commit?.oid, () => <LastChange visit={visit} repo={repo} last={commit} />)
  return (
    <div data-later={isWhole ? undefined : `${base}?last=all&fragment=entries`}>
      <table class="tree">
        <colgroup>
          <col class="name" />
          <col class="change" />
          <col class="age" />
        </colgroup>
        <thead class="unseen">
          <tr>
            <th>Name</th>
            <th>Last commit</th>
            <th>Last commit date</th>
          </tr>
        </thead>
        <tbody>
          {place.path !== '' && (
            // Of one cell: narrow screens have fewer columns.
            <tr>
              <td>
                <a href={base.slice(0, base.lastIndexOf('/'))} aria-label="Parent directory">
                  ..
                </a>
              </td>
            </tr>
          )}
          {entries.map((entry) => (
            <tr>
              <td class="name">
                <EntryName
                  visit={visit}
                  entry={entry}
                  address={`${base}/${encodeURIComponent(entry.path)}`}
                  link={linkOf(submodules.get(joined(place.path, entry.path)))}
                />
              </td>
              {changeOf(last.get(entry.path))}
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && (
        <p class="faint more">
          <a href={`${base}?last=all`} rel="nofollow">
            Load remaining commit info
          </a>
        </p>
      )}
    </div>
  )
}

export const entryIcons: Record<ContentType, readonly [icon: IconName, label: string | undefined]> = {
  dir: ['file-directory-fill', 'Directory'],
  file: ['file', undefined],
  symlink: ['file-symlink-file', 'Symbolic link'],
  submodule: ['file-submodule', 'Submodule'],
}

interface EntryProps {
  visit: Visit
  entry: ListedEntry
  address: string
  /** The page of a submodule's repository. */
  link: string | undefined
}

function EntryName({ visit, entry: { path, mode, oid }, address, link }: EntryProps) {
  const type = contentType(mode)
  const [icon, label] = entryIcons[type]
  const name = type === 'submodule' ? path : <a href={address}>{path}</a>
  return (
    <>
      <Icon visit={visit} name={icon} label={label} /> {link === undefined ? name : <a href={link}>{path}</a>}
      {type === 'submodule' && <code class="faint">{` @ ${oid.slice(0, 10)}`}</code>}
    </>
  )
}

function LastChange({ visit, repo: { owner, row }, last }: { visit: Visit; repo: RepoAccess; last: CommitDetails | undefined }) {
  if (!last) return <td colspan="2" />
  return (
    <>
      <td class="subject">
        <a href={visit.to`/${owner.name}/${row.name}/commit/${last.oid}`}>{subjectOf(last.commit)}</a>
      </td>
      <td class="age">
        <Time at={last.commit.committer.seconds} />
      </td>
    </>
  )
}

export function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
