import { atLeast, type RepoAccess } from '#access/index.ts'
import { type Html, Layout, Linked, RepoFrame, type Visit } from '#web/index.ts'
import { cloneAddress } from './clone-menu.tsx'

/** Says to who may push how to do that, with this address and their name. */
export function EmptyPage({ visit, repo, offer }: { visit: Visit; repo: RepoAccess; offer?: Html }) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="code">
      {offer}
      <h2>This repository is empty</h2>
      {atLeast(repo.permission.of('code'), 'write') && repo.row.archived_at === null ? (
        <HowToFill visit={visit} repo={repo} />
      ) : (
        <p>Nothing has been pushed to it yet.</p>
      )}
    </RepoFrame>
  )
}

function HowToFill({ visit, repo }: { visit: Visit; repo: RepoAccess }) {
  const { owner, row } = repo
  const address = cloneAddress(visit, repo)
  return (
    <>
      <p>
        <a href={visit.to`/${owner.name}/${row.name}/_new/${row.default_branch}`}>Write a first file here</a>, or push one.
      </p>
      <p>Push what you have, from its directory:</p>
      <pre>{`git remote add origin ${address}\ngit push -u origin HEAD:${row.default_branch}`}</pre>
      <p>Or begin anew:</p>
      <pre>{`git init -b ${row.default_branch}\ngit commit --allow-empty -m "Begin"\ngit remote add origin ${address}\ngit push -u origin HEAD`}</pre>
    </>
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
