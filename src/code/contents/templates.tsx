import { atLeast, type RepoAccess } from '#access/index.ts'
import { type Html, Layout, RepoFrame, type Visit } from '#web/index.ts'
import { cloneAddress } from './clone-menu.tsx'
import { Crumbs, EditLinks, type PlaceProps, sizeText } from './place-bar.tsx'

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
