import { t } from 'elysia'
import { PageQuery, RepoParams } from '#access/index.ts'
import { CommitUser } from '#code/commits/index.ts'
import { Int } from '#kernel/schema.ts'

/** `commiter` is how Gitea spells it. */
export const WikiCommit = t.Object({ sha: t.String(), author: CommitUser, commiter: CommitUser, message: t.String() }, { $id: 'WikiCommit' })

const common = {
  title: t.String(),
  html_url: t.String(),
  sub_url: t.String({ description: 'page name as in URLs' }),
  last_commit: WikiCommit,
}

export const WikiPageMetaData = t.Object(common, { $id: 'WikiPageMetaData' })
export const WikiPageList = t.Array(WikiPageMetaData)

export const WikiPage = t.Object(
  {
    ...common,
    content_base64: t.String({ description: 'content in base64; empty if the page is larger than api.DEFAULT_MAX_BLOB_SIZE' }),
    commit_count: Int(),
    sidebar: t.String({ description: 'content of the page _Sidebar in base64; empty if there is none' }),
    footer: t.String({ description: 'content of the page _Footer in base64; empty if there is none' }),
  },
  { $id: 'WikiPage' },
)

export const WikiCommitList = t.Object({ commits: t.Array(WikiCommit), count: Int() }, { $id: 'WikiCommitList' })

export const CreateWikiPageOptions = t.Object(
  {
    title: t.Optional(t.String({ maxLength: 255, description: 'title of the page; a new title renames the page' })),
    content_base64: t.Optional(t.String({ maxLength: 67_108_864 })),
    message: t.Optional(t.String({ maxLength: 65_536, description: 'commit message' })),
  },
  { $id: 'CreateWikiPageOptions' },
)
export type CreateWikiPageOptions = typeof CreateWikiPageOptions.static

export const PageParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'pageName', description: 'name of the page' }) })
export const RevisionsQuery = t.Object({ page: PageQuery.properties.page })
