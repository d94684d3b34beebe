import { MadeLately, type Member, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { answerDone, answerPage, EditForm, mendable, RepoFrame, Trouble, type Visit } from '#web/index.ts'
import { createPage, deletePage, editPage } from './change-pages.ts'
import { nameInAddress, titleOf } from './page-names.ts'
import { getPage } from './read-pages.ts'
import { isWritten } from './wiki-tree.ts'

/** What a form says of a page. */
export interface PageForm {
  title: string
  content: string
  message?: string
  action?: string
}

export function showNewPage(context: Pick<Context, 'db'>, visit: Visit, repo: RepoAccess, named?: string): Response {
  const title = named ?? (isWritten(context, repo) ? '' : 'Home')
  return answerPage(<EditPage visit={visit} repo={repo} form={{ title, content: '' }} />)
}

/** @throws NotFound; Unprocessable for a page that no form takes */
export async function showEditPage(context: Pick<Context, 'config' | 'db' | 'git'>, visit: Visit, repo: RepoAccess, address: string): Promise<Response> {
  const { name, file } = await getPage(context, repo, address)
  if (file.data === undefined) throw new Unprocessable('This page is too large to edit in the browser. Edit it with git instead.')
  const form = { title: titleOf(name), content: Buffer.from(file.data).toString('utf8') }
  return answerPage(<EditPage visit={visit} repo={repo} form={form} address={address} />)
}

/** Nothing that was typed is lost when it is not taken. @param address of the page that is changed; undefined for a new one */
export async function savePage(
  context: Context,
  visit: Visit,
  place: { viewer: Member; repo: RepoAccess },
  form: PageForm,
  address?: string,
): Promise<Response> {
  const { owner, row } = place.repo
  const content_base64 = Buffer.from(form.content.replaceAll('\r\n', '\n')).toString('base64')
  const body = { title: form.title, content_base64, ...(form.message?.trim() ? { message: form.message.trim() } : {}) }
  try {
    if (address !== undefined && form.action === 'delete') {
      await deletePage(context, place, address)
      return answerDone(visit, visit.to`/${owner.name}/${row.name}/wiki/_pages`, 'Page deleted')
    }
    const make = () => (address === undefined ? createPage(context, place, body) : editPage(context, place, address, body))
    const name = await context.services.get(MadeLately).once(place.viewer, ['wiki', row.id, address, body], make)
    return answerDone(visit, `${visit.to`/${owner.name}/${row.name}/wiki/`}${name}`, address === undefined ? 'Page created' : 'Page saved')
  } catch (error) {
    const problem = mendable(error, 404)
    return answerPage(<EditPage visit={visit} repo={place.repo} form={form} address={address} error={problem.message} />, problem.status)
  }
}

interface Props {
  visit: Visit
  repo: RepoAccess
  form: PageForm
  /** Of the page that is changed, as its address has it. */
  address?: string | undefined
  error?: string
}

function EditPage({ visit, repo, form, address, error }: Props) {
  const title = address === undefined ? 'New page' : `Edit ${titleOf(nameInAddress(address))}`
  const wiki = visit.to`/${repo.owner.name}/${repo.row.name}/wiki/`
  return (
    <RepoFrame visit={visit} repo={repo} tab="wiki" title={title}>
      <h2>{title}</h2>
      <EditForm class="fields" action={address === undefined ? `${wiki}_new` : `${wiki}${address}`} isNew={address === undefined}>
        <Trouble text={error} />
        <label>
          Title
          <input name="title" value={form.title} maxlength="255" required />
        </label>
        <label>
          Page content
          <textarea name="content" rows="20">
            {`\n${form.content}`}
          </textarea>
        </label>
        <label>
          Edit message
          <input name="message" value={form.message} maxlength="1000" />
        </label>
        <div class="buttons">
          <button class="primary" type="submit">
            Save page
          </button>
          {address !== undefined && (
            <button class="danger" type="submit" name="action" value="delete">
              Delete page
            </button>
          )}
        </div>
      </EditForm>
    </RepoFrame>
  )
}
