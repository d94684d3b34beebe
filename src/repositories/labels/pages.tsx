import { Elysia, t } from 'elysia'
import { atLeast, gate, IdText, PageQuery, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, LabelMark, Pager, RepoFrame, SubmitButton, seeOther, Visit } from '#web/index.ts'
import { createLabel, deleteLabel, editLabel } from './change-labels.ts'
import { CreateLabelOption } from './schema.ts'
import { countLabels, type LabelRow, listLabels } from './store.ts'

const PAGE_SIZE = 50
const LabelParams = t.Object({ ...RepoParams.properties, id: IdText('id of the label') })
const LabelForm = t.Omit(CreateLabelOption, ['is_archived'], { $id: undefined })

/** The labels of a repository, and the forms that change them. */
export function labelPages(context: Context) {
  const back = ({ viewer, repo, request }: Parameters<typeof visitOf>[1]) =>
    seeOther(visitOf(context, { viewer, repo, request }).to`/${repo.owner.name}/${repo.row.name}/labels`)
  return new Elysia({ name: 'labels.pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/labels',
      (asked) => {
        const page = parsePage({ page: asked.query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const owner = { kind: 'repo', id: asked.repo.row.id } as const
        const props = { labels: listLabels(context.db, owner, page), page, total: countLabels(context.db, owner) }
        return answerPage(<LabelsPage visit={visitOf(context, asked)} repo={asked.repo} {...props} />)
      },
      { repo: 'issues|pulls:read', params: RepoParams, query: PageQuery, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/labels',
      (asked) => {
        createLabel(context, { kind: 'repo', id: asked.repo.row.id }, asked.body)
        return back(asked)
      },
      { repo: 'issues|pulls:write', params: RepoParams, body: LabelForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/labels/:id',
      (asked) => {
        editLabel(context, { kind: 'repo', id: asked.repo.row.id }, rowIdIn(asked.params.id), { exclusive: false, ...asked.body })
        return back(asked)
      },
      { repo: 'issues|pulls:write', params: LabelParams, body: LabelForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/labels/:id/delete',
      (asked) => {
        deleteLabel(context, { kind: 'repo', id: asked.repo.row.id }, rowIdIn(asked.params.id))
        return back(asked)
      },
      { repo: 'issues|pulls:write', params: LabelParams, detail: { hide: true } },
    )
}

function visitOf(context: Context, { viewer, request }: { viewer: Visit['viewer']; repo: RepoAccess; request: Request }): Visit {
  return new Visit(context, viewer, request)
}

interface Props {
  visit: Visit
  repo: RepoAccess
  labels: readonly LabelRow[]
  page: Page
  total: number
}

function LabelsPage({ visit, repo, labels, page, total }: Props) {
  const base = visit.to`/${repo.owner.name}/${repo.row.name}`
  const mayWrite = repo.row.archived_at === null && (['issues', 'pulls'] as const).some((unit) => atLeast(repo.permission.of(unit), 'write'))
  return (
    <RepoFrame visit={visit} repo={repo} tab="issues" title="Labels">
      <h2>Labels</h2>
      {total === 0 && <p class="faint">There are none yet.</p>}
      {total > 0 && (
        <ul class="list">
          {labels.map((label) => (
            <li>
              <LabelMark label={label} href={`${base}/issues?q=${encodeURIComponent(`label:"${label.name}"`)}`} />
              {label.archived_at !== null && <span class="mark">Archived</span>} <span class="faint">{label.description}</span>
              {mayWrite && (
                <details>
                  <summary>Change</summary>
                  <LabelFields action={`${base}/labels/${label.id}`} label={label} button="Save" />
                  <form method="post" action={`${base}/labels/${label.id}/delete`}>
                    <button class="danger" type="submit">
                      Delete this label
                    </button>
                  </form>
                </details>
              )}
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      {mayWrite && (
        <details open={total === 0}>
          <summary>New label</summary>
          <LabelFields action={`${base}/labels`} button="Make the label" />
        </details>
      )}
    </RepoFrame>
  )
}

function LabelFields({ action, label, button }: { action: string; label?: LabelRow; button: string }) {
  return (
    <form class="fields" method="post" action={action}>
      <label>
        Name
        <input name="name" value={label?.name} maxlength="50" required />
      </label>
      <label>
        Colour
        <input name="color" type="color" value={`#${label?.color ?? '70c24a'}`} />
      </label>
      <label>
        What it means
        <input name="description" value={label?.description} maxlength="200" />
      </label>
      <label class="choice">
        <input name="exclusive" type="checkbox" value="true" checked={label?.is_exclusive === 1} /> Only one label of its scope, what comes before the last
        slash of the name, stands on an issue
      </label>
      <SubmitButton>{button}</SubmitButton>
    </form>
  )
}
