import { atLeast, type RepoAccess } from '#access/index.ts'
import type { RefPath } from '#code/commits/index.ts'
import type { ListedEntry } from '#git/browse/list-tree.ts'
import { type Html, Layout, RepoFrame, type Visit } from '#web/index.ts'

interface PlaceProps {
  visit: Visit
  repo: RepoAccess
  place: RefPath
}

const TREE = 0o040000

interface TreeProps extends PlaceProps {
  entries: readonly ListedEntry[]
  total: number
  readme?: Html
  /** What whom the repository is offered to is asked. */
  offer?: Html
}

export function TreePage({ visit, repo, place, entries, total, readme, offer }: TreeProps) {
  const { owner, row } = repo
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={place.path === '' ? undefined : place.path}>
      {offer}
      {place.path === '' && row.description !== '' && <p>{row.description}</p>}
      <div class="bar">
        <Crumbs visit={visit} repo={repo} place={place} />
        <span>
          <EditLinks visit={visit} repo={repo} place={place} actions={['_new', '_upload']} />{' '}
          <a href={visit.to`/${owner.name}/${row.name}/commits/${place.kind}/${place.name}/${place.path}`}>History</a>
        </span>
      </div>
      {place.path === '' && <Address visit={visit} repo={repo} />}
      <table class="tree">
        <tbody>
          {entries.map(({ path, mode, size }) => (
            <tr>
              <td>
                <a href={visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${place.path === '' ? path : `${place.path}/${path}`}`}>
                  {mode === TREE ? `${path}/` : path}
                </a>
              </td>
              <td class="number faint">{mode === TREE ? '' : sizeText(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > entries.length && <p class="faint">{`${total - entries.length} more entries are not shown.`}</p>}
      {readme && <article class="readme">{readme}</article>}
    </RepoFrame>
  )
}

/** How a file is shown. */
export type FileView = { kind: 'picture' } | { kind: 'hidden'; why: string } | { kind: 'lines'; lines: Html; count: number; document?: Html }

export function FilePage({ visit, repo, place, size, view }: PlaceProps & { size: number; view: FileView }) {
  const { owner, row } = repo
  const rawAddress = visit.to`/${owner.name}/${row.name}/raw/${place.kind}/${place.name}/${place.path}`
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={place.path}>
      <div class="bar">
        <Crumbs visit={visit} repo={repo} place={place} />
        <span>
          <EditLinks visit={visit} repo={repo} place={place} actions={['_edit', '_delete']} />{' '}
          <a href={visit.to`/${owner.name}/${row.name}/src/commit/${place.commit}/${place.path}`}>Permalink</a> <a href={rawAddress}>Raw</a>{' '}
          {view.kind === 'lines' && <a href={visit.to`/${owner.name}/${row.name}/blame/${place.kind}/${place.name}/${place.path}`}>Blame</a>}{' '}
          <a href={visit.to`/${owner.name}/${row.name}/commits/${place.kind}/${place.name}/${place.path}`}>History</a>
        </span>
      </div>
      <p class="faint">
        {view.kind === 'lines' && `${view.count} ${view.count === 1 ? 'line' : 'lines'}, `}
        {sizeText(size)}
      </p>
      {view.kind === 'picture' && <img src={rawAddress} alt={place.path} />}
      {view.kind === 'hidden' && (
        <p>
          {view.why} <a href={rawAddress}>Open it as it is</a>
        </p>
      )}
      {view.kind === 'lines' && view.document && <article class="readme">{view.document}</article>}
      {view.kind === 'lines' && (
        <div class="blob code">
          <table>{view.lines}</table>
        </div>
      )}
    </RepoFrame>
  )
}

const actionNames = { _new: 'New file', _upload: 'Upload', _edit: 'Edit', _delete: 'Delete' }

/** What who may write can do with a file or directory of a branch. */
function EditLinks({ visit, repo, place, actions }: PlaceProps & { actions: readonly (keyof typeof actionNames)[] }) {
  const { owner, row, permission } = repo
  const mayEdit = place.kind === 'branch' && row.archived_at === null && row.is_mirror === 0 && atLeast(permission.of('code'), 'write')
  if (!mayEdit) return null
  return (
    <>
      {actions.map((action) => (
        <>
          <a href={visit.to`/${owner.name}/${row.name}/${action}/${place.name}/${place.path}`}>{actionNames[action]}</a>{' '}
        </>
      ))}
    </>
  )
}

/** Says how to push with this address and this person's name. */
export function EmptyPage({ visit, repo, offer }: { visit: Visit; repo: RepoAccess; offer?: Html }) {
  const address = cloneAddress(visit, repo)
  return (
    <RepoFrame visit={visit} repo={repo} tab="code">
      {offer}
      <h2>This repository is empty</h2>
      {atLeast(repo.permission.of('code'), 'write') && (
        <p>
          <a href={visit.to`/${repo.owner.name}/${repo.row.name}/_new/${repo.row.default_branch}`}>Write a first file here</a>, or push one.
        </p>
      )}
      {visit.viewer.user && <p>Push what you have, from its directory:</p>}
      {visit.viewer.user && <pre>{`git remote add origin ${address}\ngit push -u origin HEAD:${repo.row.default_branch}`}</pre>}
      {visit.viewer.user && <p>Or begin anew:</p>}
      {visit.viewer.user && (
        <pre>{`git init -b ${repo.row.default_branch}\ngit commit --allow-empty -m "Begin"\ngit remote add origin ${address}\ngit push -u origin HEAD`}</pre>
      )}
    </RepoFrame>
  )
}

export function NoCodePage({ visit, repo: { owner, row } }: { visit: Visit; repo: RepoAccess }) {
  const name = `${owner.name}/${row.name}`
  return (
    <Layout visit={visit} title={name}>
      <h1>{name}</h1>
      <p>{row.description}</p>
      <p class="faint">The code of this repository is not open to you.</p>
    </Layout>
  )
}

function Address({ visit, repo }: { visit: Visit; repo: RepoAccess }) {
  return (
    <p>
      <code>git clone {cloneAddress(visit, repo)}</code>
    </p>
  )
}

/** With the viewer's name, so that git asks for the password alone. */
function cloneAddress({ root, viewer }: Visit, { owner, row }: RepoAccess): string {
  const url = new URL(`${encodeURIComponent(owner.name)}/${encodeURIComponent(row.name)}.git`, root)
  if (viewer.user) url.username = viewer.user.name
  return url.href
}

function Crumbs({ visit, repo: { owner, row }, place }: PlaceProps) {
  const parts = place.path === '' ? [] : place.path.split('/')
  const above = (n: number) => visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${parts.slice(0, n).join('/')}`
  return (
    <nav class="crumbs" aria-label="Path">
      <strong>{place.kind === 'commit' ? place.name.slice(0, 10) : place.name}</strong>: <a href={above(0)}>{row.name}</a>
      {parts.map((part, i) => [' / ', i === parts.length - 1 ? <strong>{part}</strong> : <a href={above(i + 1)}>{part}</a>])}
    </nav>
  )
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
