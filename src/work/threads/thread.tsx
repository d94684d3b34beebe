import { type Child, countText, type Html, Icon, Pager, RepoFrame, Time, type Visit } from '#web/index.ts'
import type { DeletedComment, ThreadEntry } from '#work/comments/index.ts'
import type { SignCount } from '#work/reactions/index.ts'
import { Deleted } from './deleted.tsx'
import { Happening } from './happening.tsx'
import { StateMark } from './marks.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { CommentForm } from './text-forms.tsx'
import { previewAddress, type ThreadView, threadAddress } from './view.ts'
import { rolesOf, Written } from './written.tsx'

interface Props {
  visit: Visit
  view: ThreadView
  /** What was typed and is not posted. */
  draft: string
  error: string | undefined
  preview: Html | undefined
  lostFiles: readonly string[] | undefined
  head: Child
  aside: Child
  foot: Child
  remarks: ReadonlyMap<number, Child> | undefined
  verdicts: ReadonlyMap<number, string> | undefined
}

export function ThreadPage({ visit, view, draft, error, preview, lostFiles, head, aside, foot, remarks, verdicts }: Props) {
  const { repo, issue, rights, entries, deleted: gone } = view
  const address = threadAddress(visit, view)
  const line = (one: DeletedComment) => <Deleted visit={visit} address={address} deleted={one} self={rights.self} />
  return (
    <RepoFrame visit={visit} repo={repo} tab={issue.pull_request ? 'pulls' : 'issues'} title={`${issue.title} · #${issue.number}`}>
      <div class="headline">
        <h2>
          <span dir="auto">{issue.title}</span> <span class="faint">{`#${issue.number}`}</span>
        </h2>
        <p>
          <StateMark visit={visit} issue={issue} />
          {issue.is_locked && (
            <span class="mark">
              <Icon visit={visit} name="lock" size={12} />
              Locked
            </span>
          )}{' '}
          <span class="faint">
            <a href={visit.to`/${issue.user.login}`}>{issue.user.login}</a>
            {' opened this '}
            <Time at={Date.parse(issue.created_at) / 1000} />
            {issue.comments > 0 && ` · ${countText(issue.comments, 'comment')}`}
          </span>
        </p>
      </div>
      {head}
      <div class="thread">
        <div>
          {view.page.page === 1 && <Opening visit={visit} view={view} address={address} />}
          {entries.map((entry, i) => [
            gone.filter(isBefore(entry, entries[i - 1])).map(line),
            hasText(entry) ? (
              <CommentOf visit={visit} view={view} address={address} entry={entry} verdict={verdicts?.get(entry.review_id)} />
            ) : (
              <Happening
                visit={visit}
                entry={entry}
                verdict={verdicts?.get(entry.review_id)}
                mention={entry.type === 'close' ? mentionOf(entries, entry) : undefined}
                home={visit.to`/${repo.owner.name}/${repo.row.name}`}
                pull={visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`}
              />
            ),
            entry.type === 'review' && remarks?.get(entry.review_id),
          ])}
          {gone.filter(isBefore(undefined, entries.at(-1))).map(line)}
          <Pager visit={visit} page={view.page} total={view.total} />
          {foot}
          {rights.comments && (
            <CommentForm
              address={address}
              issue={issue}
              mayClose={rights.edits}
              draft={draft}
              error={error}
              preview={preview}
              lostFiles={lostFiles}
              previewAt={previewAddress(visit, repo)}
            />
          )}
          {!rights.comments && <WhyNot visit={visit} view={view} />}
        </div>
        <PlanPanel visit={visit} view={view} address={address}>
          {aside}
        </PlanPanel>
      </div>
    </RepoFrame>
  )
}

/** Why somebody does not write here, as far as that can be said. */
function WhyNot({ visit, view: { repo, issue, rights } }: { visit: Visit; view: ThreadView }) {
  if (repo.row.archived_at !== null) return <p class="faint">This repository is archived. You cannot comment.</p>
  if (rights.self !== undefined) return issue.is_locked ? <p class="faint">This conversation is locked. Only users with write access can comment.</p> : null
  return (
    <p class="faint">
      <a href={`${visit.to`/user/login`}?redirect_to=${encodeURIComponent(visit.path)}`}>Sign in</a> to comment.
    </p>
  )
}

/** Of the commit by which it was closed; none where the viewer may not see that. */
function mentionOf(entries: readonly ThreadEntry[], { ref_commit_sha: sha }: ThreadEntry): ThreadEntry | undefined {
  return sha === '' ? undefined : entries.find((one) => one.type === 'commit_ref' && one.ref_commit_sha === sha)
}

/** Whether a comment that is gone stood between two entries; absent ones are the ends of the page. */
function isBefore(entry: ThreadEntry | undefined, last: ThreadEntry | undefined): (one: DeletedComment) => boolean {
  const at = (one: ThreadEntry | undefined, end: number) => (one === undefined ? end : Date.parse(one.created_at) / 1000)
  return ({ writtenAt }) => writtenAt >= at(last, Number.NEGATIVE_INFINITY) && writtenAt < at(entry, Number.POSITIVE_INFINITY)
}

function Opening({ visit, view, address }: { visit: Visit; view: ThreadView; address: string }) {
  const { issue, body, rights } = view
  return (
    <Written
      visit={visit}
      id={`issue-${issue.number}`}
      author={issue.user}
      roles={rolesIn(view, issue.user.login)}
      createdAt={issue.created_at}
      html={body}
      assets={issue.assets}
      signs={signsOf(view, null)}
      allSigns={rights.comments ? view.signs : []}
      reactTo={`${address}/reactions`}
      edit={
        rights.edits
          ? {
              previewAt: previewAddress(visit, view.repo),
              action: `${address}/content`,
              tickAction: `${address}/tick`,
              text: issue.body,
              title: issue.title,
              version: issue.content_version,
            }
          : undefined
      }
    />
  )
}

/** Comments, and what reviews say. */
export function hasText({ type, body }: ThreadEntry): boolean {
  return type === 'comment' || (type === 'review' && body.trim() !== '')
}

interface CommentProps {
  visit: Visit
  view: ThreadView
  address: string
  entry: ThreadEntry
  /** What the review came to. */
  verdict: string | undefined
}

function CommentOf({ visit, view, address, entry, verdict = 'reviewed this' }: CommentProps) {
  const { rights } = view
  const mayEdit = rights.plans || (rights.comments && entry.user.login === rights.self)
  const place = `${address}/comments/${entry.id}`
  return (
    <Written
      visit={visit}
      id={`issuecomment-${entry.id}`}
      author={entry.user}
      roles={rolesIn(view, entry.user.login)}
      createdAt={entry.created_at}
      note={entry.type === 'review' ? verdict : undefined}
      isEdited={entry.updated_at !== entry.created_at}
      html={view.texts.get(entry.id)}
      assets={view.assets.get(entry.id) ?? []}
      signs={signsOf(view, entry.id)}
      allSigns={rights.comments ? view.signs : []}
      reactTo={`${place}/reactions`}
      edit={
        mayEdit
          ? {
              previewAt: previewAddress(visit, view.repo),
              action: place,
              apart: `${place}/edit`,
              tickAction: `${place}/tick`,
              text: entry.body,
              version: view.versions.get(entry.id),
              // What a review says goes with the review.
              ...(entry.type === 'comment' ? { deleteAction: `${place}/delete` } : {}),
            }
          : undefined
      }
    />
  )
}

function rolesIn({ issue, repo }: ThreadView, login: string): string[] {
  return rolesOf({ isOwner: repo.owner.name === login, isAuthor: issue.user.login === login })
}

function signsOf({ reactions }: ThreadView, commentId: number | null): SignCount[] {
  return reactions.filter((one) => one.comment_id === commentId)
}
