import { Elysia, t } from 'elysia'
import { gate, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Int } from '#kernel/schema.ts'
import { licensesOf } from '#repositories/repos/index.ts'
import { listLanguages } from './store.ts'

const LanguageStatistics = t.Record(t.String(), Int(), { description: 'bytes of each language, largest first' })
const LicensesList = t.Array(t.String(), { description: 'SPDX identifiers' })

/** What a repository is written in, and under which licences. */
export function languages(context: Context) {
  return new Elysia({ name: 'languages' })
    .use(gate(context))
    .get('/repos/:owner/:repo/languages', ({ repo }) => Object.fromEntries(listLanguages(context.db, repo.row.id).map(({ name, bytes }) => [name, bytes])), {
      repo: 'code:read',
      params: RepoParams,
      response: { 200: LanguageStatistics },
      detail: operation('repoGetLanguages', 'Get languages and number of bytes of code written', 'repository'),
    })
    .get('/repos/:owner/:repo/licenses', ({ repo }) => licensesOf(repo.row), {
      repo: 'code:read',
      params: RepoParams,
      response: { 200: LicensesList },
      detail: operation('repoGetLicenses', "Get a repository's licenses", 'repository'),
    })
}
