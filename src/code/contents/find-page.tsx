import type { RepoAccess } from '#access/index.ts'
import { type RefPath, RefPicker, refChoices } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { answerPage, Empty, Icon, RepoFrame, type Visit } from '#web/index.ts'

const MOST_FOUND = 100

/** Files of a branch, tag or commit whose paths are like what was typed. */
export async function showFinder(context: Pick<Context, 'db' | 'git'>, visit: Visit, repo: RepoAccess, place: RefPath, query: string): Promise<Response> {
  const { owner, row } = repo
  const { tree } = await context.git.look('links', row.id, { oid: place.commit })
  const { paths, isCut } = await context.git.run('findPaths', row.id, { tree, query, limit: MOST_FOUND })
  return answerPage(
    <RepoFrame visit={visit} repo={repo} tab="code" title="Go to file">
      <div class="bar">
        <div class="buttons">
          <RefPicker visit={visit} repo={repo} place={{ ...place, path: '' }} view="find" choices={refChoices(context, repo)} />
          <h2>Go to file</h2>
        </div>
      </div>
      <form class="search" method="get" data-live action={visit.to`/${owner.name}/${row.name}/find/${place.kind}/${place.name}`}>
        <input type="search" name="q" value={query} aria-label="Search files" placeholder="Search files by path" maxlength="200" autofocus />
        <button type="submit">Search</button>
      </form>
      {paths.length === 0 && <Empty visit={visit} icon="search" title="No files found" />}
      {paths.length > 0 && (
        <ul class="list compact">
          {paths.map((path) => (
            <li>
              <Icon visit={visit} name="file" /> <a href={visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${path}`}>{path}</a>
            </li>
          ))}
        </ul>
      )}
      {paths.length === MOST_FOUND && <p class="faint">{`Showing the best ${MOST_FOUND} matches.`}</p>}
      {isCut && <p class="faint">The repository has too many files to search them all. Some matches may be missing.</p>}
    </RepoFrame>,
    200,
    visit.unindexed,
  )
}
