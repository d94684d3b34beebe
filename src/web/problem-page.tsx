import { findVisibleRepo, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Sent } from '#kernel/bodies/sent-form.ts'
import { decodePath, isDecodable, pathOf } from '#kernel/http.ts'
import { answerPage, seeOther } from './answers.ts'
import { CarriedForms } from './carried-forms.ts'
import { fillInAgain, pageBehind, sentInVain } from './form-again.ts'
import { type Html, raw } from './html.ts'
import { inWords } from './in-words.ts'
import { Layout } from './layout.tsx'
import { missingIn } from './missing-in-repo.ts'
import { RepoFrame } from './repo-frame.tsx'
import { addTyped, areMany, type Words, wordsIn } from './typed.tsx'
import { Visit } from './visit.ts'

const titles: Record<number, string> = {
  400: 'Invalid request',
  401: 'Sign in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Request too large',
  422: 'Invalid request',
  423: 'Repository is read-only',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
}

/** What whoever filled in a form can mend, or try again: it is shown with why it was not taken, where its page still has it. */
const mendable = new Set([400, 403, 409, 413, 422, 429])

/** What of a problem its answer does not say. */
interface ProblemMore {
  /** Where something else is done that the person has to do first. */
  donePath?: string
  /** What is not there is told of in the problem's own words. */
  isTold?: boolean
}

/** How pages are asked for anew. */
type Ask = (request: Request) => Response | Promise<Response>

/**
 * What went wrong as a page for people, from the answer that programs get. Who must sign in first is led to where that is done. A form that
 * is not taken is shown again with what was typed; where it is gone, what was typed is shown alone.
 * @param ask for the page that the form is on
 */
export async function renderProblemPage(context: Context, answer: Response, request: Request, ask: Ask, more: ProblemMore = {}): Promise<Response> {
  const visit = new Visit(context, context.authenticator.greetedViewerOf(request), request)
  const { status } = answer
  const sent = await sentInVain(context, request, status)
  const words = sent === undefined ? [] : wordsIn(sent)
  if (more.donePath !== undefined && words.length === 0) return seeOther(visit.below(more.donePath))
  const mayBeTheirs = status === 404 && visit.viewer.user === undefined && more.isTold !== true && areMany(words)
  if (status === 401 || mayBeTheirs) return leadToSignIn(context, visit, request, ask, sent, status)
  const { message, now } = (await answer.json()) as { message: string; now?: readonly (readonly [label: string, text: string])[] }
  const again =
    sent &&
    mendable.has(status) &&
    more.donePath === undefined &&
    (await formAgain(visit, request, ask, sent, { why: inWords(message), now: now?.map(([label, text]) => [label, [text]] as const) }))
  const headers = Object.fromEntries(['Retry-After', 'Allow'].flatMap((name) => [[name, answer.headers.get(name)]]).filter(([, value]) => value !== null))
  if (again) return answerPage(raw(addTyped(again, sent)), status, headers)
  const place = status < 500 ? findPlace(context, visit, request) : undefined
  const isHidden = status === 404 && more.isTold !== true
  const told = isHidden ? place && missingIn(place.rest, message) : message
  const ways = { wayOut: more.donePath ?? '/', signIn: signInPath(visit, request) }
  const page = <ProblemPage visit={visit} repo={place?.repo} status={status} isHidden={isHidden} message={told} isTyped={words.length > 0} {...ways} />
  return answerPage(sent === undefined ? page : raw(addTyped(page.text, sent)), status, headers)
}

/** Returns the repository that an address is below, if the viewer may see it, and the rest of the address. */
function findPlace({ db }: Pick<Context, 'db'>, { viewer }: Visit, request: Request): { repo: RepoAccess; rest: string } | undefined {
  const path = pathOf(request.url).slice(1)
  if (!isDecodable(path)) return undefined
  const [owner = '', name = '', ...rest] = decodePath(path).split('/')
  const repo = rest.length > 0 ? findVisibleRepo(db, viewer, owner, name) : undefined
  return repo && { repo, rest: rest.join('/') }
}

