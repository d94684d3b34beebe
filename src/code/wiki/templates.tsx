import { atLeast, type RepoAccess } from '#access/index.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Page } from '#kernel/page.ts'
import { countText, Empty, type Html, Pager, RepoFrame, Time, type Visit } from '#web/index.ts'
import { titleOf } from './page-names.ts'

interface WikiProps {
  visit: Visit
  repo: RepoAccess
}

/** Names of pages are escaped by rules of their own, so they are no part of what `visit.to` encodes. */
function addressOf(visit: Visit, { owner, row }: RepoAccess, name: string): string {
  return `${visit.to`/${owner.name}/${row.name}/wiki/`}${name}`
}

function mayWrite({ row, permission }: RepoAccess): boolean {
  return row.archived_at === null && atLeast(permission.of('wiki'), 'write')
}

export function ReadPage({ visit, repo, name, body, sidebar, footer }: WikiProps & { name: string; body: Html; sidebar?: Html; footer?: Html }) {
  const title = titleOf(name)
  return (
    <RepoFrame visit={visit} repo={repo} tab="wiki" title={title}>
      <div class="bar">
        <h2 dir="auto">{title}</h2>
        <span class="actions">
          {mayWrite(repo) && [<a href={addressOf(visit, repo, `_edit/${name}`)}>Edit</a>, ' ', <a href={addressOf(visit, repo, '_new')}>New page</a>, ' ']}
          <a href={addressOf(visit, repo, '_pages')}>All pages</a> <a href={`${addressOf(visit, repo, name)}?action=_revision`}>History</a>{' '}
          <a href={addressOf(visit, repo, `raw/${name}`)}>Raw</a>
        </span>
      </div>
      <div class={sidebar ? 'beside' : undefined}>
        <div>
          <article class="readme">{body}</article>
          {footer && <footer class="readme">{footer}</footer>}
        </div>
        {sidebar && (
          <aside class="readme" aria-label="Sidebar">
            {sidebar}
          </aside>
        )}
      </div>
    </RepoFrame>
  )
}

/** Says how to begin a wiki, to those who may. */
export function EmptyWikiPage({ visit, repo, hasPages }: WikiProps & { hasPages: boolean }) {
  const { owner, row } = repo
  const url = new URL(`${encodeURIComponent(owner.name)}/${encodeURIComponent(row.name)}.wiki.git`, visit.root)
  if (visit.viewer.user) url.username = visit.viewer.user.name
  return (
    <RepoFrame visit={visit} repo={repo} tab="wiki" title="Wiki">
      <h2>{hasPages ? 'This wiki has no Home page' : 'This wiki is empty'}</h2>
      {hasPages && (
        <p>
          <a href={addressOf(visit, repo, '_pages')}>All pages</a>
        </p>
      )}
      {mayWrite(repo) && (
        <p>
          <a href={addressOf(visit, repo, '_new')}>{hasPages ? 'Create the Home page' : 'Create the first page'}</a>, or push pages with git.
        </p>
      )}
      {mayWrite(repo) && <p>Each file Name.md that you push becomes a page. Home.md is the start page:</p>}
      {mayWrite(repo) && <pre>{`git remote add wiki ${url.href}\ngit push wiki HEAD`}</pre>}
    </RepoFrame>
  )
}

/** Where a page leads that nobody has written yet. */
export function NoWikiPage({ visit, repo, name }: WikiProps & { name: string }) {
  const title = titleOf(name)
  return (
    <RepoFrame visit={visit} repo={repo} tab="wiki" title={title}>
      <h2>{title}</h2>
      <Empty visit={visit} icon="book" title="This page does not exist yet">
        <p class="ways-out">
          {mayWrite(repo) && (
            <a class="button primary" href={`${addressOf(visit, repo, '_new')}?title=${encodeURIComponent(title)}`}>
              Create page
            </a>
          )}
          <a class="button" href={addressOf(visit, repo, '_pages')}>
            All pages
          </a>
        </p>
      </Empty>
    </RepoFrame>
  )
}

interface ListProps extends WikiProps {
  pages: readonly { name: string; commit: CommitDetails }[]
  page: Page
  total: number
}

export function ListPage({ visit, repo, pages, page, total }: ListProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="wiki" title="Wiki pages">
      <div class="bar">
        <h2>Pages</h2>
        {mayWrite(repo) && (
          <a class="button primary" href={addressOf(visit, repo, '_new')}>
            New page
          </a>
        )}
      </div>
      {total === 0 && <Empty visit={visit} icon="book" title="No pages yet" />}
      {total > 0 && (
        <ul class="list">
          {pages.map(({ name, commit: { commit } }) => (
            <li>
              <a href={addressOf(visit, repo, name)}>{titleOf(name)}</a>
              <p class="faint">
                {commit.author.name}, <Time at={commit.author.seconds} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}

interface RevisionProps extends WikiProps {
  name: string
  title: string
  commits: readonly CommitDetails[]
  page: Page
  total: number
}

export function RevisionsPage({ visit, repo, name, title, commits, page, total }: RevisionProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="wiki" title={`Revisions of ${title}`}>
      <h2>
        {countText(total, 'revision')} of <a href={addressOf(visit, repo, name)}>{title}</a>
      </h2>
      <ul class="list">
        {commits.map(({ oid, commit }) => (
          <li>
            {commit.message.split('\n', 1)[0] || '(no message)'}
            <p class="faint">
              <code>{oid.slice(0, 10)}</code> {commit.author.name}, <Time at={commit.author.seconds} />
            </p>
          </li>
        ))}
      </ul>
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
