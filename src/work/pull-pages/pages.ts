import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import { ChangesQuery, parsePatchName } from '#code/commits/index.ts'
import { compareText } from '#code/compare/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { readsBody } from '#kernel/slice.ts'
import { seeOther, Visit } from '#web/index.ts'
import { getPull, IssueParams, Text } from '#work/issues/index.ts'
import { cancelScheduled, deleteHeadOf, getPullRow, mergePull, parseMerge, revertPull, scheduleMerge, serveText, updateBranch } from '#work/pulls/index.ts'
import { lineFeeds } from '#work/threads/index.ts'
import { attempt } from './attempt.ts'
import { openPull, showCompare } from './compare.tsx'
import { conflictPages } from './conflict-pages.ts'
import { editPages } from './edit-pages.ts'
import { FileFilterQuery } from './file-filter.tsx'
import { showPullFiles } from './files.tsx'
import { showRemarks } from './remarks-page.tsx'
import { reviewing } from './review-pages.ts'
import { showPull, showPullCommits } from './show-pull.tsx'
import { suggestionPages } from './suggestion-pages.ts'
import { showVersions } from './versions.tsx'
import { viewedPages } from './viewed-pages.ts'

const PageQuery = t.Object({ page: t.Optional(t.String()) })
const RemarksQuery = t.Object({ ...PageQuery.properties, of: t.Optional(t.String()) })
const CompareQuery = t.Object({ base: t.Optional(t.String({ maxLength: 1024 })), head: t.Optional(t.String({ maxLength: 1024 })) })
const CompareParams = t.Object({ ...RepoParams.properties, '*': t.String() })
const MergeForm = t.Object({
  do: t.String({ maxLength: 40 }),
  head_commit_id: t.Optional(t.String({ maxLength: 64 })),
  merge_title_field: t.Optional(t.String({ maxLength: 4096 })),
  merge_message_field: t.Optional(Text),
  delete_branch_after_merge: t.Optional(t.Boolean()),
  force_merge: t.Optional(t.Boolean()),
  merge_when_checks_succeed: t.Optional(t.Boolean()),
})
const VersionQuery = t.Object({ from: t.Optional(t.String({ maxLength: 64 })), to: t.Optional(t.String({ maxLength: 64 })) })
const LineQuery = t.Object({
  ...ChangesQuery.properties,
  ...FileFilterQuery.properties,
  path: t.Optional(t.String({ maxLength: 4096 })),
  line: t.Optional(t.String()),
  suggest: t.Optional(t.String()),
})
const UpdateForm = t.Object({ style: t.Union([t.Literal('merge'), t.Literal('rebase')]) })

/** Comparisons and pull requests in the browser. */
export function pullPages(context: Context) {
  return new Elysia({ name: 'pulls.pages' })
    .use(comparisons(context))
    .use(reading(context))
    .use(reviewing(context))
    .use(suggestionPages(context))
    .use(merging(context))
    .use(editPages(context))
    .use(conflictPages(context))
    .use(viewedPages(context))
}