/** Leads to the sign-in form. A long text that was submitted without a session is shown below it, and filled into its own form after the sign-in. */
async function leadToSignIn(context: Context, visit: Visit, request: Request, ask: Ask, sent: Sent | undefined, status: number): Promise<Response> {
  const path = signInPath(visit, request)
  if (sent === undefined || !areMany(wordsIn(sent))) return seeOther(visit.below(path))
  const page = await ask(new Request(new URL(path, request.url).href, { headers: { Accept: 'text/html' } }))
  if (page.status !== 200) return seeOther(visit.below(path))
  const behind = pageBehind(request, visit)
  const cookie = behind && context.services.get(CarriedForms).keep(behind, visit.below(pathOf(request.url)), sent)
  const headers = { 'Cache-Control': 'no-store', ...(cookie ? { 'Set-Cookie': cookie } : {}) }
  return answerPage(raw(addTyped(withoutDoctype(await page.text()), sent)), status, headers)
}

/** Where one signs in to come back to the page, or to that of the form. */
function signInPath(visit: Visit, request: Request): string {
  const back = request.method === 'GET' ? visit.path : pageBehind(request, visit)
  return `/user/login${back === undefined ? '' : `?redirect_to=${encodeURIComponent(back)}`}`
}

/**
 * The page that the form was on, with what was typed. Asked for with the cookie alone, in the name of the same person; who is known by
 * something else, or whose browser does not tell which page it was, gets what was typed on the page that says what went wrong.
 */
async function formAgain(
  visit: Visit,
  request: Request,
  ask: Ask,
  sent: Sent,
  { why, now }: { why: string; now: readonly Words[] | undefined },
): Promise<string | undefined> {
  const cookie = request.headers.get('cookie')
  const behind = pageBehind(request, visit)
  if (cookie === null || behind === undefined || visit.viewer.via !== 'session') return undefined
  const page = await ask(new Request(new URL(behind, request.url).href, { headers: { Accept: 'text/html', Cookie: cookie } }))
  if (page.status !== 200 || !page.headers.get('content-type')?.startsWith('text/html')) return undefined
  const html = await page.text()
  return fillInAgain(withoutDoctype(html), visit.below(pathOf(request.url)), sent, why, now)
}

/** `answerPage` puts it there. */
function withoutDoctype(page: string): string {
  return page.replace(/^<!DOCTYPE html>/, '')
}

interface ProblemProps {
  visit: Visit
  /** The repository of the address, if the viewer may see it. */
  repo: RepoAccess | undefined
  status: number
  /** Whether the page must look the same for missing and for hidden things. */
  isHidden: boolean
  /** Absent for what is not there. */
  message: string | undefined
  /** Whether what was typed stands below. */
  isTyped: boolean
  /** Where to go from here. */
  wayOut: string
  /** Where one signs in. */
  signIn: string
}

/** One page for what is absent and what is hidden: the two look the same. */
function ProblemPage(props: ProblemProps) {
  const { visit, repo, status } = props
  const title = titles[status] ?? `Error ${status}`
  if (repo)
    return (
      <RepoFrame visit={visit} repo={repo} title={title}>
        <ProblemText {...props} heading={<h2>{title}</h2>} />
      </RepoFrame>
    )
  return (
    <Layout visit={visit} title={title}>
      <ProblemText {...props} heading={<h1>{title}</h1>} />
    </Layout>
  )
}

function ProblemText({ visit, repo, isHidden, message, isTyped, wayOut, signIn, heading }: ProblemProps & { heading: Html }) {
  const start = repo ? visit.to`/${repo.owner.name}/${repo.row.name}` : visit.below('/')
  return (
    <section class="problem">
      {heading}
      <p role={isTyped && 'alert'}>{message === undefined ? 'This page does not exist, or you do not have access to it.' : inWords(message)}</p>
      {isHidden && visit.viewer.user === undefined && (
        <p>
          <a href={visit.below(signIn)}>Sign in</a> if you have access to this page.
        </p>
      )}
      {(!isTyped || wayOut !== '/') && (
        <p class="ways-out">
          <a class="button" href={wayOut === '/' ? start : visit.below(wayOut)}>
            {wayOut === '/' ? (repo ? 'Go to repository' : 'Home') : 'Continue'}
          </a>
        </p>
      )}
    </section>
  )
}
