import type { RepoRow, UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Variables } from '#git/edit/expand-variables.ts'
import { presentRepoRow, repoUrl } from '#repositories/repos/index.ts'

interface Named {
  row: RepoRow
  owner: UserRow
}

/** The whole table of what a template can have filled in. Source: Gitea's `generateExpansion`. */
export function templateVariables(context: Pick<Context, 'db' | 'clock' | 'rootUrl'>, made: Named, template: Named): Variables {
  return { ...dates(new Date(context.clock.millis())), ...about(context, 'REPO', made), ...about(context, 'TEMPLATE', template) }
}

function dates(now: Date): Variables {
  return {
    YEAR: String(now.getUTCFullYear()),
    MONTH: String(now.getUTCMonth() + 1).padStart(2, '0'),
    MONTH_ENGLISH: now.toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
    DAY: String(now.getUTCDate()).padStart(2, '0'),
  }
}

function about(context: Pick<Context, 'db' | 'rootUrl'>, prefix: string, { row, owner }: Named): Variables {
  const { ssh_url, clone_url } = presentRepoRow(context, { user: owner, grant: undefined, via: 'anonymous', queryToken: false }, row)
  return {
    ...inForms(`${prefix}_NAME`, row.name),
    ...inForms(`${prefix}_OWNER`, owner.name),
    [`${prefix}_DESCRIPTION`]: row.description,
    [`${prefix}_LINK`]: repoUrl(context, owner, row),
    [`${prefix}_HTTPS_URL`]: clone_url,
    [`${prefix}_SSH_URL`]: ssh_url,
  }
}

/** A name as it is, and as `NAME_SNAKE` and so on. */
function inForms(variable: string, value: string): Variables {
  return Object.fromEntries([[variable, value], ...Object.entries(forms).map(([form, write]) => [`${variable}_${form}`, write(value)])])
}

const forms: Record<string, (text: string) => string> = {
  SNAKE: (text) => wordsIn(text).join('_'),
  KEBAB: (text) => wordsIn(text).join('-'),
  CAMEL: (text) =>
    wordsIn(text)
      .map((word, i) => (i === 0 ? word : capital(word)))
      .join(''),
  PASCAL: (text) => wordsIn(text).map(capital).join(''),
  LOWER: (text) => text.toLowerCase(),
  UPPER: (text) => text.toUpperCase(),
  TITLE: (text) => text.toLowerCase().replace(/[a-z0-9]+/g, capital),
}

/** In lower case: `my-HTTPServer2` has `my`, `http` and `server2`. */
function wordsIn(text: string): string[] {
  const words = text.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? []
  return words.map((word) => word.toLowerCase())
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
