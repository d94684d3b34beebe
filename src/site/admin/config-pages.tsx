import { Elysia } from 'elysia'
import { gate } from '#access/index.ts'
import { type Config, environmentName, type Origin, settings } from '#config.ts'
import type { Context } from '#context.ts'
import type { Setting } from '#kernel/settings.ts'
import { answerPage, KeyName, Scrolled, SiteFrame, Visit } from '#web/index.ts'

/** What this server runs by, and where each value was said; secrets stay so. */
export function configPages(context: Context) {
  return new Elysia({ name: 'admin.config-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/config', ({ viewer, request }) => show(context, new Visit(context, viewer, request)), { siteAdmin: 'admin', detail: { hide: true } })
}

function show({ config }: Pick<Context, 'config'>, visit: Visit): Response {
  return answerPage(
    <SiteFrame visit={visit} subject="config" title="Configuration">
      <p>
        The server reads its settings when it starts: from the settings file (pocketforge.toml), environment variables and command-line flags. Environment
        variables override the file, and flags override both.
      </p>
      {Object.entries(settings).map(([section, keys]) => (
        <>
          <h2>{section}</h2>
          <Scrolled label={section}>
            <table class="facts">
              <thead>
                <tr>
                  <th scope="col">Setting</th>
                  <th scope="col">Value</th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(keys as Record<string, Setting<unknown>>).map(([key, one]) => (
                  <Row config={config} section={section} name={key} one={one} />
                ))}
              </tbody>
            </table>
          </Scrolled>
        </>
      ))}
    </SiteFrame>,
  )
}

function Row({ config, section, name, one }: { config: Config; section: string; name: string; one: Setting<unknown> }) {
  const value = (config as unknown as Record<string, Record<string, unknown>>)[section]?.[name]
  return (
    <tr>
      <th scope="row">
        <code>
          <KeyName name={name} />
        </code>
        <p class="faint">{one.doc}</p>
      </th>
      <td>
        <code>{one.isSecret ? (value === '' ? 'not set' : 'set (hidden)') : JSON.stringify(value)}</code>
        <p class="faint">{originText(config.origins.get(`${section}.${name}`), section, name)}</p>
      </td>
    </tr>
  )
}

function originText(origin: Origin | undefined, section: string, name: string): string {
  if (origin === undefined) return 'default'
  return { file: 'from the settings file', environment: `from ${environmentName(section, name)}`, flag: 'from the command line' }[origin]
}
