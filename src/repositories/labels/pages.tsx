import { Elysia, t } from 'elysia'
import { atLeast, gate, IdText, type OrgAccess, OrgParams, type RepoAccess, RepoParams, refuseArchived, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { RestoreForm } from '#repositories/deletions/index.ts'
import { OrgSettingsFrame, RepoFrame, Visit } from '#web/index.ts'
import { type LabelDesk, labelDesks } from './label-desk.tsx'
import { LabelForm, LabelListQuery, LabelSetForm } from './label-form.ts'

const LabelParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the label') })
const OrgLabelParams = t.Object({ ...OrgParams.properties, id: IdText('ID of the label') })

/** The labels of repositories and organizations, and the forms that change them. */
export function labelPages(context: Context) {
  return new Elysia({ name: 'labels.pages' }).use(ofRepos(context)).use(ofOrgs(context))
}

function ofRepos(context: Context) {
  const labels = labelDesks(context)
  const deskOf = ({ viewer, repo, request }: { viewer: Viewer; repo: RepoAccess; request: Request }): LabelDesk => {
    const visit = new Visit(context, viewer, request)
    const base = visit.to`/${repo.owner.name}/${repo.row.name}`
    return {
      visit,
      owner: { kind: 'repo', id: repo.row.id },
      address: `${base}/labels`,
      carriers: (label) => `${base}/issues?q=${encodeURIComponent(`label:"${label.name.replace(/["\\]/g, '\\$&')}"`)}`,
      mayWrite: repo.row.archived_at === null && (['issues', 'pulls'] as const).some((unit) => atLeast(repo.permission.of(unit), 'write')),
      frame: (children) => (
        <RepoFrame visit={visit} repo={repo} tab="issues" title="Labels">
          <h2>Labels</h2>
          {children}
        </RepoFrame>
      ),
    }
  }
  return new Elysia({ name: 'labels.repo-pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/labels', (asked) => labels.list(deskOf(asked), asked.query), {
      repo: 'issues|pulls:read',
      params: RepoParams,
      query: LabelListQuery,
      detail: { hide: true },
    })
    .post('/:owner/:repo/labels', (asked) => labels.save(deskOf(asked), undefined, asked.body), {
      repo: 'issues|pulls:write',
      params: RepoParams,
      body: LabelForm,
      detail: { hide: true },
    })
    .post('/:owner/:repo/labels/sets', (asked) => labels.addSet(deskOf(asked), asked.body.template), {
      repo: 'issues|pulls:write',
      params: RepoParams,
      body: LabelSetForm,
      detail: { hide: true },
    })
    .post(
      '/:owner/:repo/labels/restore',
      (asked) => {
        refuseArchived(asked.repo)
        return labels.restore(deskOf(asked), asked.body.id)
      },
      { repo: 'issues|pulls:write', params: RepoParams, body: RestoreForm, detail: { hide: true } },
    )
    .post('/:owner/:repo/labels/:id', (asked) => labels.save(deskOf(asked), asked.params.id, asked.body), {
      repo: 'issues|pulls:write',
      params: LabelParams,
      body: LabelForm,
      detail: { hide: true },
    })
    .post('/:owner/:repo/labels/:id/delete', (asked) => labels.delete(deskOf(asked), asked.params.id), {
      repo: 'issues|pulls:write',
      params: LabelParams,
      detail: { hide: true },
    })
}

function ofOrgs(context: Context) {
  const labels = labelDesks(context)
  const deskOf = ({ viewer, org, request }: { viewer: Viewer; org: OrgAccess; request: Request }): LabelDesk => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      owner: { kind: 'org', id: org.row.id },
      address: visit.to`/org/${org.row.name}/settings/labels`,
      mayWrite: true,
      frame: (children) => (
        <OrgSettingsFrame visit={visit} org={org} subject="labels">
          <p>All repositories of the organization can use these labels in addition to their own.</p>
          {children}
        </OrgSettingsFrame>
      ),
    }
  }
  return new Elysia({ name: 'labels.org-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/settings/labels', (asked) => labels.list(deskOf(asked), asked.query), {
      org: 'owner',
      params: OrgParams,
      query: LabelListQuery,
      detail: { hide: true },
    })
    .post('/org/:org/settings/labels', (asked) => labels.save(deskOf(asked), undefined, asked.body), {
      org: 'owner',
      params: OrgParams,
      body: LabelForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/labels/sets', (asked) => labels.addSet(deskOf(asked), asked.body.template), {
      org: 'owner',
      params: OrgParams,
      body: LabelSetForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/labels/restore', (asked) => labels.restore(deskOf(asked), asked.body.id), {
      org: 'owner',
      params: OrgParams,
      body: RestoreForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/labels/:id', (asked) => labels.save(deskOf(asked), asked.params.id, asked.body), {
      org: 'owner',
      params: OrgLabelParams,
      body: LabelForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/labels/:id/delete', (asked) => labels.delete(deskOf(asked), asked.params.id), {
      org: 'owner',
      params: OrgLabelParams,
      detail: { hide: true },
    })
}
