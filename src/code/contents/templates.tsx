import { atLeast, type RepoAccess } from '#access/index.ts'
import { type Html, Layout, Linked, RepoFrame, type Visit } from '#web/index.ts'
import { cloneAddress } from './clone-menu.tsx'

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
      <p>
        <Linked text={row.description} />
      </p>
      <p class="faint">The code of this repository is not open to you.</p>
    </Layout>
  )
}
