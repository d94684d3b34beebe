import { anonymous } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rememberSent, type Sent } from '#kernel/bodies/sent-form.ts'
import { Conflict } from '#kernel/errors.ts'
import { pathOf } from '#kernel/http.ts'
import { digestOf, MADE_FROM } from './edit-form.tsx'
import { findForm, pageBehind } from './form-again.ts'
import { comparable, type FieldValues, readForm } from './form-values.ts'
import { labelOf } from './typed.tsx'
import { Visit } from './visit.ts'

type Ask = (request: Request) => Response | Promise<Response>

/**
 * What a form of `EditForm` says, after what others have changed since its page was shown: a field that its sender left alone has the value that it has by
 * now, and a box is ticked or not as whoever changed it last wanted.
 * @param ask for the page that the form was on
 * @throws Conflict with the present values as `now`, when sender and others have changed the same field, each to something else
 */
export async function settleForm(context: Context, request: Request, sent: Sent, ask: Ask): Promise<Sent> {
  const [madeFrom] = sent.get(MADE_FROM) ?? []
  const present = madeFrom === undefined ? undefined : await presentValues(context, request, sent, ask)
  if (madeFrom === undefined || !present) return sent
  const before = new Set(madeFrom.split(' '))
  const settled = new Map(sent)
  const now: [label: string, text: string][] = []
  for (const [name, field] of present) {
    const values = settle(name, sent.get(name)?.map(comparable) ?? [], field, before)
    if (values === undefined) now.push([labelOf(name), field.values.join(', ')])
    else settled.set(name, values)
  }
  if (now.length === 0) return settled
  // The form that is shown again is made from the present values, which its sender sees beside it.
  settled.delete(MADE_FROM)
  rememberSent(request, () => settled)
  const names = now.map(([label]) => label).join(', ')
  throw new Conflict(
    `Someone else changed these fields since you opened the page: ${names}. Your changes are still in the form, but not saved. Compare them with the current values, then save again to overwrite them.`,
    { extra: { now } },
  )
}

/** Returns the values that the form would have if its page were loaded now; undefined when the page or the form is gone. */
async function presentValues(context: Context, request: Request, sent: Sent, ask: Ask): Promise<Map<string, FieldValues> | undefined> {
  const visit = new Visit(context, anonymous, request)
  const path = pathOf(request.url)
  // If the browser sends no Referer, the address of the form leads to its page.
  for (const page of [pageBehind(request, visit), path]) {
    const html = page && (await readPage(visit, request, page, ask))
    const form = html ? findForm(html, visit.below(path), sent) : undefined
    if (html && form !== undefined) return readForm(html, form)
  }
  return undefined
}

async function readPage(visit: Visit, request: Request, path: string, ask: Ask): Promise<string | undefined> {
  // The request is not for a document, so that flash messages stay for the person.
  const headers = { Accept: 'text/html', Cookie: request.headers.get('cookie') ?? '', 'Sec-Fetch-Dest': 'empty' }
  const get = (path: string) => ask(new Request(new URL(path, request.url).href, { headers, signal: request.signal }))
  let answer = await get(path)
  const [location, start] = [answer.headers.get('location'), visit.to`/`]
  if (answer.status === 303 && location?.startsWith(start)) answer = await get(`/${location.slice(start.length)}`)
  if (answer.status === 200 && answer.headers.get('content-type')?.startsWith('text/html')) return answer.text()
  // The sender chooses the address: it can lead to an archive of gigabytes.
  await answer.body?.cancel()
  return undefined
}

/** Merges the values of one name. Undefined when both sides changed it to different values. */
function settle(name: string, sent: readonly string[], { values: present, isBoxes }: FieldValues, before: ReadonlySet<string>): string[] | undefined {
  const wasThere = (value: string) => before.has(digestOf(name, value))
  if (isBoxes) {
    const all = [...new Set([...sent, ...present])]
    return all.filter((value) => (sent.includes(value) === wasThere(value) ? present.includes(value) : sent.includes(value)))
  }
  if (sent.every(wasThere) && sent.length > 0) return [...present]
  if (present.every(wasThere) || same(sent, present)) return [...sent]
  return undefined
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((value, i) => value === others[i])
}
