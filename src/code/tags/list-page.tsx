import { atLeast, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { TAGS } from '#git/refs/names.ts'
import type { Page } from '#kernel/page.ts'
import { searchRefs } from '#repositories/refs/index.ts'
import { answerPage, Empty, Icon, Pager, RepoFrame, Time, Trouble, type Visit } from '#web/index.ts'
import { type DescribedTag, describeTags, listTags } from './list-tags.ts'

export interface TagQuestion {
  /** A part of their names. */
  text: string
  page: Page
}

/** The tags of a repository, the newest first, or those that have a text in their names. */
export async function showTags(
  context: Pick<Context, 'db' | 'git'>,
  visit: Visit,
  repo: RepoAccess,
  { text, page }: TagQuestion,
  error?: string,
): Promise<Response> {
  const { tags, total } = text === '' ? await listTags(context, repo, page) : await findTags(context, repo, text, page)
  const props = { visit, repo, tags, total, text, page, error }
  return answerPage(<TagsPage {...props} />, error === undefined ? 200 : 409, visit.unindexed)
}

async function findTags(
  context: Pick<Context, 'db' | 'git'>,
  repo: RepoAccess,
  text: string,
  { limit }: Page,
): Promise<{ tags: DescribedTag[]; total: number }> {
  const refs = await searchRefs(context.db, repo.row.id, { prefix: TAGS, text, limit })
  return { tags: await describeTags(context, repo, refs), total: refs.length }
}

interface Props {
  visit: Visit
  repo: RepoAccess
  tags: readonly DescribedTag[]
  total: number
  text: string
  page: Page
  error: string | undefined
}

function TagsPage({ visit, repo, tags, total, text, page, error }: Props) {
  const { owner, row, permission } = repo
  const address = visit.to`/${owner.name}/${row.name}/tags`
  const mayChange = atLeast(permission.of('code'), 'write') && row.archived_at === null && row.is_mirror === 0
  return (
    <RepoFrame visit={visit} repo={repo} tab="tags" title="Tags" feed={address}>
      <h2>Tags</h2>
      <form class="search" method="get" action={address}>
        <input type="search" name="q" value={text} aria-label="Search tags" placeholder="Search tags" maxlength="1024" />
        <button type="submit">Search</button>
      </form>
      <Trouble text={error} />
      {tags.length === 0 && <Empty visit={visit} icon="tag" title={text === '' ? 'No tags yet' : 'No tags found'} />}
      <form method="post" action={`${address}/delete`}>
        {tags.length > 0 && (
          <ul class="list">
            {tags.map((tag) => (
              <TagRow visit={visit} repo={repo} tag={tag} mayChange={mayChange} />
            ))}
          </ul>
        )}
        {mayChange && tags.length > 0 && (
          <p>
            <button class="danger" type="submit">
              Delete selected tags
            </button>
          </p>
        )}
      </form>
      {text === '' && <Pager visit={visit} page={page} total={total} />}
    </RepoFrame>
  )
}

function TagRow({
  visit,
  repo: { owner, row },
  tag: { ref, description },
  mayChange,
}: Pick<Props, 'visit' | 'repo'> & { tag: DescribedTag; mayChange: boolean }) {
  const name = ref.name.slice(TAGS.length)
  const base = `${owner.name}/${row.name}`
  const commit = ref.peeled ?? ref.oid
  const { message, who } = description
  return (
    <li class="entry">
      {mayChange && <input type="checkbox" name="name" value={name} aria-label={`Select ${name}`} />}
      <div class="what grows">
        <a href={visit.to`/${base}/src/tag/${name}`}>
          <Icon visit={visit} name="tag" /> {name}
        </a>
        <p class="faint">
          {message.trimStart().split('\n', 1)[0]} {who && <Time at={who.seconds} />}
        </p>
      </div>
      <span class="buttons">
        {description.type === 'commit' || ref.peeled ? (
          <a class="code" href={visit.to`/${base}/commit/${commit}`}>
            {commit.slice(0, 10)}
          </a>
        ) : null}
        {(['zip', 'tar.gz'] as const).map((kind) => (
          <a href={visit.to`/${base}/archive/${`${name}.${kind}`}`} rel="nofollow" aria-label={`Download ${name} as ${kind}`}>
            {kind}
          </a>
        ))}
      </span>
    </li>
  )
}
