import { TestBrowser } from './browser.ts'
import type { Person, TestForge } from './harness.ts'

export interface Questions {
  /** Who asks; everything is asked once without anybody, too. */
  people: readonly Person[]
  /** What stands for the parameters of paths; 1 for all others. */
  values: Record<string, readonly (string | number)[]>
  /** What is asked beside all that can be read: paths with a query, those of the API below `/api/v1`. */
  more?: readonly string[]
  /** Paths that are not asked. */
  without?: RegExp
}

/** They tell what time it is, something secret that is made anew, or of who asks how. */
const changing = /healthz|\/cron|\/jobs|-\/admin$|challenge|two_factor|security|sessions/

/**
 * What is answered to who asks for everything that can be read, by who asked for what; to hold two states of a store against each other. Where a
 * clock stands still, asking twice gives the same from the second time on: some answers are found out after the first.
 */
export async function allAnswers(forge: TestForge, { people, values, more = [], without }: Questions): Promise<Map<string, string>> {
  const routes = (await forge.app.routes()).filter(({ method, path }) => method === 'GET' && !changing.test(path))
  const paths = new Set([...routes.flatMap(({ path }) => filledIn(path, values)).filter((path) => !without?.test(path)), ...more])
  const answers = new Map<string, string>()
  for (const person of [undefined, ...people]) {
    const browser = new TestBrowser(forge, person)
    for (const path of paths) answers.set(`${person?.name ?? 'nobody'} ${path}`, await answerTo(forge, browser, person, path))
  }
  return answers
}

async function answerTo(forge: TestForge, browser: TestBrowser, person: Person | undefined, path: string): Promise<string> {
  const isApi = path.startsWith('/api/v1/')
  const headers = isApi ? { ...(person ? { authorization: `token ${person.token}` } : {}) } : browser.headers
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers }))
  return `${response.status} ${response.headers.get('x-total-count') ?? ''} ${await response.text()}`
}

function filledIn(path: string, values: Questions['values']): string[] {
  const [parameter, name = ''] = /:(\w+)\??|\*/.exec(path) ?? []
  if (parameter === undefined) return [path]
  return (values[name] ?? [1]).flatMap((value) => filledIn(path.replace(parameter, String(value)), values))
}

/** What is answered otherwise in the second: who asked for what, and the answers. */
export function differences(first: Map<string, string>, second: Map<string, string>): [string, string, string | undefined][] {
  return [...first].filter(([asked, answer]) => second.get(asked) !== answer).map(([asked, answer]) => [asked, answer, second.get(asked)])
}
