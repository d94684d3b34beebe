import type { Context } from '#context.ts'
import { answerPage, answerPart, Icon, Layout, type Visit } from '#web/index.ts'
import { findWays, repoHere, type Way } from './jump.ts'

export interface JumpQuery {
  q?: string
  /** The repository where it was asked, `owner/name`. */
  in?: string
  fragment?: string
}

/** Ways to what was typed, as a page, and as a list by itself for who is typing still. */
export async function showJump(
  context: Pick<Context, 'db' | 'git' | 'log' | 'services'>,
  visit: Visit,
  { q = '', in: name, fragment }: JumpQuery,
): Promise<Response> {
  const here = repoHere(context, visit, name)
  const ways = await findWays(context, visit, q, here)
  if (fragment !== undefined) return answerPart(<Options visit={visit} ways={ways} />)
  return answerPage(<JumpPage visit={visit} q={q} here={here && `${here.owner.name}/${here.row.name}`} ways={ways} />, 200, visit.unindexed)
}

function JumpPage({ visit, q, here, ways }: { visit: Visit; q: string; here: string | undefined; ways: readonly Way[] }) {
  return (
    <Layout visit={visit} title="Go to">
      <h1>Go to</h1>
      <form class="search" method="get" action={visit.to`/-/jump`}>
        <input type="search" name="q" value={q} aria-label="Name or owner/repository#12" placeholder="Name or owner/repository#12" maxlength="200" />
        {here !== undefined && <input type="hidden" name="in" value={here} />}
        <button type="submit">Search</button>
      </form>
      <ul class="list compact">
        {ways.map((way) => (
          <li>
            <Icon visit={visit} name={way.icon} /> <a href={way.href}>{way.text}</a> {way.note !== undefined && <span class="faint">{way.note}</span>}
          </li>
        ))}
      </ul>
    </Layout>
  )
}

/** What a combobox chooses from: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
function Options({ visit, ways }: { visit: Visit; ways: readonly Way[] }) {
  return (
    <>
      {ways.map((way, i) => (
        <a role="option" id={`jump-${i}`} href={way.href} tabindex="-1" aria-selected="false">
          <Icon visit={visit} name={way.icon} /> <span>{way.text}</span> {way.note !== undefined && <span class="faint">{way.note}</span>}
        </a>
      ))}
    </>
  )
}
