import { decide } from './heuristics.ts'
import type { Language, LinguistData } from './linguist-data.ts'

/**
 * The language of a file, as Linguist tells it: by what an editor is told in it, its name, its first line, its extension and, where languages
 * share that, its text. Where even that leaves several, the one whose first extension it is, or the first by name.
 * @param readHead the beginning of its text, asked for only where it can matter; undefined for what is no text
 */
export function detectLanguage(data: LinguistData, path: string, readHead: () => string | undefined): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [named, ...others] = data.byFilename.get(name) ?? []
  if (named && others.length === 0) return named
  const { extension, candidates } = byExtension(data, name)
  if (candidates.length === 1) return candidates[0]
  // Of what has an extension that no language has, the text tells nothing; names without one are those of scripts.
  if (candidates.length === 0 && name.lastIndexOf('.') > 0) return undefined
  const head = readHead()
  if (head === undefined) return undefined
  return byModeline(data, head) ?? byShebang(data, head, candidates) ?? among(data, extension, candidates, head)
}

/** The longest ending of the name that any language has: `x.html.erb` before `x.erb`. */
function byExtension(data: LinguistData, name: string): { extension: string; candidates: readonly Language[] } {
  const lower = name.toLowerCase()
  for (let dot = lower.indexOf('.'); dot >= 0; dot = lower.indexOf('.', dot + 1)) {
    const candidates = data.byExtension.get(lower.slice(dot))
    if (candidates) return { extension: lower.slice(dot), candidates }
  }
  return { extension: '', candidates: [] }
}

function among(data: LinguistData, extension: string, candidates: readonly Language[], head: string): Language | undefined {
  const [decided] = decide(data, extension, head) ?? []
  if (decided !== undefined) return data.languages.get(decided.toLowerCase())
  return candidates.find((language) => language.extensions[0] === extension) ?? candidates[0]
}

const emacs = /-\*-\s*(?:[^\n]{0,200}?\bmode\s*:\s*)?([\w+#-]+)\s*(?:;[^\n]{0,200}?)?-\*-/i
const vim = /(?:^|[ \t])(?:vim?|ex)\d{0,4}:[^\n]{0,200}?\b(?:ft|filetype|syntax)=([\w+#-]+)/

/** In the first lines alone: what is read is the beginning. */
function byModeline(data: LinguistData, head: string): Language | undefined {
  const lines = head.split('\n', 5).map((line) => line.slice(0, 500))
  for (const line of lines) {
    const told = emacs.exec(line)?.[1] ?? vim.exec(line)?.[1]
    const language = told && data.languages.get(told.toLowerCase())
    if (language) return language
  }
  return undefined
}

/** `#!/usr/bin/env -S python3 -u` is python's. */
function byShebang(data: LinguistData, head: string, candidates: readonly Language[]): Language | undefined {
  if (!head.startsWith('#!')) return undefined
  const words = head.slice(2, 500).split('\n', 1).join('').trim().split(/\s+/)
  const isEnv = words[0]?.endsWith('/env') === true
  const program = (isEnv ? words.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')) : words[0]) ?? ''
  const name = program.slice(program.lastIndexOf('/') + 1)
  const found = data.byInterpreter.get(name) ?? data.byInterpreter.get(name.replace(/[\d.]+$/, '')) ?? []
  return found.length === 1 || candidates.length === 0 ? found[0] : found.find((language) => candidates.includes(language))
}
