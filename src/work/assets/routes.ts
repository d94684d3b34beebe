import { Elysia } from 'elysia'
import { gate, noContent, operation, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Forbidden } from '#kernel/errors.ts'
import { readsBody } from '#kernel/slice.ts'
import { Attachment, AttachmentList, type AttachmentRow, listAttachmentsOf, presentAttachment } from '#work/attachments/index.ts'
import { CommentParams, getComment } from '#work/comments/index.ts'
import { type Asked, getIssue, IssueParams, isPoster, isRepoAdmin, isWriter } from '#work/issues/index.ts'
import { addAsset, getAsset, type Place, removeAsset, renameAsset } from './change-assets.ts'
import { CommentAssetParams, EditAttachmentOptions, IssueAssetParams, UploadForm, UploadQuery } from './schema.ts'

/** Files beside issues and comments. */
export function assets(context: Context) {
  return new Elysia({ name: 'assets' }).use(ofIssues(context)).use(ofComments(context))
}

function ofIssues(context: Context) {
  const present = (row: AttachmentRow) => presentAttachment(context, row)
  const placeOf = (asked: Asked): Place => {
    const { viewer, repo } = asked
    const issue = getIssue(context, asked)
    const requireOwner = () => {
      if (!isPoster(viewer, issue) && !isWriter(repo, issue)) throw new Forbidden('user should have permission to write issue')
    }
    return { viewer, repo, issue, holder: { kind: 'issue', id: issue.id }, requireOwner }
  }
  return new Elysia({ name: 'assets.issues' })
    .use(gate(context))
    .get('/repos/:owner/:repo/issues/:index/assets', (asked) => listAttachmentsOf(context.db, 'issue', [placeOf(asked).holder.id]).map(present), {
      repo: 'issues|pulls:read',
      params: IssueParams,
      response: { 200: AttachmentList },
      detail: operation('issueListIssueAttachments', "List issue's attachments", 'issue'),
    })
    .post('/repos/:owner/:repo/issues/:index/assets', async (asked) => present(await addAsset(context, placeOf(asked), asked.request, asked.query)), {
      repo: 'issues|pulls:read',
      params: IssueParams,
      query: UploadQuery,
      response: { 201: Attachment },
      detail: { ...operation('issueCreateIssueAttachment', 'Create an issue attachment', 'issue'), ...readsBody, reads: UploadForm },
    })
    .get('/repos/:owner/:repo/issues/:index/assets/:attachment_id', (asked) => present(getAsset(context, placeOf(asked), asked.params.attachment_id)), {
      repo: 'issues|pulls:read',
      params: IssueAssetParams,
      response: { 200: Attachment },
      detail: operation('issueGetIssueAttachment', 'Get an issue attachment', 'issue'),
    })
    .patch(
      '/repos/:owner/:repo/issues/:index/assets/:attachment_id',
      (asked) => present(renameAsset(context, placeOf(asked), asked.params.attachment_id, asked.body.name)),
      {
        repo: 'issues|pulls:read',
        params: IssueAssetParams,
        body: EditAttachmentOptions,
        response: { 201: Attachment },
        detail: operation('issueEditIssueAttachment', 'Edit an issue attachment', 'issue'),
      },
    )
    .delete('/repos/:owner/:repo/issues/:index/assets/:attachment_id', (asked) => removeAsset(context, placeOf(asked), asked.params.attachment_id), {
      repo: 'issues|pulls:read',
      params: IssueAssetParams,
      response: noContent,
      detail: operation('issueDeleteIssueAttachment', 'Delete an issue attachment', 'issue'),
    })
}

function ofComments(context: Context) {
  const present = (row: AttachmentRow) => presentAttachment(context, row)
  const placeOf = ({ viewer, repo, params }: { viewer: Viewer; repo: RepoAccess; params: { id: string } }): Place => {
    const { comment, issue } = getComment(context, viewer, repo, params.id)
    const requireOwner = () => {
      const isOwner = isPoster(viewer, comment) || isRepoAdmin(repo)
      if (!isOwner || !isWriter(repo, issue)) throw new Forbidden('user should have permission to edit comment')
    }
    return { viewer, repo, issue, holder: { kind: 'comment', id: comment.id }, requireOwner }
  }
  return new Elysia({ name: 'assets.comments' })
    .use(gate(context))
    .get('/repos/:owner/:repo/issues/comments/:id/assets', (asked) => listAttachmentsOf(context.db, 'comment', [placeOf(asked).holder.id]).map(present), {
      repo: 'issues|pulls:read',
      params: CommentParams,
      response: { 200: AttachmentList },
      detail: operation('issueListIssueCommentAttachments', "List comment's attachments", 'issue'),
    })
    .post('/repos/:owner/:repo/issues/comments/:id/assets', async (asked) => present(await addAsset(context, placeOf(asked), asked.request, asked.query)), {
      repo: 'issues|pulls:read',
      params: CommentParams,
      query: UploadQuery,
      response: { 201: Attachment },
      detail: { ...operation('issueCreateIssueCommentAttachment', 'Create a comment attachment', 'issue'), ...readsBody, reads: UploadForm },
    })
    .get('/repos/:owner/:repo/issues/comments/:id/assets/:attachment_id', (asked) => present(getAsset(context, placeOf(asked), asked.params.attachment_id)), {
      repo: 'issues|pulls:read',
      params: CommentAssetParams,
      response: { 200: Attachment },
      detail: operation('issueGetIssueCommentAttachment', 'Get a comment attachment', 'issue'),
    })
    .patch(
      '/repos/:owner/:repo/issues/comments/:id/assets/:attachment_id',
      (asked) => present(renameAsset(context, placeOf(asked), asked.params.attachment_id, asked.body.name)),
      {
        repo: 'issues|pulls:read',
        params: CommentAssetParams,
        body: EditAttachmentOptions,
        response: { 201: Attachment },
        detail: operation('issueEditIssueCommentAttachment', 'Edit a comment attachment', 'issue'),
      },
    )
    .delete('/repos/:owner/:repo/issues/comments/:id/assets/:attachment_id', (asked) => removeAsset(context, placeOf(asked), asked.params.attachment_id), {
      repo: 'issues|pulls:read',
      params: CommentAssetParams,
      response: noContent,
      detail: operation('issueDeleteIssueCommentAttachment', 'Delete a comment attachment', 'issue'),
    })
}
