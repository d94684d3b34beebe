import { Elysia, t } from 'elysia'
import { gate, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { findGitignore, gitignores } from './gitignores.ts'
import { findLicense, licenses } from './licenses.ts'
import { GitignoreTemplateInfo, LicensesTemplateListEntry, LicenseTemplateInfo, TemplateNames } from './schema.ts'

const Name = t.Object({ name: t.String({ description: 'Name of the template' }) })

/** What new repositories can start with. */
export function templates(context: Context) {
  const licenseUrl = (key: string) => `${context.rootUrl}api/v1/licenses/${encodeURIComponent(key)}`
  return new Elysia({ name: 'templates' })
    .use(gate(context))
    .get('/gitignore/templates', () => [...gitignores().keys()], {
      anyone: [],
      response: { 200: TemplateNames },
      detail: operation('listGitignoresTemplates', 'Returns a list of all gitignore templates', 'miscellaneous'),
    })
    .get('/gitignore/templates/:name', ({ params }) => orNotFound(findGitignore(params.name)), {
      anyone: [],
      params: Name,
      response: { 200: GitignoreTemplateInfo },
      detail: operation('getGitignoreTemplateInfo', 'Returns information about a gitignore template', 'miscellaneous'),
    })
    .get('/licenses', async () => [...(await licenses()).values()].map(({ key }) => ({ key, name: key, url: licenseUrl(key) })), {
      anyone: [],
      response: { 200: t.Array(LicensesTemplateListEntry) },
      detail: operation('listLicenseTemplates', 'Returns a list of all license templates', 'miscellaneous'),
    })
    .get(
      '/licenses/:name',
      async ({ params }) => {
        const { key, text } = orNotFound(await findLicense(params.name))
        const implementation =
          'Create a text file (typically named LICENSE or LICENSE.txt) in the root of your source code and copy the text of the license into the file'
        return { key, name: key, url: licenseUrl(key), implementation, body: text }
      },
      {
        anyone: [],
        params: Name,
        response: { 200: LicenseTemplateInfo },
        detail: operation('getLicenseTemplateInfo', 'Returns information about a license template', 'miscellaneous'),
      },
    )
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new NotFound()
  return found
}
