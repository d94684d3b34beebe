import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, MadeLately, PageQuery, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath } from '#kernel/http.ts'
import { pageOfSize } from '#kernel/page.ts'
import { readsBody } from '#kernel/slice.ts'
import { Documents } from '#markdown/index.ts'
import { answerDone, answerPage, EditForm, type Html, mendable, RepoFrame, raw, SubmitButton, seeOther, Trouble, troubleWith, Visit } from '#web/index.ts'
import { AssetForms, assetPages } from './asset-pages.tsx'
import { addAsset } from './assets.ts'
import { createRelease, deleteRelease, editRelease } from './change-releases.ts'
import { findVisibleByTag, getRelease, getReleaseByTagOrLatest } from './get-release.ts'
import { type ReleaseKind, type ReleaseListing, ReleasesPage, releaseKinds } from './list-page.tsx'
import { maySeeDrafts } from './rules.ts'
import { CreateReleaseOption } from './schema.ts'
import { type AssetRow, findRelease, listAssets, listReleases, type ReleaseRow } from './store.ts'
import { showTag } from './tag-page.tsx'
import { presentReleases } from './view.ts'

const PAGE_SIZE = 10
const ReleaseForm = t.Omit(CreateReleaseOption, ['tag_message'], { $id: undefined })
type ReleaseForm = Static<typeof ReleaseForm>
const ListQuery = t.Object({ ...PageQuery.properties, filter: t.Optional(t.String({ maxLength: 20 })), q: t.Optional(t.String({ maxLength: 255 })) })
const ChosenForm = t.Object({ release: t.Optional(t.Array(t.Integer({ minimum: 1 }), { maxItems: 100 })) })
const filters: Record<ReleaseKind, { isDraft?: boolean; isPrerelease?: boolean }> = {
  all: {},
  release: { isDraft: false, isPrerelease: false },
  prerelease: { isDraft: false, isPrerelease: true },
  draft: { isDraft: true },
}
const ReleaseParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the release') })

