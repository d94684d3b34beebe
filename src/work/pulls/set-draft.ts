import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { asDraft, asReady, findIssueById, type IssueRow, trimTitle } from '#work/issues/index.ts'
import { editPull } from './edit-pull.ts'

/**
 * Makes a pull request a draft, or says that it is ready, by its title as it is now; nothing happens where it is so already.
 * @throws Unprocessable for a title that has no room for that, or says nothing else; else as `editPull`
 */
export function setDraft(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow, isDraft: boolean): IssueRow {
  return context.db.tx((tx) => {
    const issue = findIssueById(tx, seen.id)
    if (!issue) throw new NotFound()
    const title = isDraft ? asDraft(issue.title) : asReady(issue.title)
    if (title === '') throw new Unprocessable('The title contains nothing but the draft prefix. Change the title first.')
    if (trimTitle(title) !== title) throw new Unprocessable('The title is too long to add the prefix "WIP:". Shorten the title first.')
    return editPull(context, viewer, repo, issue, { title })
  })
}
