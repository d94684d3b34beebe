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
        <p>No commits have been pushed yet.</p>
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
        <a href={visit.to`/${owner.name}/${row.name}/_new/${row.default_branch}`}>Create a new file</a>, or push an existing repository.
      </p>
      <p>Push an existing repository from the command line:</p>
      <pre>{`git remote add origin ${address}\ngit push -u origin HEAD:${row.default_branch}`}</pre>
      <p>Create a new repository on the command line:</p>
      <pre>{`git init -b ${row.default_branch}\ngit commit --allow-empty -m "Initial commit"\ngit remote add origin ${address}\ngit push -u origin HEAD`}</pre>
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
      <p class="faint">You do not have access to the code of this repository.</p>
    </Layout>
  )
}
