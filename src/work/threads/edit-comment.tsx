import { answerPage, RepoFrame, type Visit } from '#web/index.ts'
import type { CommentRow } from '#work/issues/index.ts'
import type { Place } from './act.ts'
import { previewAddress } from './view.ts'
import { EditFields } from './written.tsx'

/** Where a comment is changed that is too long for a form beside it. */
export function answerEdit(visit: Visit, { repo, issue }: Place, comment: CommentRow): Response {
  const thread = visit.to`/${repo.owner.name}/${repo.row.name}/issues/${issue.number}`
  const place = `${thread}/comments/${comment.id}`
  const edit = {
    action: place,
    previewAt: previewAddress(visit, repo),
    tickAction: `${place}/tick`,
    text: comment.body,
    version: comment.content_version,
    // What a review says goes with the review.
    ...(comment.type === 'review' ? {} : { deleteAction: `${place}/delete` }),
  }
  return answerPage(
    <RepoFrame visit={visit} repo={repo} tab={issue.is_pull === 1 ? 'pulls' : 'issues'} title={`Edit comment · #${issue.number}`}>
      <h2>Edit comment</h2>
      <EditFields visit={visit} edit={edit} />
      <p>
        <a href={`${thread}#issuecomment-${comment.id}`}>Cancel</a>
      </p>
    </RepoFrame>,
  )
}
