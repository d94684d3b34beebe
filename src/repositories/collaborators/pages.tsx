import { Elysia, t } from 'elysia'
import { gate, type Level, PageQuery, type RepoAccess, RepoParams, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { oneOf } from '#kernel/schema.ts'
import { ActionButton, answerDone, answerPage, attempt, Empty, LevelMark, levelWords, Pager, RepoSettingsFrame, Trouble, Visit } from '#web/index.ts'
import { removeCollaborator, setCollaborator } from './change-collaborators.ts'
import { collaboratorsKnownTo, levelOf } from './rules.ts'
import { listCollaborators } from './store.ts'

const PAGE_SIZE = 50
const levels = ['read', 'write', 'admin'] as const
const PersonForm = t.Object({ name: t.String({ maxLength: 255 }), level: oneOf(levels) })
const NameForm = t.Object({ name: t.String({ maxLength: 255 }) })

/** Who has a part in a repository, for its administrators. */
export function collaboratorPages(context: Context) {
  const change = (asked: { viewer: Viewer; repo: RepoAccess; request: Request; body: Typed }, text: string, work: () => void) => {
    const visit = new Visit(context, asked.viewer, asked.request)
    const done = () => {
      work()
      return answerDone(visit, visit.to`/${asked.repo.owner.name}/${asked.repo.row.name}/settings/collaboration`, text)
    }
    return attempt(done, (problem) => show(context, visit, asked.repo, {}, { typed: asked.body, problem }))
  }
  return new Elysia({ name: 'collaborators.pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/collaboration', ({ viewer, repo, request, query }) => show(context, new Visit(context, viewer, request), repo, query), {
      repo: 'admin',
      params: RepoParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post(
      '/:owner/:repo/settings/collaboration',
      (asked) =>
        change(asked, `Collaborator “${asked.body.name}” saved`, () =>
          setCollaborator(context.db, asked.viewer, asked.repo, asked.body.name, asked.body.level),
        ),
      { repo: 'admin', params: RepoParams, body: PersonForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/settings/collaboration/delete',
      (asked) => change(asked, `Collaborator “${asked.body.name}” removed`, () => removeCollaborator(context, asked.viewer, asked.repo, asked.body.name)),
      { repo: 'admin', params: RepoParams, body: NameForm, detail: { hide: true } },
    )
}

interface Typed {
  name: string
  level?: Level
}

interface Refused {
  typed: Typed
  problem: Problem
}

async function show(context: Pick<Context, 'db'>, visit: Visit, repo: RepoAccess, query: { page?: string }, refused?: Refused): Promise<Response> {
  const known = collaboratorsKnownTo(requireUser(visit.viewer), repo)
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listCollaborators(context.db, visit.viewer, repo.row.id, known, page)
  const people = rows.map((row): [UserRow, Level] => [row, levelOf(context.db, repo, row)])
  return answerPage(<CollaboratorsPage {...{ visit, repo, people, page, total, refused }} />, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  repo: RepoAccess
  people: readonly [UserRow, Level][]
  page: Page
  total: number
  refused: Refused | undefined
}

function CollaboratorsPage({ visit, repo, people, page, total, refused }: Props) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/settings/collaboration`
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="collaboration">
      <Trouble text={refused?.problem.message} />
      {people.length === 0 && <Empty visit={visit} icon="people" title="No collaborators yet" />}
      {people.length > 0 && (
        <ul class="list">
          {people.map(([{ name }, level]) => (
            <li class="bar">
              <span>
                <a href={visit.to`/${name}`}>{name}</a> <LevelMark level={level} />
              </span>
              <ActionButton action={`${address}/delete`} to={name} name="name" value={name} isDanger>
                Remove
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      <form class="search" method="post" action={address}>
        <input name="name" value={refused?.typed.name} aria-label="Username" placeholder="Username" autocapitalize="none" spellcheck="false" required />
        <select name="level" aria-label="Permission">
          {levels.map((level) => (
            <option value={level} selected={level === (refused?.typed.level ?? 'write')}>
              {levelWords[level]}
            </option>
          ))}
        </select>
        <button type="submit">Add or update collaborator</button>
      </form>
    </RepoSettingsFrame>
  )
}
