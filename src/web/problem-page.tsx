import type { Context } from '#context.ts'
import { answerPage, seeOther } from './answers.ts'
import { Layout } from './layout.tsx'
import { Visit } from './visit.ts'

const titles: Record<number, string> = { 401: 'Sign in', 403: 'Not allowed', 404: 'Not found', 429: 'Too many attempts', 500: 'Something went wrong' }

/**
 * What went wrong as a page for people, from the answer that programs get. Who must sign in first is led to where that is done.
 * @param donePath where something else is done that the person has to do first
 */
export async function renderProblemPage(context: Context, answer: Response, request: Request, donePath?: string): Promise<Response> {
  if (answer.status < 400) return answer
  const visit = new Visit(context, context.authenticator.greetedViewerOf(request), request)
  if (donePath !== undefined) return seeOther(visit.below(donePath))
  if (answer.status === 401) {
    const back = request.method === 'GET' ? visit.path : pageBehind(request, visit)
    return seeOther(visit.to`/user/login` + (back === undefined ? '' : `?redirect_to=${encodeURIComponent(back)}`))
  }
  const { message } = (await answer.json()) as { message: string }
  const headers = Object.fromEntries(['Retry-After', 'Allow'].flatMap((name) => [[name, answer.headers.get(name)]]).filter(([, value]) => value !== null))
  return answerPage(<ProblemPage visit={visit} status={answer.status} message={message} />, answer.status, headers)
}

/** The page of ours whose form was sent: what is typed there again is sent from there. */
function pageBehind({ headers }: Request, visit: Visit): string | undefined {
  const referrer = headers.get('referer')
  return referrer?.startsWith(visit.root) ? `/${referrer.slice(visit.root.length)}` : undefined
}

/** One page for what is absent and what is hidden: the two look the same. */
function ProblemPage({ visit, status, message }: { visit: Visit; status: number; message: string }) {
  const title = titles[status] ?? 'That did not work'
  return (
    <Layout visit={visit} title={title}>
      <section class="problem">
        <h1>{title}</h1>
        <p>{status === 404 ? 'There is nothing at this address, or you may not see it.' : message}</p>
        {status === 404 && visit.viewer.user === undefined && (
          <p>
            <a href={`${visit.to`/user/login`}?redirect_to=${encodeURIComponent(visit.path)}`}>Sign in</a> if it is yours.
          </p>
        )}
      </section>
    </Layout>
  )
}
