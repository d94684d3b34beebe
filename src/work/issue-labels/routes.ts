import { Elysia } from 'elysia'
import { gate, noContent, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { LabelList } from '#repositories/labels/index.ts'
import { type Asked, addLabels, getIssue, IssueParams, listLabelsOf, presentIssueLabel, replaceLabels } from '#work/issues/index.ts'
import { findLabels, type Place, relabel, removeAll, removeOne } from './change-issue-labels.ts'
import { DeleteLabelsOption, IssueLabelParams, IssueLabelsOption } from './schema.ts'

/** The labels that issues and pull requests carry; the contract has their paths under both `issue` and `issues`. */
export function issueLabels(context: Context) {
  const placeOf = (asked: Asked): Place => ({ viewer: asked.viewer, repo: asked.repo, issue: getIssue(context, asked) })
  const list = ({ repo, issue }: Place) => listLabelsOf(context.db, issue.id).map((label) => presentIssueLabel(context, repo, label))
  const change = (asked: Asked & { body: IssueLabelsOption }, verb: typeof addLabels) => {
    const place = placeOf(asked)
    const { labels, updated_at } = asked.body
    relabel(context, place, updated_at, (tx, deed, issue) => verb(tx, deed, issue, findLabels(tx, place.repo, labels)))
    return list(place)
  }
  const reading = { repo: 'issues|pulls:read', params: IssueParams, response: { 200: LabelList } } as const
  const writing = { repo: 'issues|pulls:write', params: IssueParams, body: IssueLabelsOption, response: { 200: LabelList } } as const
  const clearing = { repo: 'issues|pulls:write', params: IssueParams, body: DeleteLabelsOption, response: noContent } as const
  const removing = { ...clearing, params: IssueLabelParams } as const
  return new Elysia({ name: 'issue-labels' })
    .use(gate(context))
    .get('/repos/:owner/:repo/issues/:index/labels', (asked) => list(placeOf(asked)), {
      ...reading,
      detail: operation('issueGetLabels', "Get an issue's labels", 'issue'),
    })
    .get('/repos/:owner/:repo/issue/:index/labels', (asked) => list(placeOf(asked)), {
      ...reading,
      detail: { ...operation('issueGetLabelsSingular', "Get an issue's labels", 'issue'), deprecated: true },
    })
    .put('/repos/:owner/:repo/issues/:index/labels', (asked) => change(asked, replaceLabels), {
      ...writing,
      detail: operation('issueReplaceLabelsPlural', "Replace an issue's labels", 'issue'),
    })
    .put('/repos/:owner/:repo/issue/:index/labels', (asked) => change(asked, replaceLabels), {
      ...writing,
      detail: operation('issueReplaceLabels', "Replace an issue's labels", 'issue'),
    })
    .post('/repos/:owner/:repo/issues/:index/labels', (asked) => change(asked, addLabels), {
      ...writing,
      detail: operation('issueAddLabelPlural', 'Add a label to an issue', 'issue'),
    })
    .post('/repos/:owner/:repo/issue/:index/labels', (asked) => change(asked, addLabels), {
      ...writing,
      detail: operation('issueAddLabel', 'Add a label to an issue', 'issue'),
    })
    .delete('/repos/:owner/:repo/issues/:index/labels', (asked) => removeAll(context, placeOf(asked), asked.body.updated_at), {
      ...clearing,
      detail: operation('issueClearLabelsPlural', 'Remove all labels from an issue', 'issue'),
    })
    .delete('/repos/:owner/:repo/issue/:index/labels', (asked) => removeAll(context, placeOf(asked), asked.body.updated_at), {
      ...clearing,
      detail: operation('issueClearLabels', 'Remove all labels from an issue', 'issue'),
    })
    .delete('/repos/:owner/:repo/issues/:index/labels/:id', (asked) => removeOne(context, placeOf(asked), asked.params.id, asked.body.updated_at), {
      ...removing,
      detail: operation('issueRemoveLabelPlural', 'Remove a label from an issue', 'issue'),
    })
    .delete('/repos/:owner/:repo/issue/:index/labels/:id', (asked) => removeOne(context, placeOf(asked), asked.params.id, asked.body.updated_at), {
      ...removing,
      detail: operation('issueRemoveLabel', 'Remove a label from an issue', 'issue'),
    })
}
