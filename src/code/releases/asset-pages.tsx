import { Elysia, t } from 'elysia'
import { gate, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { answerDone, EditForm, Size, Visit } from '#web/index.ts'
import { changeAssetName, getAssetOf } from './assets.ts'
import { getRelease } from './get-release.ts'
import { AssetParams } from './schema.ts'
import { type AssetRow, deleteAsset, type ReleaseRow } from './store.ts'

const NameForm = t.Object({ name: t.String({ minLength: 1, maxLength: 255 }) })

/** What is done to one file of a release. */
export function assetPages(context: Context) {
  const writing = { repo: 'releases:write', params: AssetParams, detail: { hide: true } } as const
  const editPage = (visit: Visit, { owner, row }: RepoAccess, { id }: ReleaseRow) => visit.to`/${owner.name}/${row.name}/releases/edit/${id}`
  return new Elysia({ name: 'releases.asset-pages' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/releases/:id/files/:attachment_id',
      (asked) => {
        const release = getRelease(context, asked)
        const { name } = changeAssetName(context, getAssetOf(context, release, asked.params.attachment_id), asked.body.name)
        return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => editPage(visit, asked.repo, release), `File renamed to “${name}”`)
      },
      { ...writing, body: NameForm },
    )
    .post(
      '/:owner/:repo/releases/:id/files/:attachment_id/delete',
      (asked) => {
        const release = getRelease(context, asked)
        const { id, name } = getAssetOf(context, release, asked.params.attachment_id)
        context.db.tx((tx) => deleteAsset(tx, id))
        return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => editPage(visit, asked.repo, release), `File “${name}” removed`)
      },
      writing,
    )
}

interface Props {
  /** Of the releases of the repository. */
  address: string
  release: ReleaseRow
  assets: readonly AssetRow[]
}

/** The files of a release that is edited, each with its name and the way to take it away. */
export function AssetForms({ address, release, assets }: Props) {
  const place = `${address}/${release.id}/files`
  return (
    <section>
      <h3>Files</h3>
      {assets.length === 0 ? <p class="faint">No files yet</p> : null}
      {assets.map(({ id, name, size }) => (
        <EditForm class="search" action={`${place}/${id}`}>
          <input name="name" value={name} aria-label={`Name of ${name}`} maxlength="255" spellcheck="false" required />
          <span class="number faint">
            <Size bytes={size} />
          </span>
          <button type="submit" aria-label={`Rename ${name}`}>
            Rename
          </button>
          <button class="danger" type="submit" formaction={`${place}/${id}/delete`} formnovalidate aria-label={`Remove ${name}`}>
            Remove
          </button>
        </EditForm>
      ))}
      <AddAsset action={place} />
    </section>
  )
}

/** Another file for a release. */
export function AddAsset({ action }: { action: string }) {
  return (
    <form class="search" method="post" action={action} enctype="multipart/form-data">
      <input type="file" name="attachment" aria-label="File to upload" required />
      <button type="submit">Upload file</button>
    </form>
  )
}
