import { settings } from '#config.ts'
import type { Setting } from '#kernel/settings.ts'

/** Returns every setting in Markdown: a heading and a table for each section of the settings file. */
export function settingsTable(): string {
  return Object.entries(settings)
    .map(([section, keys]) => sectionTable(section, keys))
    .join('\n')
}

function sectionTable(section: string, keys: Record<string, Setting<unknown>>): string {
  const rows = Object.entries(keys).map(([key, { doc, fallback }]) => `| ${keyCode(key)} | \`${JSON.stringify(fallback)}\` | ${escapeMarkdown(doc)} |`)
  return ['', `## [${section}]`, '', '| Setting | Default | Description |', '|---|---|---|', ...rows, ''].join('\n')
}

/** A narrow column breaks the name between its words. */
function keyCode(key: string): string {
  return `<code>${key.replaceAll('_', '_<wbr>')}</code>`
}

/** Escapes the characters of a plain sentence that Markdown gives a meaning. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_<>|[\]:]/g, '\\$&')
}
