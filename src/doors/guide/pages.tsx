import { Elysia, t } from 'elysia'
import { gate, isSiteAdmin, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { Documents } from '#markdown/index.ts'
import { answerPage, Beside, guideTitles, Layout, raw, Visit } from '#web/index.ts'
import { guideText, isGuidePage } from './texts.ts'

const ADDRESS = '/-/guide'
const subjects = Object.fromEntries(Object.entries(guideTitles).map(([page, title]) => [page, [title, `/${page}`] as const]))

/** The user guide, which the executable carries and serves without a network. */
export function guidePages(context: Context) {
  return new Elysia({ name: 'guide.pages' })
    .use(gate(context, 'page'))
    .get(ADDRESS, (asked) => show(context, asked, 'getting-started'), { anyone: [], detail: { hide: true } })
    .get(`${ADDRESS}/:page`, (asked) => show(context, asked, asked.params.page), {
      anyone: [],
      params: t.Object({ page: t.String({ maxLength: 100 }) }),
      detail: { hide: true },
    })
}

async function show(context: Pick<Context, 'config' | 'db' | 'rootUrl' | 'services'>, asked: { viewer: Viewer; request: Request }, page: string) {
  if (!isGuidePage(page)) throw new NotFound()
  const visit = new Visit(context, asked.viewer, asked.request)
  const { title, body } = parseDocument(guideText(page), isSiteAdmin(visit.viewer))
  const html = await context.services.get(Documents).renderOwn(visit, body, ADDRESS)
  return answerPage(
    <Layout visit={visit} title={`${title} · Guide`}>
      <h1>{title}</h1>
      <Beside visit={visit} subjects={subjects} address={visit.below(ADDRESS)} now={page} label="Guide">
        {html === undefined ? <pre>{body}</pre> : <div class="text document">{raw(html)}</div>}
      </Beside>
    </Layout>,
  )
}

/**
 * Splits the title from the text below it. Links between the files of `assets/guide` become links between pages; the renderer puts
 * `user-content-` before the ids of headings. Links to the administration become addresses in text for viewers who cannot open it.
 */
function parseDocument(text: string, isAdmin: boolean): { title: string; body: string } {
  const [first = '', ...rest] = text.split('\n')
  const linked = rest.join('\n').replace(/(\]\([a-z-]+)\.md(#?)(?=[\w)-])/g, (_, link: string, hash: string) => link + (hash && `${hash}user-content-`))
  const body = isAdmin ? linked : linked.replace(/\[([^\]]+)\]\((\/-\/admin[^)]*)\)/g, '$1 (`$2`)')
  return { title: first.replace(/^# /, ''), body }
}
