import text from '../../../../assets/templates.gitignores' with { type: 'text' }

let parsed: ReadonlyMap<string, string> | undefined

/** What not to commit, by the name of the language, tool or system; in alphabetical order. */
export function gitignores(): ReadonlyMap<string, string> {
  parsed ??= parse(text)
  return parsed
}

/** By name, in any case. */
export function findGitignore(name: string): { name: string; source: string } | undefined {
  for (const [known, source] of gitignores()) if (known.toLowerCase() === name.toLowerCase()) return { name: known, source }
  return undefined
}

/** Sections that begin with a line `=== Name`. */
function parse(file: string): Map<string, string> {
  const sections = file.split(/^=== /m).slice(1)
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), `${section.slice(section.indexOf('\n') + 1).trim()}\n`]))
}
