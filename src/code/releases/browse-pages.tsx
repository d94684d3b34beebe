import { Elysia, type Static, t } from 'elysia'
import { atLeast, gate, IdText, PageQuery, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath } from '#kernel/http.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { readsBody } from '#kernel/slice.ts'
import { Documents } from '#markdown/index.ts'
import { Avatar, answerDone, answerPage, Empty, type Html, Icon, mendable, Pager, RepoFrame, raw, SubmitButton, Time, Trouble, Visit } from '#web/index.ts'
import { addAsset } from './assets.ts'
import { createRelease, deleteRelease, editRelease } from './change-releases.ts'
import { getRelease, getReleaseByTag } from './get-release.ts'
import { maySeeDrafts } from './rules.ts'
import { CreateReleaseOption, type Release } from './schema.ts'
import { listReleases, type ReleaseRow } from './store.ts'
import { presentReleases } from './view.ts'

const PAGE_SIZE = 10
const ReleaseForm = t.Omit(CreateReleaseOption, ['tag_message'], { $id: undefined })
type ReleaseForm = Static<typeof ReleaseForm>
const ReleaseParams = t.Object({ ...RepoParams.properties, id: IdText('id of the release') })

/** Releases in the browser, with the forms that make and change them. */
export function browsePages(context: Context) {
  const visitOf = ({ viewer, request }: { viewer: Visit['viewer']; request: Request }) => new Visit(context, viewer, request)
  const writing = { repo: 'releases:write', params: ReleaseParams } as const
  return new Elysia({ name: 'releases.browse-pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/releases',
      (asked) => {
        const page = parsePage({ page: asked.query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const filter = maySeeDrafts(asked.viewer, asked.repo) ? {} : { isDraft: false }
        const { rows, total } = listReleases(context.db, asked.repo.row.id, filter, page)
        return show(context, visitOf(asked), asked.repo, rows, page, total)
      },
      { repo: 'releases:read', params: RepoParams, query: PageQuery, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/releases/tag/*',
      (asked) => {
        const release = getReleaseByTag(context, asked, decodePath(asked.params['*']))
        return show(context, visitOf(asked), asked.repo, [release], { page: 1, limit: 1, offset: 0 }, 1)
      },
      { repo: 'releases:read', params: t.Object({ ...RepoParams.properties, '*': t.String() }), detail: { hide: true } },
    )
    .get('/:owner/:repo/releases/new', (asked) => answerPage(<FormPage visit={visitOf(asked)} repo={asked.repo} typed={{}} />), {
      repo: 'releases:write',
      params: RepoParams,
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
        return answerPage(<FormPage visit={visitOf(asked)} repo={asked.repo} typed={typed} release={row} />)
      },
      { ...writing, detail: { hide: true } },
    )
    .post('/:owner/:repo/releases/edit/:id', (asked) => save(context, visitOf(asked), asked.repo, asked.body, getRelease(context, asked)), {
      ...writing,
      body: ReleaseForm,
      bodyLimit: context.config.api.MAX_BODY_SIZE,
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

async function show(
  context: Pick<Context, 'db' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  rows: readonly ReleaseRow[],
  page: Page,
  total: number,
): Promise<Response> {
  const releases = presentReleases({ db: context.db, rootUrl: visit.root }, visit.viewer, repo, rows)
  const texts = new Map<number, Html>()
  for (const { id, body } of releases) texts.set(id, await renderText(context, visit, repo, body, id))
  return answerPage(<ReleasesPage visit={visit} repo={repo} releases={releases} texts={texts} page={page} total={total} />)
}

async function renderText(context: Pick<Context, 'services'>, visit: Visit, repo: RepoAccess, text: string, id: number): Promise<Html> {
  const html = text === '' ? '' : await context.services.get(Documents).renderComment(visit.viewer, repo, text, visit.root, String(id))
  return html === undefined ? <pre>{text}</pre> : raw(html)
}

/** Nothing that was typed is lost when it is not taken. */
async function save(context: Context, visit: Visit, repo: RepoAccess, form: ReleaseForm, before?: ReleaseRow): Promise<Response> {
  const place = { viewer: requireUser(visit.viewer), repo }
  const asked = { ...form, body: form.body?.replaceAll('\r\n', '\n'), draft: form.draft === true, prerelease: form.prerelease === true }
  try {
    const row = before ? await editRelease(context, place, before, asked) : await createRelease(context, place, asked)
    return answerDone(
      visit,
      visit.to`/${repo.owner.name}/${repo.row.name}/releases/tag/${row.tag_name}`,
      before ? 'Release saved' : asked.draft ? 'Draft saved' : 'Release published',
    )
  } catch (error) {
    const problem = mendable(error)
    return answerPage(<FormPage visit={visit} repo={repo} typed={asked} release={before} error={problem.message} />, problem.status)
  }
}

interface ListProps {
  visit: Visit
  repo: RepoAccess
  releases: readonly Release[]
  texts: ReadonlyMap<number, Html>
  page: Page
  total: number
}

function ReleasesPage({ visit, repo, releases, texts, page, total }: ListProps) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/releases`
  const mayWrite = atLeast(repo.permission.of('releases'), 'write') && repo.row.archived_at === null
  return (
    <RepoFrame visit={visit} repo={repo} tab="releases" title="Releases" feed={address}>
      <div class="bar">
        <h2>Releases</h2>
        {mayWrite && (
          <a class="button primary" href={`${address}/new`}>
            New release
          </a>
        )}
      </div>
      {releases.length === 0 && (
        <Empty visit={visit} icon="package" title="There are none yet.">
          A release gives a tag a name, a text about what is new, and files.
        </Empty>
      )}
      {releases.map((release) => (
        <article class="written">
          <h3>
            <a href={release.html_url}>{release.name}</a>
            {release.draft && <span class="mark">Draft</span>}
            {release.prerelease && <span class="mark warn">Prerelease</span>}
          </h3>
          <p class="meta">
            <span>
              <Icon visit={visit} name="tag" />
              {release.tag_name}
            </span>
            {release.author && (
              <span>
                <Avatar visit={visit} of={release.author} />
                {release.author.login}
              </span>
            )}
            <span>
              <Icon visit={visit} name="calendar" />
              <Time at={Date.parse(release.published_at) / 1000} />
            </span>
          </p>
          <div class="text">{texts.get(release.id)}</div>
          <ul class="attached">
            {release.assets.map((asset) => (
              <li>
                <Icon visit={visit} name="package" />
                <a href={asset.browser_download_url}>{asset.name}</a> <span class="faint">{`${asset.size.toLocaleString('en')} bytes`}</span>
              </li>
            ))}
            {!release.draft && (
              <li>
                <Icon visit={visit} name="download" />
                <a href={release.zipball_url}>Files as .zip</a>
                <a href={release.tarball_url}>Files as .tar.gz</a>
              </li>
            )}
          </ul>
          {mayWrite && <Changes address={address} id={release.id} />}
        </article>
      ))}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}

function Changes({ address, id }: { address: string; id: number }) {
  return (
    <details>
      <summary>Change</summary>
      <p>
        <a href={`${address}/edit/${id}`}>Edit</a>
      </p>
      <form class="search" method="post" action={`${address}/${id}/files`} enctype="multipart/form-data">
        <input type="file" name="attachment" aria-label="Another file" required />
        <button type="submit">Add the file</button>
      </form>
      <form method="post" action={`${address}/${id}/delete`}>
        <button class="danger" type="submit">
          Delete this release; its tag stays
        </button>
      </form>
    </details>
  )
}

interface FormProps {
  visit: Visit
  repo: RepoAccess
  typed: Partial<ReleaseForm>
  /** That is edited. */
  release?: ReleaseRow | undefined
  error?: string
}

function FormPage({ visit, repo, typed, release, error }: FormProps) {
  const place = visit.to`/${repo.owner.name}/${repo.row.name}/releases`
  const title = release ? `Edit ${release.title}` : 'New release'
  return (
    <RepoFrame visit={visit} repo={repo} tab="releases" title={title}>
      <h2>{title}</h2>
      <form class="fields" method="post" action={release ? `${place}/edit/${release.id}` : `${place}/new`}>
        <Trouble text={error} />
        <label>
          Tag
          <input name="tag_name" value={typed.tag_name} maxlength="255" spellcheck="false" required />
        </label>
        {!release && (
          <label>
            {`Where the tag is made, if there is none: a branch or commit, else ${repo.row.default_branch}`}
            <input name="target_commitish" value={typed.target_commitish} maxlength="255" spellcheck="false" />
          </label>
        )}
        <label>
          Title
          <input name="name" value={typed.name} maxlength="255" />
        </label>
        <label>
          What is new, in Markdown
          <textarea name="body" rows="10">
            {`\n${typed.body ?? ''}`}
          </textarea>
        </label>
        <label class="choice">
          <input type="checkbox" name="draft" value="true" checked={typed.draft} /> A draft: only who may write sees it
        </label>
        <label class="choice">
          <input type="checkbox" name="prerelease" value="true" checked={typed.prerelease} /> A prerelease
        </label>
        <SubmitButton>Save</SubmitButton>
      </form>
    </RepoFrame>
  )
}
