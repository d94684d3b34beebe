import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentName, settings } from '#config.ts'
import type { Setting } from '#kernel/settings.ts'

const path = join(import.meta.dir, '../README.md')
const BEGIN = '<!-- settings: written by `npm run fix` -->'
const END = '<!-- end of settings -->'

/** Whether the README lists the settings as they are. */
export function isReadmeCurrent(): boolean {
  const text = readFileSync(path, 'utf8')
  return text === withSettings(text)
}

export function updateReadme(): void {
  writeFileSync(path, withSettings(readFileSync(path, 'utf8')))
}

function withSettings(text: string): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`Cannot list the settings in README.md: it has no part from ${BEGIN} to ${END}`)
  return `${text.slice(0, begin + BEGIN.length)}\n${settingsTable()}\n${text.slice(end)}`
}

/** Every setting as a row of a Markdown table. */
function settingsTable(): string {
  const rows = Object.entries(settings).flatMap(([section, keys]) =>
    Object.entries(keys as Record<string, Setting<unknown>>).map(
      ([key, { doc, fallback }]) => `| \`${section}.${key}\` | \`${JSON.stringify(fallback)}\` | ${doc} |`,
    ),
  )
  return [
    '',
    '| Setting | Default | Description |',
    '|---|---|---|',
    ...rows,
    '',
    `The environment variable for \`git.MAX_PACK_SIZE\` is \`${environmentName('git', 'MAX_PACK_SIZE')}\`, and so on.`,
    '',
  ].join('\n')
}
