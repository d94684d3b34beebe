import { networkInterfaces } from 'node:os'
import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { version } from '#version.ts'
import type { Output } from './environment.ts'
import type { Administrator } from './first-administrator.ts'
import { hostInUrl, isLoopback, isWildcard, type Server } from './listen.ts'
import { painter, printable } from './terminal.ts'

/** Tells a person where the server is and what to do first, and a program, in the last line, only where it is. */
export function announce(context: Pick<Context, 'config' | 'db' | 'rootUrl'>, server: Server, administrator: Administrator, out: Output): void {
  const paint = painter(out)
  const heading = `${paint('bold', `Pocketforge ${version}`)} stores its data in ${context.config.dataPath}`
  const places = placesOf(context, server).map(([name, url]) => `  ${name.padEnd(10)} ${paint('cyan', url)}`)
  out.print(['', heading, '', ...places, ...credentials(administrator), ...firstPush(context, administrator)].join('\n'))
  out.print(`\nlistening on http://${hostInUrl(isWildcard(server.hostname ?? '') ? '127.0.0.1' : (server.hostname ?? ''))}:${server.port}/`)

  function credentials({ name, password, signInSecret }: Administrator): string[] {
    if (password === undefined) return []
    const lines = [
      `  user       ${paint('bold', printable(name))}`,
      `  password   ${paint('bold', password)}`,
      ...(signInSecret === undefined ? [] : [`  sign in    ${paint('cyan', `${context.rootUrl}user/sign_in/${signInSecret}`)}`]),
    ]
    return ['', 'Created the first site administrator. The password is shown only once, and the sign-in link works once:', ...lines]
  }
}

function placesOf(context: Pick<Context, 'config' | 'rootUrl'>, server: Server): [string, string][] {
  const hostname = server.hostname ?? ''
  const places: [string, string][] = [['Server', context.rootUrl]]
  if (isWildcard(hostname)) for (const address of lanAddresses()) places.push(['Network', `http://${address}:${server.port}/`])
  else if (!isLoopback(hostname)) places.push(['Network', `http://${hostInUrl(hostname)}:${server.port}/`])
  if (context.config.api.ENABLE_SWAGGER) places.push(['API', `${context.rootUrl}api/swagger`])
  return places
}

function lanAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
}

/** Nothing once the administrator has a repository. */
function firstPush(context: Pick<Context, 'config' | 'db' | 'rootUrl'>, { name }: Administrator): string[] {
  const account = accessStore.findUserByName(context.db, name)
  if (account && accessStore.ownsRepos(context.db, account.id)) return []
  if (!context.config.repository.ENABLE_PUSH_CREATE_USER || context.config.repository.DISABLE_HTTP_GIT) return []
  const url = new URL(`${encodeURIComponent(name)}/first.git`, context.rootUrl)
  url.username = name
  return [
    '',
    'To create your first repository, push to it from any git repository with a commit:',
    `  git remote add pocketforge ${url}`,
    '  git push pocketforge HEAD',
  ]
}
