import type { RepoAccess } from '#access/index.ts'
import { type Html, RepoFrame, SubmitButton, Trouble, type Visit } from '#web/index.ts'

export interface EditView {
  action: '_new' | '_edit'
  branch: string
  /** The path that the form's address has, and the one that it says. */
  place: string
  path: string
  content: string
  /** The blob that is edited; absent for a new file. */
  sha?: string | undefined
  isCrlf?: boolean | undefined
  message?: string | undefined
  newBranch?: string | undefined
  error?: string
  /** The text as it would read, or what it changes. */
  shown?: Html
}

interface Props {
  visit: Visit
  repo: RepoAccess
}

export function EditPage({ visit, repo, view }: Props & { view: EditView }) {
  const { action, branch, place, path, content, sha, isCrlf, message, newBranch, error, shown } = view
  const title = action === '_new' ? 'New file' : `Edit ${place}`
  const back = visit.to`/${repo.owner.name}/${repo.row.name}/src/branch/${branch}/${place}`
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={title}>
      <h2>{title}</h2>
      {shown}
      <form class="fields" method="post" action={visit.to`/${repo.owner.name}/${repo.row.name}/${action}/${branch}/${place}`}>
        <Trouble text={error} />
        {sha !== undefined && <input type="hidden" name="sha" value={sha} />}
        {isCrlf && <input type="hidden" name="is_crlf" value="true" />}
        <label>
          File name
          <input name="path" value={path} maxlength="4096" spellcheck="false" required />
        </label>
        <label>
          File content
          <textarea name="content" rows="24" spellcheck="false">
            {`\n${content}`}
          </textarea>
        </label>
        <CommitFields branch={branch} usual={action === '_new' ? 'Add file' : `Update ${path}`} message={message} newBranch={newBranch} />
        <div class="buttons">
          <button class="primary" type="submit">
            Commit changes
          </button>
          <button type="submit" name="action" value="preview">
            Preview
          </button>
          <button type="submit" name="action" value="changes">
            Preview changes
          </button>
          <a href={repo.row.is_empty === 1 ? visit.to`/${repo.owner.name}/${repo.row.name}` : back}>Cancel</a>
        </div>
      </form>
    </RepoFrame>
  )
}

export function DeletePage({ visit, repo, branch, path, sha }: Props & { branch: string; path: string; sha: string }) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={`Delete ${path}`}>
      <h2>{`Delete ${path}`}</h2>
      <form class="fields" method="post" action={visit.to`/${repo.owner.name}/${repo.row.name}/_delete/${branch}/${path}`}>
        <input type="hidden" name="sha" value={sha} />
        <CommitFields branch={branch} usual={`Delete ${path}`} />
        <div>
          <button class="danger" type="submit">
            Delete file
          </button>
        </div>
      </form>
    </RepoFrame>
  )
}

export function UploadPage({ visit, repo, branch, path }: Props & { branch: string; path: string }) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title="Upload files">
      <h2>{`Upload files${path === '' ? '' : ` to ${path}`}`}</h2>
      <form class="fields" method="post" action={visit.to`/${repo.owner.name}/${repo.row.name}/_upload/${branch}/${path}`} enctype="multipart/form-data">
        <label>
          Files
          <input type="file" name="attachment" multiple required />
        </label>
        <CommitFields branch={branch} usual="Upload files" />
        <SubmitButton>Upload files</SubmitButton>
      </form>
    </RepoFrame>
  )
}

interface CommitProps {
  branch: string
  /** What the commit says when nothing is written. */
  usual: string
  message?: string | undefined
  newBranch?: string | undefined
}

function CommitFields({ branch, usual, message, newBranch }: CommitProps) {
  return (
    <>
      <label>
        Commit message
        <textarea name="message" rows="3" placeholder={usual}>
          {`\n${message ?? ''}`}
        </textarea>
      </label>
      <label>
        {`New branch for a pull request (leave empty to commit directly to ${branch})`}
        <input name="new_branch" value={newBranch} maxlength="1024" spellcheck="false" />
      </label>
    </>
  )
}
