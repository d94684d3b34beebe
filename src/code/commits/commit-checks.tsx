import { decorate, type RepoAccess } from '#access/index.ts'
import { Checks, countNewestQuestion, newestQuestion, totalOf } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { pageOfSize } from '#kernel/page.ts'
import type { Html, Visit } from '#web/index.ts'
import { addressWith } from './changes-query.ts'

const PAGE_SIZE = 100

/** The statuses of a commit, those that need attention first. @param asked the number of the page of statuses, as the address has it */
export function renderChecks(
  context: Pick<Context, 'db' | 'log' | 'services'>,
  visit: Visit,
  { row }: RepoAccess,
  oid: Oid,
  asked: string | undefined,
): Promise<Html | undefined> {
  const page = pageOfSize(asked, PAGE_SIZE)
  const render = () => {
    const { counts, statuses } = context.db.askTogether({
      counts: countNewestQuestion(row.id, oid),
      statuses: newestQuestion(row.id, oid, page, 'severity'),
    })
    const total = totalOf(counts)
    const address = (number: number) => `${addressWith(visit.below(visit.path), { checks: number > 1 ? String(number) : undefined })}#checks`
    const more = total > PAGE_SIZE && (
      <nav class="pager" aria-label="Pages of checks">
        {page.page > 1 && (
          <a rel="prev" href={address(page.page - 1)}>
            Previous
          </a>
        )}
        {page.offset + PAGE_SIZE < total && (
          <a rel="next" href={address(page.page + 1)}>
            Next
          </a>
        )}
      </nav>
    )
    return <Checks visit={visit} counts={counts} statuses={statuses} more={more} />
  }
  return decorate(context, 'commit statuses', render, undefined)
}
