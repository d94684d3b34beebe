import type { Config } from '#config.ts'
import { Unprocessable } from '#kernel/errors.ts'

/** First segments of the server's own paths, now and as Gitea has them: an account of that name could not be reached. */
const reserved: ReadonlySet<string> = new Set([
  '-',
  '.',
  '..',
  '.well-known',
  'about',
  'api',
  'api-docs',
  'assets',
  'attachments',
  'avatar',
  'avatars',
  'captcha',
  'commits',
  'debug',
  'devtest',
  'docs',
  'error',
  'explore',
  'favicon.ico',
  'ghost',
  'gitea-actions',
  'healthz',
  'help',
  'info',
  'install',
  'issues',
  'less',
  'login',
  'logout',
  'manifest.json',
  'metrics',
  'milestones',
  'new',
  'nodeinfo',
  'notifications',
  'opensearch.xml',
  'org',
  'orgs',
  'plugins',
  'pulls',
  'raw',
  'repo',
  'repo-avatars',
  'repos',
  'robots.txt',
  'search',
  'serviceworker.js',
  'settings',
  'signing-key.gpg',
  'sitemap.xml',
  'ssh_info',
  'stars',
  'swagger',
  'swagger.v1.json',
  'template',
  'topics',
  'user',
  'users',
  'v1',
  'v2',
  'version',
])

/** Endings that mean something else in a path: a repository, a key list, a feed. */
const reservedEndings = ['.git', '.keys', '.gpg', '.rss', '.atom', '.png', '.wiki', '.lock']

/** Names that Windows takes for devices, with any extension. */
const device = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/

const shape = /^[0-9A-Za-z](?:[0-9A-Za-z]|[-._](?=[0-9A-Za-z]))*$/
const MAX_NAME = 40

/**
 * The name of an account, person or organization: letters, digits and single `-`, `_`, `.` between them, at most 40, not
 * reserved. Whether it is taken is the store's to say. @throws Unprocessable
 */
export function checkName(name: string, config: Config): void {
  if (name.length === 0 || name.length > MAX_NAME || !shape.test(name)) {
    throw new Unprocessable(
      `name is invalid [${printable(name)}]: must be 1 to ${MAX_NAME} letters or digits, with single dashes, underscores or dots between them`,
    )
  }
  const lower = name.toLowerCase()
  const blocked = config.security.RESERVED_USERNAMES.some((one) => one.toLowerCase() === lower)
  if (reserved.has(lower) || blocked || device.test(lower)) throw nameReserved(name)
  const ending = reservedEndings.find((one) => lower.endsWith(one))
  if (ending) throw new Unprocessable(`name pattern is not allowed [pattern: *${ending}]`)
}

/** What both reserved names and names of former accounts answer: the two look the same. */
export function nameReserved(name: string): Unprocessable {
  return new Unprocessable(`name is reserved [name: ${name}]`)
}

const address = /^(?!-)[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?\.)*[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?$/

/** An e-mail address of ASCII letters, at most 254, that no mailer takes for an option. @throws Unprocessable */
export function checkEmail(email: string): void {
  if (email.length > 254 || !address.test(email)) throw new Unprocessable(`e-mail invalid [email: ${printable(email)}]`)
}

/** Input as a message may show it: short, without control characters. */
function printable(text: string): string {
  return text.slice(0, 64).replace(/[^\x20-\x7e]/g, '?')
}
