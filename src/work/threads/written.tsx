import { Avatar, type Html, Icon, numberText, type Pictured, Size, SubmitButton, Time, type Visit } from '#web/index.ts'
import type { Comment } from '#work/comments/index.ts'
import type { SignCount } from '#work/reactions/index.ts'
import { signOf } from './signs.ts'
import { FileField } from './text-forms.tsx'
import { withTicks } from './ticks.ts'

/** A longer comment is edited on a page of its own: a conversation has hundreds, and no browser shows them all a second time, in forms. */
const MOST_IN_PLACE = 8192

export interface Edit {
  action: string
  /** Where a long comment is edited. */
  apart?: string
  /** Where a text is answered as it would be shown. */
  previewAt: string
  text: string
  /** Of an issue. */
  title?: string
  version?: number | undefined
  deleteAction?: string
  /** Where a box that is ticked is sent. */
  tickAction: string
}

interface Props {
  visit: Visit
  /** What its address has after `#`. */
  id: string
  author: Pictured & { login: string }
  /** What they are here. */
  roles: readonly string[]
  createdAt: string
  /** What it is, when it is no comment on the whole. */
  note?: string | undefined
  isEdited?: boolean
  html: Html | undefined
  /** What the text becomes before it is shown. */
  dress?: ((html: Html) => Html) | undefined
  assets: Comment['assets']
  signs: readonly SignCount[]
  /** Those that the viewer can set. */
  allSigns: readonly string[]
  reactTo: string
  edit: Edit | undefined
}

/** What somebody wrote: text, files, reactions, and for who may change it a form that does. */
export function Written(props: Props) {
  const { visit, id, author, roles, createdAt, note, isEdited = false, html, dress = asItIs, assets, signs, allSigns, reactTo, edit } = props
  return (
    <article class="written" id={id}>
      <header class="faint">
        <Avatar visit={visit} of={author} size={24} />
        <a class="who" href={visit.to`/${author.login}`}>
          {author.login}
        </a>{' '}
        <span>
          <a class="when" href={`#${id}`}>
            <Time at={Date.parse(createdAt) / 1000} />
          </a>
        </span>
        {note !== undefined && ` · ${note}`}
        {isEdited && ' · edited'}{' '}
        {roles.length > 0 && (
          <span class="roles">
            {roles.map((role) => (
              <span class="mark">{role}</span>
            ))}
          </span>
        )}
      </header>
      <div class="text">{html ? dress(edit ? withTicks(html, edit.text, `ticks-${id}`) : html) : <p class="faint">No description provided.</p>}</div>
      {edit && <form id={`ticks-${id}`} method="post" action={edit.tickAction} data-ticks />}
      {assets.length > 0 && (
        <ul class="attached">
          {assets.map((one) => (
            <li>
              <Icon visit={visit} name="file" />
              <a href={visit.to`/attachments/${one.uuid}`}>{one.name}</a>{' '}
              <span class="faint">
                <Size bytes={one.size} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {(signs.length > 0 || allSigns.length > 0 || edit) && (
        <footer>
          <Signs visit={visit} signs={signs} allSigns={allSigns} reactTo={reactTo} />
          {edit && <EditForm visit={visit} edit={edit} />}
        </footer>
      )}
    </article>
  )
}

const asItIs = (html: Html) => html

/** What whoever wrote something is here: whose repository it is, and who opened it. */
export function rolesOf({ isOwner, isAuthor }: { isOwner: boolean; isAuthor: boolean }): string[] {
  return [...(isOwner ? ['Owner'] : []), ...(isAuthor ? ['Author'] : [])]
}

/** Reactions are buttons: pressed ones take the viewer's own away again. */
function Signs({ visit, signs, allSigns, reactTo }: Pick<Props, 'visit' | 'signs' | 'allSigns' | 'reactTo'>) {
  if (signs.length === 0 && allSigns.length === 0) return null
  const mayReact = allSigns.length > 0
  const others = allSigns.filter((content) => !signs.some((one) => one.content === content))
  return (
    <form class="signs" method="post" action={reactTo}>
      {signs.map(({ content, count, is_own }) => (
        <button type="submit" name={is_own === 1 ? 'unreact' : 'react'} value={content} disabled={!mayReact} aria-pressed={is_own === 1 ? 'true' : 'false'}>
          {`${signOf(content)} ${numberText(count)}`}
        </button>
      ))}
      {others.length > 0 && (
        <details>
          <summary class="quiet bare" aria-label="Add reaction" title="Add reaction">
            <Icon visit={visit} name="smiley" />
          </summary>
          {others.map((content) => (
            <button type="submit" name="react" value={content} aria-label={content}>
              {signOf(content)}
            </button>
          ))}
        </details>
      )}
    </form>
  )
}

function EditForm({ visit, edit }: { visit: Visit; edit: Edit }) {
  if (edit.apart !== undefined && edit.text.length > MOST_IN_PLACE)
    return (
      <a class="button quiet bare" href={edit.apart}>
        <Icon visit={visit} name="pencil" />
        Edit
      </a>
    )
  return (
    <details class="edit">
      <summary class="quiet bare">
        <Icon visit={visit} name="pencil" />
        Edit
      </summary>
      <EditFields visit={visit} edit={edit} />
    </details>
  )
}

/** What can be done with a text: changed, and deleted. */
export function EditFields({ visit, edit: { action, previewAt, text, title, version, deleteAction } }: { visit: Visit; edit: Edit }) {
  return (
    <>
      <form class="fields" method="post" action={action} enctype="multipart/form-data" data-preview={previewAt}>
        {title !== undefined && (
          <label>
            Title
            <input name="title" value={title} maxlength="255" dir="auto" required />
          </label>
        )}
        {version !== undefined && <input type="hidden" name="content_version" value={version} />}
        <label>
          {title === undefined ? 'Comment' : 'Description'}
          <textarea name="body" rows="8" dir="auto">
            {`\n${text}`}
          </textarea>
        </label>
        <FileField />
        <SubmitButton>Save</SubmitButton>
      </form>
      {deleteAction && (
        <form method="post" action={deleteAction}>
          <button class="danger" type="submit">
            <Icon visit={visit} name="trash" />
            Delete comment
          </button>
        </form>
      )}
    </>
  )
}
