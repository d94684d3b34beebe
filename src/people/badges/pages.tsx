import { Elysia, type Static, t } from 'elysia'
import { gate, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, type Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { ActionButton, answerDone, answerPage, attempt, Empty, Pager, PeopleList, SiteFrame, SubmitButton, TextField, Trouble, Visit } from '#web/index.ts'
import { addBadge, getBadgeHolder, giveBadges, removeBadge, takeBadges } from './change-badges.ts'
import { type BadgeRow, findBadge, listBadgePage, listHolders } from './store.ts'

const PAGE_SIZE = 50
const BadgeParams = t.Object({ slug: t.String() })
const BadgeForm = t.Object({ slug: t.String({ maxLength: 255 }), description: t.String({ maxLength: 255 }), image_url: t.String({ maxLength: 2048 }) })
type BadgeForm = Static<typeof BadgeForm>
const HolderForm = t.Object({ name: t.String({ maxLength: 255 }) })

interface Asked {
  viewer: Member
  request: Request
}

/** The badges that people can be given, and who has them, for administrators. */
export function badgePages(context: Context) {
  return new Elysia({ name: 'badges.pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/badges', (asked) => showAll(context, asked, asked.query), { siteAdmin: 'admin', query: PageQuery, detail: { hide: true } })
    .post('/-/admin/badges', (asked) => create(context, asked, asked.body), { siteAdmin: 'admin', body: BadgeForm, detail: { hide: true } })
    .get('/-/admin/badges/:slug', (asked) => showOne(context, asked, getBadge(context, asked.params.slug), asked.query), {
      siteAdmin: 'admin',
      params: BadgeParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/-/admin/badges/:slug/give', (asked) => change(context, asked, asked.params.slug, asked.body.name, giveBadges), {
      siteAdmin: 'admin',
      params: BadgeParams,
      body: HolderForm,
      detail: { hide: true },
    })
    .post('/-/admin/badges/:slug/take', (asked) => change(context, asked, asked.params.slug, asked.body.name, takeBadges), {
      siteAdmin: 'admin',
      params: BadgeParams,
      body: HolderForm,
      detail: { hide: true },
    })
    .post(
      '/-/admin/badges/:slug/delete',
      ({ viewer, request, params }) => {
        removeBadge(context, params.slug)
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/-/admin/badges`, 'Badge deleted')
      },
      { siteAdmin: 'admin', params: BadgeParams, detail: { hide: true } },
    )
}

/** @throws NotFound */
function getBadge({ db }: Pick<Context, 'db'>, slug: string): BadgeRow {
  const found = findBadge(db, slug)
  if (!found) throw new NotFound()
  return found
}

function create(context: Context, asked: Asked, form: BadgeForm): Promise<Response> {
  const work = () => {
    addBadge(context, { slug: form.slug.trim(), description: form.description, image_url: form.image_url.trim() })
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => visit.to`/-/admin/badges`, 'Badge created')
  }
  return attempt(work, (problem) => showAll(context, asked, {}, { form, problem }))
}

function change(context: Context, asked: Asked, slug: string, name: string, verb: typeof giveBadges): Promise<Response> {
  const badge = getBadge(context, slug)
  const work = () => {
    verb(context, getBadgeHolder(context.db, name.trim()), [slug])
    return answerDone(
      new Visit(context, asked.viewer, asked.request),
      (visit) => visit.to`/-/admin/badges/${slug}`,
      verb === giveBadges ? `Badge given to ${name.trim()}` : `Badge removed from ${name.trim()}`,
    )
  }
  return attempt(work, (problem) => showOne(context, asked, badge, {}, { name, problem }))
}

function pageIn(query: { page?: string }): Page {
  return parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
}

function showAll(context: Context, { viewer, request }: Asked, query: { page?: string }, refused?: { form: BadgeForm; problem: Problem }): Response {
  const visit = new Visit(context, viewer, request)
  const address = visit.to`/-/admin/badges`
  const page = pageIn(query)
  const { rows: badges, total } = listBadgePage(context.db, page)
  return answerPage(
    <SiteFrame visit={visit} subject="badges" title="Badges">
      {badges.length === 0 && <Empty visit={visit} icon="star" title="No badges yet" />}
      {badges.length > 0 && (
        <ul class="list">
          {badges.map(({ slug, description }) => (
            <li class="bar">
              <span>
                <a href={visit.to`/-/admin/badges/${slug}`}>{slug}</a> <span class="faint">{description}</span>
              </span>
              <ActionButton action={visit.to`/-/admin/badges/${slug}/delete`} to={slug} isDanger>
                Delete
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      <form class="fields" method="post" action={address}>
        <h2>New badge</h2>
        <Trouble text={refused?.problem.message} />
        <TextField name="slug" label="Slug (lowercase letters, digits, dots, dashes and underscores)" value={refused?.form.slug} most={64} isRequired isExact />
        <TextField name="description" label="Description" value={refused?.form.description} most={255} />
        <TextField name="image_url" label="Image URL" value={refused?.form.image_url} most={2048} isExact />
        <SubmitButton>Create badge</SubmitButton>
      </form>
    </SiteFrame>,
    refused?.problem.status ?? 200,
  )
}

function showOne(
  context: Context,
  { viewer, request }: Asked,
  badge: BadgeRow,
  query: { page?: string },
  refused?: { name: string; problem: Problem },
): Response {
  const visit = new Visit(context, viewer, request)
  const page = pageIn(query)
  const { rows, total } = listHolders(context.db, badge.id, page)
  const address = visit.to`/-/admin/badges/${badge.slug}`
  const people = rows.map((person) => ({
    ...person,
    actions: (
      <ActionButton action={`${address}/take`} to={person.name} name="name" value={person.name}>
        Remove badge
      </ActionButton>
    ),
  }))
  return answerPage(
    <SiteFrame visit={visit} subject="badges" title={badge.slug}>
      {badge.description !== '' && <p>{badge.description}</p>}
      <Trouble text={refused?.problem.message} />
      <PeopleList visit={visit} people={people} none="No users have this badge" />
      <Pager visit={visit} page={page} total={total} />
      <form class="search" method="post" action={`${address}/give`}>
        <input name="name" value={refused?.name} aria-label="Username" placeholder="Username" autocapitalize="none" spellcheck="false" required />
        <button type="submit">Give badge</button>
      </form>
    </SiteFrame>,
    refused?.problem.status ?? 200,
  )
}
