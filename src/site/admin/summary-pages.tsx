import { Elysia } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type DamagedStore, listDamaged } from '#repositories/upkeep/index.ts'
import { answerPage, SiteFrame, Visit } from '#web/index.ts'
import { apiVersion, version } from '../../version.ts'
import { countAll } from './summary-store.ts'

/** Where the administration begins. */
export function summaryPages(context: Context) {
  return new Elysia({ name: 'admin.summary-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin', ({ viewer, request }) => show(context, new Visit(context, viewer, request)), { siteAdmin: 'admin', detail: { hide: true } })
}

function show(context: Pick<Context, 'config' | 'db' | 'rootUrl'>, visit: Visit): Response {
  const { people, organizations, repositories, issues } = countAll(context.db)
  const facts = [
    ['Version', `${version} (API compatible with Gitea ${apiVersion})`],
    ['Bun', Bun.version],
    ['Data directory', context.config.dataPath],
    ['URL', context.rootUrl],
    ['Users', people],
    ['Organizations', organizations],
    ['Repositories', repositories],
    ['Issues and pull requests', issues],
    ['Memory', `${Math.round(process.memoryUsage.rss() / 1_048_576)} MiB`],
  ] as const
  return answerPage(
    <SiteFrame visit={visit} subject="summary" title="Administration">
      <Damage visit={visit} stores={listDamaged(context.db)} />
      <table class="facts">
        <tbody>
          {facts.map(([name, value]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SiteFrame>,
  )
}

/** What was found when packs were last read from end to end. */
function Damage({ visit, stores }: { visit: Visit; stores: readonly DamagedStore[] }) {
  if (stores.length === 0) return null
  return (
    <section>
      <h2>Damaged repositories</h2>
      <p class="error">
        Packs of these repositories are corrupted on disk. Run the <a href={visit.to`/-/admin/doctor`}>doctor</a> to see which objects are lost, and restore
        them from a backup or a clone.
      </p>
      <ul>
        {stores.map(({ name, faults }) => (
          <li>{`${name}: ${faults}`}</li>
        ))}
      </ul>
    </section>
  )
}
