import { Elysia, t } from 'elysia'
import { gate, requireUser } from '#access/index.ts'
import { anchorOf, listChanges } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { mendable, seeOther, Visit } from '#web/index.ts'
import { getPull, IssueParams } from '#work/issues/index.ts'
import { getPullRow, mergeBaseOf } from '#work/pulls/index.ts'
import { markViewed } from '#work/reviews/index.ts'
import { showPullFiles } from './files.tsx'

const Side = t.String({ maxLength: 80 })
const ViewedForm = t.Object({
  path: t.String({ maxLength: 4096 }),
  old_side: Side,
  new_side: Side,
  viewed: t.Boolean(),
  skip: t.Optional(t.String({ maxLength: 20 })),
})

/** Which files of a pull request somebody has looked at. */
export function viewedPages(context: Context) {
  return new Elysia({ name: 'pulls.viewed' }).use(gate(context, 'page')).post(
    '/:owner/:repo/pulls/:index/viewed',
    async (asked) => {
      requireUser(asked.viewer)
      const { viewer, repo, params, body } = asked
      const { skip = '', viewed: isViewed, ...file } = body
      const visit = new Visit(context, viewer, asked.request)
      const issue = getPull(context, asked)
      const pull = getPullRow(context.db, issue)
      const { files } = await listChanges(context, { where: pull.repo_id, from: await mergeBaseOf(context, pull), to: pull.head_oid })
      try {
        markViewed(context, viewer, issue, files, { ...file, isViewed })
      } catch (error) {
        return showPullFiles(context, visit, repo, issue, { error: mendable(error).message })
      }
      const query = /^[1-9]\d*$/.test(skip) ? `?skip=${skip}` : ''
      return seeOther(`${visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${params.index}/files`}${query}#${anchorOf(file.path)}`)
    },
    { repo: 'pulls:read', params: IssueParams, body: ViewedForm, detail: { hide: true } },
  )
}
