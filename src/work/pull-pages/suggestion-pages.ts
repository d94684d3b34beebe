import { Elysia, t } from 'elysia'
import { gate, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { mendable, seeOther, Visit } from '#web/index.ts'
import { getPull, IssueParams, Text } from '#work/issues/index.ts'
import { commitSuggestions, type PickedSuggestion } from '#work/pulls/index.ts'
import { lineFeeds } from '#work/threads/index.ts'
import { showPull } from './show-pull.tsx'

/** A comment, its suggestion and the version of its text. */
const Pick = t.String({ pattern: '^\\d{1,15}\\.\\d{1,4}\\.\\d{1,9}$' })
const SuggestionForm = t.Object({
  pick: t.Optional(t.Array(Pick, { maxItems: 200 })),
  title: t.String({ maxLength: 4096, pattern: '\\S', error: 'expected a commit title' }),
  message: t.Optional(Text),
})

/** Suggestions of reviewers, committed from the page. */
export function suggestionPages(context: Context) {
  return new Elysia({ name: 'pulls.suggestions' }).use(gate(context, 'page')).post(
    '/:owner/:repo/pulls/:index/suggestions',
    async (asked) => {
      requireUser(asked.viewer)
      const { viewer, repo, params, body } = asked
      const issue = getPull(context, asked)
      const visit = new Visit(context, viewer, asked.request)
      const { pick: picks = [], title } = body
      const message = lineFeeds(body.message ?? '')
      const picked = picks.map(pickIn)
      try {
        await commitSuggestions(context, viewer, repo, issue, { picks: picked, message: `${title.trim()}\n\n${message}`.trim() })
        const anchor = picked[0] === undefined ? '' : `#issuecomment-${picked[0].commentId}`
        return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${params.index}` + anchor)
      } catch (error) {
        const problem = mendable(error)
        const page = await showPull(context, visit, repo, issue, { suggestions: { picks, title, message, error: problem.message } })
        return new Response(page.body, { status: problem.status, headers: page.headers })
      }
    },
    { repo: 'pulls:read', params: IssueParams, body: SuggestionForm, detail: { hide: true } },
  )
}

function pickIn(text: string): PickedSuggestion {
  const [commentId = 0, index = 0, version = 0] = text.split('.').map(Number)
  return { commentId, index, version }
}
