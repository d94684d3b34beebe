import { atLeast, type RepoAccess } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { Avatar, countText, Empty, type Html, Icon, Pager, RepoFrame, Size, Tabs, Time, Trouble, type Visit } from '#web/index.ts'
import { AddAsset } from './asset-pages.tsx'
import type { Release } from './schema.ts'

export const releaseKinds = ['all', 'release', 'prerelease', 'draft'] as const
export type ReleaseKind = (typeof releaseKinds)[number]

const kindWords: Record<ReleaseKind, string> = { all: 'All', release: 'Releases', prerelease: 'Pre-releases', draft: 'Drafts' }
/** What the boxes of a list belong to. */
const CHOSEN = 'chosen'

/** What a list of releases is narrowed down to. */
export interface ReleaseListing {
  kind: ReleaseKind
  /** Those that the viewer may see. */
  kinds: readonly ReleaseKind[]
  /** Occurs in tag, title or text. */
  q: string
  page: Page
  total: number
  /** With what was to be deleted. */
  troubles: readonly string[]
}

interface Props {
  visit: Visit
  repo: RepoAccess
  releases: readonly Release[]
  texts: ReadonlyMap<number, Html>
  /** Absent for a release by itself. */
  list: ReleaseListing | undefined
}

export function ReleasesPage({ visit, repo, releases, texts, list }: Props) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/releases`
  const mayWrite = atLeast(repo.permission.of('releases'), 'write') && repo.row.archived_at === null
  return (
    <RepoFrame visit={visit} repo={repo} tab="releases" title={list ? 'Releases' : (releases[0]?.name ?? '')} feed={address}>
      <div class="bar">
        <h2>Releases</h2>
        <div class="buttons">
          {!list && (
            <a class="button" href={address}>
              All releases
            </a>
          )}
          {mayWrite && (
            <a class="button primary" href={`${address}/new`}>
              New release
            </a>
          )}
        </div>
      </div>
      {list && <Narrow visit={visit} address={address} list={list} />}
      {releases.map((release) => (
        <OneRelease visit={visit} address={address} release={release} text={texts.get(release.id)} mayWrite={mayWrite} isListed={list !== undefined} />
      ))}
      {list && mayWrite && releases.length > 0 && (
        <form class="bulk" id={CHOSEN} method="post" action={`${address}/delete`}>
          <span class="faint">Selected releases:</span>
          <button class="danger" type="submit">
            Delete selected releases (keep tags)
          </button>
        </form>
      )}
      {list && <Pager visit={visit} page={list.page} total={list.total} />}
    </RepoFrame>
  )
}

function Narrow({ visit, address, list: { kind, kinds, q, total, troubles } }: { visit: Visit; address: string; list: ReleaseListing }) {
  const asked = (one: ReleaseKind) => `${address}?${new URLSearchParams({ ...(one === 'all' ? {} : { filter: one }), ...(q === '' ? {} : { q }) })}`
  return (
    <>
      <Trouble text={troubles.length === 0 ? undefined : troubles.join(' ')} />
      <form class="search" method="get" action={address}>
        <input type="search" name="q" value={q} aria-label="Search releases" placeholder="Search releases" maxlength="255" />
        {kind !== 'all' && <input type="hidden" name="filter" value={kind} />}
        <button type="submit">Search</button>
      </form>
      <Tabs visit={visit} label="Filter releases" now={kind} tabs={kinds.map((one) => ({ name: one, href: asked(one), text: kindWords[one] }))} />
      {total === 0 && q === '' && kind === 'all' && (
        <Empty visit={visit} icon="package" title="No releases yet">
          A release publishes a tag with a title, release notes and files.
        </Empty>
      )}
      {total === 0 && (q !== '' || kind !== 'all') && (
        <Empty visit={visit} icon="package" title={q === '' ? `No ${kindWords[kind].toLowerCase()} yet` : `No releases match “${q}”`}>
          <a href={address}>All releases</a>
        </Empty>
      )}
    </>
  )
}

interface OneProps {
  visit: Visit
  address: string
  release: Release
  text: Html | undefined
  mayWrite: boolean
  /** Among others, of which several can be chosen. */
  isListed: boolean
}

function OneRelease({ visit, address, release, text, mayWrite, isListed }: OneProps) {
  return (
    <article class="written">
      <h3>
        {mayWrite && isListed && <input type="checkbox" name="release" value={release.id} form={CHOSEN} aria-label={`Select ${release.name}`} />}{' '}
        <a dir="auto" href={release.html_url}>
          {release.name}
        </a>
        {release.draft && <span class="mark">Draft</span>}
        {release.prerelease && <span class="mark warn">Pre-release</span>}
      </h3>
      <p class="meta">
        <span>
          <Icon visit={visit} name="tag" />
          {release.tag_name}
        </span>
        {release.author && (
          <span>
            <Avatar visit={visit} of={release.author} />
            {release.author.login}
          </span>
        )}
        <span>
          <Icon visit={visit} name="calendar" />
          <Time at={Date.parse(release.published_at) / 1000} />
        </span>
      </p>
      <div class="text">{text}</div>
      {release.assets.length > 0 && <Files visit={visit} release={release} />}
      {!release.draft && (
        <p class="meta">
          <span>
            <Icon visit={visit} name="download" />
            <a href={release.zipball_url}>Source code (zip)</a> · <a href={release.tarball_url}>Source code (tar.gz)</a>
          </span>
        </p>
      )}
      {mayWrite && <Changes address={address} id={release.id} />}
    </article>
  )
}

/** Its own files: how large they are, and how often each was fetched. */
function Files({ visit, release: { name, assets } }: { visit: Visit; release: Release }) {
  return (
    <ul class="list downloads" aria-label={`Files of ${name}`}>
      {assets.map((asset) => (
        <li class="line">
          <Icon visit={visit} name="package" />
          <a href={asset.browser_download_url}>{asset.name}</a>
          <span class="number faint">
            <Size bytes={asset.size} />
          </span>
          <span class="number faint">{countText(asset.download_count, 'download')}</span>
        </li>
      ))}
    </ul>
  )
}

function Changes({ address, id }: { address: string; id: number }) {
  return (
    <details>
      <summary>Edit</summary>
      <p>
        <a href={`${address}/edit/${id}`}>Edit release and files</a>
      </p>
      <AddAsset action={`${address}/${id}/files`} />
      <form method="post" action={`${address}/${id}/delete`}>
        <button class="danger" type="submit">
          Delete release (keep tag)
        </button>
      </form>
    </details>
  )
}