/** Releases in the browser, with the forms that make and change them. */
export function browsePages(context: Context) {
  const visitOf = ({ viewer, request }: { viewer: Visit['viewer']; request: Request }) => new Visit(context, viewer, request)
  const writing = { repo: 'releases:write', params: ReleaseParams } as const
  return new Elysia({ name: 'releases.browse-pages' })
    .use(assetPages(context))
    .use(gate(context, 'page'))
    .get('/:owner/:repo/releases', (asked) => showList(context, visitOf(asked), asked.repo, asked.query), {
      repo: 'releases:read',
      params: RepoParams,
      query: ListQuery,
      detail: { hide: true },
    })
    .get(
      '/:owner/:repo/releases/tag/*',
      (asked) => {
        const tag = decodePath(asked.params['*'])
        const release = findVisibleByTag(context, asked, tag)
        return release ? show(context, visitOf(asked), asked.repo, [release]) : showTag(context, visitOf(asked), asked.repo, tag)
      },
      { repo: 'releases:read', params: t.Object({ ...RepoParams.properties, '*': t.String() }), detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/releases/latest',
      (asked) => {
        const { owner, row } = asked.repo
        const { tag_name } = getReleaseByTagOrLatest(context, asked, 'latest')
        return seeOther(visitOf(asked).to`/${owner.name}/${row.name}/releases/tag/${tag_name}`)
      },
      { repo: 'releases:read', params: RepoParams, detail: { hide: true } },
    )
    .get('/:owner/:repo/releases/new', (asked) => answerPage(<FormPage visit={visitOf(asked)} repo={asked.repo} typed={{ tag_name: asked.query.tag }} />), {
      repo: 'releases:write',
      params: RepoParams,
      query: t.Object({ tag: t.Optional(t.String({ maxLength: 255 })) }),
      detail: { hide: true },
    })
    .post('/:owner/:repo/releases/new', (asked) => save(context, visitOf(asked), asked.repo, asked.body), {
      repo: 'releases:write',
      params: RepoParams,
      body: ReleaseForm,
      bodyLimit: context.config.api.MAX_BODY_SIZE,
      detail: { hide: true },
    })
    .get(
      '/:owner/:repo/releases/edit/:id',
      (asked) => {
        const row = getRelease(context, asked)
        const typed = { tag_name: row.tag_name, name: row.title, body: row.note, draft: row.is_draft === 1, prerelease: row.is_prerelease === 1 }
        return answerPage(<FormPage visit={visitOf(asked)} repo={asked.repo} typed={typed} release={row} assets={listAssets(context.db, [row.id])} />)
      },
      { ...writing, detail: { hide: true } },
    )
    .post('/:owner/:repo/releases/edit/:id', (asked) => save(context, visitOf(asked), asked.repo, asked.body, getRelease(context, asked)), {
      ...writing,
      body: ReleaseForm,
      bodyLimit: context.config.api.MAX_BODY_SIZE,
      detail: { hide: true },
    })
    .post('/:owner/:repo/releases/delete', (asked) => deleteChosen(context, visitOf(asked), asked.repo, asked.body.release ?? []), {
      repo: 'releases:write',
      params: RepoParams,
      body: ChosenForm,
      detail: { hide: true },
    })
    .post(
      '/:owner/:repo/releases/:id/delete',
      (asked) => {
        deleteRelease(context, { viewer: requireUser(asked.viewer), repo: asked.repo }, getRelease(context, asked))
        return answerDone(visitOf(asked), (visit) => visit.to`/${asked.repo.owner.name}/${asked.repo.row.name}/releases`, 'Release deleted')
      },
      { ...writing, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/releases/:id/files',
      async (asked) => {
        const release = getRelease(context, asked)
        await addAsset(context, { viewer: requireUser(asked.viewer), repo: asked.repo }, release, asked.request, undefined)
        return answerDone(visitOf(asked), (visit) => visit.to`/${asked.repo.owner.name}/${asked.repo.row.name}/releases/tag/${release.tag_name}`, 'File added')
      },
      { ...writing, detail: { hide: true, ...readsBody } },
    )
}

interface Question {
  filter?: string
  q?: string
  page?: string
}

/** All that the viewer may see, or what the address asks for of it. @param troubles with what was to be deleted */
async function showList(
  context: Pick<Context, 'db' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  query: Question,
  troubles: readonly string[] = [],
): Promise<Response> {
  const page = pageOfSize(query.page, PAGE_SIZE)
  const seesDrafts = maySeeDrafts(visit.viewer, repo)
  const kind = releaseKinds.find((one) => one === query.filter && (one !== 'draft' || seesDrafts)) ?? 'all'
  const q = query.q?.trim() ?? ''
  const filter = { hidesDrafts: !seesDrafts, ...filters[kind], ...(q === '' ? {} : { text: q }) }
  const { rows, total } = await listReleases(context.db, visit.viewer, repo.row.id, filter, page)
  return show(context, visit, repo, rows, { kind, kinds: releaseKinds.filter((one) => one !== 'draft' || seesDrafts), q, page, total, troubles })
}

async function show(
  context: Pick<Context, 'db' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  rows: readonly ReleaseRow[],
  list?: ReleaseListing,
): Promise<Response> {
  const releases = presentReleases({ db: context.db, rootUrl: visit.root }, visit.viewer, repo, rows)
  const texts = new Map<number, Html>()
  for (const { id, body } of releases) texts.set(id, await renderText(context, visit, repo, body, id))
  return answerPage(<ReleasesPage visit={visit} repo={repo} releases={releases} texts={texts} list={list} />)
}

/** Deletes what was chosen, each by itself; the tags stay. */
function deleteChosen(
  context: Pick<Context, 'db' | 'events' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  ids: readonly number[],
): Response | Promise<Response> {
  const place = { viewer: requireUser(visit.viewer), repo }
  const chosen = [...new Set(ids)].flatMap((id) => findRelease(context.db, repo.row.id, id) ?? [])
  const troubles = chosen.flatMap((row) => troubleWith(row.tag_name, () => deleteRelease(context, place, row)))
  if (troubles.length > 0) return showList(context, visit, repo, {}, troubles)
  const text = chosen.length === 1 ? 'Release deleted. Its tag was kept.' : `${chosen.length} releases deleted. Their tags were kept.`
  return answerDone(visit, visit.to`/${repo.owner.name}/${repo.row.name}/releases`, text)
}

async function renderText(context: Pick<Context, 'services'>, visit: Visit, repo: RepoAccess, text: string, id: number): Promise<Html> {
  return raw(text === '' ? '' : await context.services.get(Documents).renderComment(visit, repo, text, String(id)))
}

/** Nothing that was typed is lost when it is not taken. */
async function save(context: Context, visit: Visit, repo: RepoAccess, form: ReleaseForm, before?: ReleaseRow): Promise<Response> {
  const place = { viewer: requireUser(visit.viewer), repo }
  const asked = { ...form, body: form.body?.replaceAll('\r\n', '\n'), draft: form.draft === true, prerelease: form.prerelease === true }
  try {
    const make = () => createRelease(context, place, asked)
    const made = () => context.services.get(MadeLately).once(visit.viewer, ['release', repo.row.id, asked], make)
    const row = before ? await editRelease(context, place, before, asked) : await made()
    return answerDone(
      visit,
      visit.to`/${repo.owner.name}/${repo.row.name}/releases/tag/${row.tag_name}`,
      before ? 'Release saved' : asked.draft ? 'Draft saved' : 'Release published',
    )
  } catch (error) {
    const problem = mendable(error)
    const assets = before && listAssets(context.db, [before.id])
    return answerPage(<FormPage visit={visit} repo={repo} typed={asked} release={before} assets={assets} error={problem.message} />, problem.status)
  }
}

interface FormProps {
  visit: Visit
  repo: RepoAccess
  typed: Partial<ReleaseForm>
  /** That is edited. */
  release?: ReleaseRow | undefined
  assets?: readonly AssetRow[] | undefined
  error?: string
}

function FormPage({ visit, repo, typed, release, assets, error }: FormProps) {
  const place = visit.to`/${repo.owner.name}/${repo.row.name}/releases`
  const title = release ? `Edit ${release.title}` : 'New release'
  return (
    <RepoFrame visit={visit} repo={repo} tab="releases" title={title}>
      <h2>{title}</h2>
      <EditForm class="fields" action={release ? `${place}/edit/${release.id}` : `${place}/new`} isNew={!release}>
        <Trouble text={error} />
        <label>
          Tag
          <input name="tag_name" value={typed.tag_name} maxlength="255" spellcheck="false" required />
        </label>
        {!release && (
          <label>
            {`Target (branch or commit for a new tag; default: ${repo.row.default_branch})`}
            <input name="target_commitish" value={typed.target_commitish} maxlength="255" spellcheck="false" />
          </label>
        )}
        <label>
          Title
          <input name="name" value={typed.name} maxlength="255" />
        </label>
        <label>
          Describe this release
          <textarea name="body" rows="10">
            {`\n${typed.body ?? ''}`}
          </textarea>
        </label>
        <label class="choice">
          <input type="checkbox" name="draft" value="true" checked={typed.draft} /> Save as draft (visible only to users with write access)
        </label>
        <label class="choice">
          <input type="checkbox" name="prerelease" value="true" checked={typed.prerelease} /> Set as pre-release
        </label>
        {!release && <p class="faint">You can attach files after you create the release.</p>}
        <SubmitButton>{release ? 'Save release' : 'Create release'}</SubmitButton>
      </EditForm>
      {release && assets && <AssetForms address={place} release={release} assets={assets} />}
    </RepoFrame>
  )
}
