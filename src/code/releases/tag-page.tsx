import { atLeast, type RepoAccess } from '#access/index.ts'
import { MadeBy, People } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { TagDescription } from '#git/browse/describe-tag.ts'
import { TAGS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import { findRef, type RefRow } from '#repositories/refs/index.ts'
import { answerPage, Icon, RepoFrame, Time, type Visit } from '#web/index.ts'

/** Shows a tag that has no release. @throws NotFound when there is no such tag, or the viewer cannot read the code */
export async function showTag(context: Pick<Context, 'db' | 'git' | 'rootUrl'>, visit: Visit, repo: RepoAccess, name: string): Promise<Response> {
  const ref = atLeast(repo.permission.of('code'), 'read') ? findRef(context.db, repo.row.id, TAGS + name) : undefined
  if (!ref) throw new NotFound()
  const [description] = (await context.git.run('describeTags', repo.row.id, { oids: [ref.oid] })) as [TagDescription]
  const people = new People(context, visit.viewer)
  people.meet(description.who ? [description.who.email] : [])
  return answerPage(<TagPage visit={visit} repo={repo} name={name} tag={ref} description={description} people={people} />, 200, visit.unindexed)
}

interface Props {
  visit: Visit
  repo: RepoAccess
  name: string
  tag: RefRow
  description: TagDescription
  people: People
}

function TagPage({ visit, repo, name, tag, description, people }: Props) {
  const { owner, row, permission } = repo
  const { type, message, who } = description
  const commit = tag.peeled ?? tag.oid
  const mayRelease = atLeast(permission.of('releases'), 'write') && row.archived_at === null
  const base = `${owner.name}/${row.name}`
  return (
    <RepoFrame visit={visit} repo={repo} tab="tags" title={name}>
      <div class="bar">
        <h2>
          <Icon visit={visit} name="tag" /> {name}
        </h2>
        <div class="buttons">
          <a class="button primary" href={visit.to`/${base}/src/tag/${name}`}>
            Browse files
          </a>
          {mayRelease && (
            <a class="button" href={`${visit.to`/${base}/releases/new`}?tag=${encodeURIComponent(name)}`}>
              Create release
            </a>
          )}
        </div>
      </div>
      <p class="faint">
        {who && (
          <>
            <MadeBy visit={visit} people={people} who={who} /> {type === 'tag' ? 'tagged' : 'committed'} <Time at={who.seconds} dated />
            {' · '}
          </>
        )}
        {type === 'commit' || tag.peeled ? (
          <a class="code" href={visit.to`/${base}/commit/${commit}`}>
            {commit.slice(0, 10)}
          </a>
        ) : (
          <code>{commit}</code>
        )}
      </p>
      {message !== '' && <pre>{message.trim()}</pre>}
      <h3>Downloads</h3>
      <ul>
        {(['zip', 'tar.gz'] as const).map((format) => (
          <li>
            <a href={visit.to`/${base}/archive/${`${name}.${format}`}`} rel="nofollow">
              {`Source code (${format})`}
            </a>
          </li>
        ))}
      </ul>
    </RepoFrame>
  )
}
