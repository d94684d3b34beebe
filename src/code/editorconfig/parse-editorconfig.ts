/** The pairs under one heading. */
export interface Section {
  glob: string
  pairs: readonly (readonly [name: string, value: string])[]
}

export interface ParsedFile {
  /** Files in directories above do not count. */
  isRoot: boolean
  sections: readonly Section[]
}

/** Longer names, values and headings are ignored, as the specification lets one. */
const MAX_NAME = 1024
const MAX_VALUE = 4096

/**
 * Reads an `.editorconfig`. What is no heading, pair or comment is ignored; names are taken in any case. Written here because the parser
 * that npm has reads a file of its own at start, which a single executable has not. Source: the EditorConfig specification, 0.17.
 */
export function parseEditorConfig(text: string): ParsedFile {
  let isRoot = false
  const sections: { glob: string; pairs: [string, string][] }[] = []
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const [, glob] = /^\s*\[(.*)\]\s*$/.exec(line) ?? []
    if (glob !== undefined) sections.push({ glob, pairs: [] })
    const pair = glob === undefined ? parsePair(line) : undefined
    if (!pair) continue
    const section = sections.at(-1)
    if (section) section.pairs.push(pair)
    else if (pair[0] === 'root') isRoot = pair[1].toLowerCase() === 'true'
  }
  return { isRoot, sections: sections.filter(({ glob }) => glob.length <= MAX_NAME) }
}

function parsePair(line: string): [string, string] | undefined {
  const at = line.indexOf('=')
  if (at < 0 || /^\s*[#;]/.test(line)) return undefined
  const name = line.slice(0, at).trim().toLowerCase()
  const value = line.slice(at + 1).trim()
  return name === '' || name.length > MAX_NAME || value.length > MAX_VALUE ? undefined : [name, value]
}
