import { Elysia, t } from 'elysia'
import { gate, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { getPull, IssueParams } from '#work/issues/index.ts'
import { showConflicts, solve } from './conflicts.tsx'

/** A choice or a text for each conflict, under names that the page gives them. */
const ConflictForm = t.Record(t.String({ pattern: '^(?:head|base|(?:file|mode|choice|text)-[0-9-]{1,16})$' }), t.String({ maxLength: 1_048_576 }))

/** Conflicts of pull requests, solved in the page. */
export function conflictPages(context: Context) {
  return new Elysia({ name: 'pulls.conflicts' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/pulls/:index/conflicts',
      (asked) => {
        requireUser(asked.viewer)
        return showConflicts(context, new Visit(context, asked.viewer, asked.request), asked.repo, getPull(context, asked))
      },
      { repo: 'pulls:read', params: IssueParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/conflicts',
      (asked) => {
        requireUser(asked.viewer)
        return solve(context, new Visit(context, asked.viewer, asked.request), asked.repo, getPull(context, asked), asked.body)
      },
      { repo: 'pulls:read', params: IssueParams, body: ConflictForm, bodyLimit: context.config.api.MAX_BODY_SIZE, detail: { hide: true } },
    )
}
