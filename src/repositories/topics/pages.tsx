import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { answerDone, answerPage, attempt, EditForm, RepoSettingsFrame, SubmitButton, TextField, Trouble, Visit } from '#web/index.ts'
import { MAX_TOPICS, replaceTopics } from './change-topics.ts'
import { listTopics } from './store.ts'

const TopicsForm = t.Object({ topics: t.String({ maxLength: 10_000 }) })

interface Asked {
  viewer: Viewer
  repo: RepoAccess
  request: Request
}

/** What a repository is about, in a few words, for its administrators. */
export function topicPages(context: Context) {
  return new Elysia({ name: 'topics.pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/topics', (asked) => show(context, asked), { repo: 'admin', params: RepoParams, detail: { hide: true } })
    .post('/:owner/:repo/settings/topics', (asked) => save(context, asked, asked.body.topics), {
      repo: 'admin',
      params: RepoParams,
      body: TopicsForm,
      detail: { hide: true },
    })
}

function save(context: Context, asked: Asked, typed: string): Promise<Response> {
  const { viewer, repo, request } = asked
  const work = () => {
    replaceTopics(context, repo.row.id, typed.split(/[\s,]+/))
    return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/${repo.owner.name}/${repo.row.name}/settings/topics`, 'Topics saved')
  }
  return attempt(work, (problem) => show(context, asked, { typed, problem }))
}

function show(context: Context, { viewer, repo, request }: Asked, refused?: { typed: string; problem: Problem }): Response {
  const visit = new Visit(context, viewer, request)
  const text = refused?.typed ?? listTopics(context.db, repo.row.id, { limit: MAX_TOPICS, offset: 0 }).join(' ')
  return answerPage(
    <RepoSettingsFrame visit={visit} repo={repo} subject="topics">
      <p>Topics help people find repositories.</p>
      <EditForm class="fields" action={visit.to`/${repo.owner.name}/${repo.row.name}/settings/topics`}>
        <Trouble text={refused?.problem.message} />
        <TextField
          name="topics"
          label={`Topics, separated by spaces (up to ${MAX_TOPICS}; lowercase letters, digits, dashes and dots)`}
          value={text}
          most={10_000}
          isExact
        />
        <SubmitButton>Save topics</SubmitButton>
      </EditForm>
    </RepoSettingsFrame>,
    refused?.problem.status ?? 200,
  )
}
