import { type Html, Trouble } from '#web/index.ts'
import type { Issue } from '#work/issues/index.ts'

interface Props {
  address: string
  issue: Issue
  mayClose: boolean
  draft: string
  error: string | undefined
  preview: Html | undefined
  /** Chosen for what is shown again here. */
  lostFiles: readonly string[] | undefined
  /** Where a text is answered as it would be shown. */
  previewAt: string
}

/** Where one goes on writing: post, look at it first, or post and close. */
export function CommentForm({ address, issue, mayClose, draft, error, preview, lostFiles, previewAt }: Props) {
  const isMerged = issue.pull_request?.merged === true
  return (
    <form class="fields written" id="write" method="post" action={`${address}/comments`} enctype="multipart/form-data" data-preview={previewAt}>
      <Trouble text={error} />
      {preview && (
        <section class="text" aria-label="Preview">
          {preview}
        </section>
      )}
      <TextField text={draft} label="Add a comment" />
      <FileField lost={lostFiles} />
      <div class="buttons">
        <button class="primary" type="submit" name="action" value="comment">
          Comment
        </button>
        <button type="submit" name="action" value="preview" formaction={`${address}/comments#write`}>
          Preview
        </button>
        {mayClose && !isMerged && (
          <button type="submit" name="action" value={issue.state === 'open' ? 'close' : 'reopen'}>
            {`${issue.state === 'open' ? 'Close' : 'Reopen'} ${issue.pull_request ? 'pull request' : 'issue'}`}
          </button>
        )}
      </div>
    </form>
  )
}

/** HTML takes the first line break of a text away: there is one for that. */
export function TextField({ text, label, rows = 8, id }: { text: string; label: string; rows?: number; id?: string }) {
  return (
    <label>
      {label}
      <textarea name="body" id={id} rows={rows} dir="auto" placeholder="Markdown is supported">
        {`\n${text}`}
      </textarea>
    </label>
  )
}

/** @param lost names of what was chosen before: browsers fill texts in again, but never files */
export function FileField({ lost = [] }: { lost?: readonly string[] | undefined }) {
  return (
    <>
      <label>
        Attach files
        <input type="file" name="attachment" multiple />
      </label>
      {lost.length > 0 && <p class="faint" role="status">{`Attach these files again: ${lost.join(', ')}`}</p>}
    </>
  )
}