function comparisons(context: Context) {
  const show = (viewer: Viewer, repo: RepoAccess, request: Request, text: string, query: ChangesQuery = {}) =>
    showCompare(context, new Visit(context, viewer, request), repo, text, { query })
  return new Elysia({ name: 'pulls.comparisons' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/compare',
      ({ viewer, repo, request, query }) => {
        if (query.base === undefined || query.head === undefined) return show(viewer, repo, request, '')
        return seeOther(new Visit(context, viewer, request).to`/${repo.owner.name}/${repo.row.name}/compare/${query.base}...${query.head}`)
      },
      { repo: 'code:read', params: RepoParams, query: CompareQuery, detail: { hide: true } },
    )
    .use(gate(context, 'either'))
    .get(
      '/:owner/:repo/compare/*',
      ({ viewer, repo, request, server, params, query }) => {
        const text = decodePath(params['*'])
        const asText = parsePatchName(text)
        const peer = { request, server }
        return asText ? compareText(context, viewer, repo, { text: asText.name, form: asText.form, peer }) : show(viewer, repo, request, text, query)
      },
      { repo: 'code:read', params: CompareParams, query: ChangesQuery, detail: { hide: true } },
    )
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/compare/*',
      ({ viewer, repo, request, params }) => {
        requireUser(viewer)
        return openPull(context, new Visit(context, viewer, request), repo, decodePath(params['*']), request)
      },
      { repo: 'pulls:read', params: CompareParams, detail: { hide: true, ...readsBody } },
    )
}

function reading(context: Context) {
  return new Elysia({ name: 'pulls.reading' })
    .use(gate(context, 'either'))
    .get(
      '/:owner/:repo/pulls/:index',
      (asked) => {
        const [, number = '', form] = /^(\d+)(?:\.(diff|patch))?$/.exec(asked.params.index) ?? []
        if (number === '') throw new NotFound()
        const issue = getPull(context, { ...asked, params: { index: number } })
        const peer = { request: asked.request, server: asked.server }
        if (form === 'diff' || form === 'patch') return serveText(context, getPullRow(context.db, issue), form, { peer, binary: false })
        return showPull(context, new Visit(context, asked.viewer, asked.request), asked.repo, issue, { page: asked.query.page })
      },
      { repo: 'pulls:read', params: t.Object({ ...RepoParams.properties, index: t.String() }), query: PageQuery, detail: { hide: true } },
    )
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/pulls/:index/commits',
      (asked) => showPullCommits(context, new Visit(context, asked.viewer, asked.request), asked.repo, getPull(context, asked), asked.query.page),
      { repo: 'pulls:read', params: IssueParams, query: PageQuery, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/pulls/:index/remarks',
      (asked) => showRemarks(context, new Visit(context, asked.viewer, asked.request), asked.repo, getPull(context, asked), asked.query),
      { repo: 'pulls:read', params: IssueParams, query: RemarksQuery, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/pulls/:index/versions',
      (asked) => showVersions(context, new Visit(context, asked.viewer, asked.request), asked.repo, getPull(context, asked), asked.query),
      { repo: 'pulls:read', params: IssueParams, query: VersionQuery, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/pulls/:index/files',
      (asked) => {
        const { path, line, suggest = '' } = asked.query
        const suggested = /^\d{1,4}$/.test(suggest) ? { suggested: Number(suggest) } : {}
        const at = path !== undefined && line !== undefined && /^-?\d{1,9}$/.test(line) ? { path, line: Number(line), body: '', ...suggested } : undefined
        return showPullFiles(context, new Visit(context, asked.viewer, asked.request), asked.repo, getPull(context, asked), { query: asked.query, at })
      },
      { repo: 'pulls:read', params: IssueParams, query: LineQuery, detail: { hide: true } },
    )
}

function merging(context: Context) {
  return new Elysia({ name: 'pulls.merging' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/pulls/:index/merge',
      (asked) => {
        const terms = parseMerge(asked.body)
        const issue = getPull(context, asked)
        const message = terms.message === undefined ? undefined : lineFeeds(terms.message)
        const merge = asked.body.merge_when_checks_succeed === true ? scheduleMerge : mergePull
        return attempt(context, asked, () => merge(context, asked.viewer, issue, { ...terms, message, deletesBranch: terms.deletesBranch ?? false }))
      },
      { repo: 'pulls:read', params: IssueParams, body: MergeForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/update',
      (asked) => attempt(context, asked, () => updateBranch(context, asked.viewer, asked.repo, getPull(context, asked), asked.body.style)),
      { repo: 'pulls:read', params: IssueParams, body: UpdateForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/delete_branch',
      (asked) => attempt(context, asked, async () => deleteHeadOf(context, asked.viewer, asked.repo, getPull(context, asked))),
      { repo: 'pulls:read', params: IssueParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/revert',
      (asked) =>
        attempt(context, asked, async () => {
          const { branch, base } = await revertPull(context, asked.viewer, asked.repo, getPull(context, asked))
          const { owner, row } = asked.repo
          return seeOther(new Visit(context, asked.viewer, asked.request).to`/${owner.name}/${row.name}/compare/${base}...${branch}`)
        }),
      { repo: 'pulls:read', params: IssueParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/cancel_auto_merge',
      (asked) => attempt(context, asked, () => cancelScheduled(context, asked.viewer, getPull(context, asked))),
      { repo: 'pulls:read', params: IssueParams, detail: { hide: true } },
    )
}
