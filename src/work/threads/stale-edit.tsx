import { answerPage, RepoFrame, SubmitButton, Trouble, type Visit } from '#web/index.ts'
import type { CommentRow, IssueRow } from '#work/issues/index.ts'
import type { Place } from './act.ts'
import { FileField } from './text-forms.tsx'
import { previewAddress } from './view.ts'
import type { TextForm } from './write-text.ts'

/**
 * The answer to who changes a text that somebody else has changed since they began: what they typed, to be saved after all, and what stands
 * there now, to take from it.
 * @param now the issue or comment as it is
 */
export function answerStale(visit: Visit, { repo, issue }: Place, form: TextForm, now: IssueRow | CommentRow): Response {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/issues/${issue.number}`
  const titles = 'number' in now && form.all('title').length > 0 ? { typed: form.of('title'), now: now.title } : undefined
  const page = (
    <RepoFrame visit={visit} repo={repo} tab={issue.is_pull === 1 ? 'pulls' : 'issues'} title={`Edit conflict · #${issue.number}`}>
      <h2>{`This ${'number' in now ? 'description' : 'comment'} was edited by someone else`}</h2>
      <form
        class="fields written"
        method="post"
        action={'number' in now ? `${address}/content` : `${address}/comments/${now.id}`}
        enctype="multipart/form-data"
        data-preview={previewAddress(visit, repo)}
      >
        <Trouble text={`The text changed after you opened the form, so your changes were not saved.${form.files.length > 0 ? filesAgain : ''}`} />
        <input type="hidden" name="content_version" value={now.content_version} />
        {titles && (
          <label>
            Title
            <input name="title" value={titles.typed} maxlength="255" required />
          </label>
        )}
        <Text label="Your version" name="body" text={form.all('body').length > 0 ? form.of('body') : now.body} />
        <FileField />
        {titles && titles.now !== titles.typed && <p>{`Current title: “${titles.now}”`}</p>}
        <Text label="Current version" text={now.body} />
        <SubmitButton>Overwrite with my version</SubmitButton>
      </form>
      <p>
        <a href={address}>Discard my changes</a>
      </p>
    </RepoFrame>
  )
  return answerPage(page, 409)
}

/** The answer to who changes a comment that has been deleted since they began: what they typed, to be posted as a new one. */
export function answerGone(visit: Visit, { repo, issue }: Place, form: TextForm): Response {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/issues/${issue.number}`
  const page = (
    <RepoFrame visit={visit} repo={repo} tab={issue.is_pull === 1 ? 'pulls' : 'issues'} title={`Comment deleted · #${issue.number}`}>
      <h2>This comment was deleted</h2>
      <form class="fields written" method="post" action={`${address}/comments`} enctype="multipart/form-data" data-preview={previewAddress(visit, repo)}>
        <Trouble text={`The comment was deleted after you opened the form, so your changes were not saved.${form.files.length > 0 ? filesAgain : ''}`} />
        <Text label="Your version" name="body" text={form.of('body')} />
        <FileField />
        <SubmitButton>Post as new comment</SubmitButton>
      </form>
      <p>
        <a href={address}>Discard my changes</a>
      </p>
    </RepoFrame>
  )
  return answerPage(page, 404)
}

const filesAgain = ' Attach your files again.'

/** Without a name it is there to be read and copied, and is not sent. HTML takes the first line break of a text away. */
function Text({ label, name, text }: { label: string; name?: string; text: string }) {
  return (
    <label>
      {label}
      <textarea name={name} rows="8" readonly={name === undefined}>
        {`\n${text}`}
      </textarea>
    </label>
  )
}
