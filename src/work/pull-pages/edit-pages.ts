import { Elysia, t } from 'elysia'
import { gate, refuseArchived, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { findRef } from '#repositories/refs/index.ts'
import { type Asked, getPull, IssueParams } from '#work/issues/index.ts'
import { editPull, setDraft } from '#work/pulls/index.ts'
import { askCodeOwners } from '#work/reviews/index.ts'
import { attempt } from './attempt.ts'

const DraftForm = t.Object({ action: t.Union([t.Literal('draft'), t.Literal('ready')]) })
const EditsForm = t.Object({ allow: t.Boolean() })
const BaseForm = t.Object({ base: t.String({ maxLength: 1024 }) })

/** What a pull request is, changed from its page: a draft or ready, into which branch it is to be merged, and who pushes to its own. */
export function editPages(context: Context) {
  const edit = (asked: Asked, work: (issue: ReturnType<typeof getPull>) => unknown) => {
    requireUser(asked.viewer)
    return attempt(context, asked, async () => {
      refuseArchived(asked.repo)
      const issue = getPull(context, asked)
      work(issue)
      await askCodeOwners(context, issue.id)
    })
  }
  return new Elysia({ name: 'pulls.edits' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/pulls/:index/draft',
      (asked) => edit(asked, (issue) => setDraft(context, asked.viewer, asked.repo, issue, asked.body.action === 'draft')),
      {
        repo: 'pulls:read',
        params: IssueParams,
        body: DraftForm,
        detail: { hide: true },
      },
    )
    .post(
      '/:owner/:repo/pulls/:index/base',
      (asked) =>
        edit(asked, (issue) => {
          const base = asked.body.base.trim()
          if (!findRef(context.db, asked.repo.row.id, HEADS + base))
            throw new Unprocessable(`Cannot change the base: branch "${base.slice(0, 200)}" does not exist in this repository.`)
          editPull(context, asked.viewer, asked.repo, issue, { base })
        }),
      { repo: 'pulls:read', params: IssueParams, body: BaseForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/edits',
      (asked) => edit(asked, (issue) => editPull(context, asked.viewer, asked.repo, issue, { allow_maintainer_edit: asked.body.allow })),
      { repo: 'pulls:read', params: IssueParams, body: EditsForm, detail: { hide: true } },
    )
}
