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
    <RepoFrame visit={visit} repo={repo} tab="code" title="Find a file">
      <div class="bar">
        <div class="buttons">
          <RefPicker visit={visit} repo={repo} place={{ ...place, path: '' }} view="find" choices={refChoices(context, repo)} />
          <h2>Find a file</h2>
        </div>
      </div>
      <form class="search" method="get" data-live action={visit.to`/${owner.name}/${row.name}/find/${place.kind}/${place.name}`}>
        <input type="search" name="q" value={query} aria-label="Letters of its path" placeholder="Letters of its path" maxlength="200" autofocus />
        <button type="submit">Find</button>
      </form>
      {paths.length === 0 && <Empty visit={visit} icon="search" title="No file has these letters in its path." />}
      {paths.length > 0 && (
        <ul class="list compact">
          {paths.map((path) => (
            <li>
              <Icon visit={visit} name="file" /> <a href={visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${path}`}>{path}</a>
            </li>
          ))}
        </ul>
      )}
      {paths.length === MOST_FOUND && <p class="faint">{`Only the best ${MOST_FOUND} are shown.`}</p>}
      {isCut && <p class="faint">There are more files than were looked through.</p>}
    </RepoFrame>,
    200,
    visit.unindexed,
  )
}
