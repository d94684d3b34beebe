import { RE2JS } from 're2js'

/** A line of a CODEOWNERS file. */
export interface OwnerRule {
  pattern: RE2JS
  /** Whether it is about the files that the pattern does not match. */
  isNegated: boolean
  /** Names of people, and `org/team`, without the `@` before them. */
  owners: string[]
}

/** Lines beyond these, and longer ones, are left out. */
const MAX_RULES = 1000
const MAX_LINE = 4096

/**
 * The rules of a CODEOWNERS file as Gitea writes them: a regular expression for whole paths, a `!` before it for all other paths, then owners.
 * Lines that cannot be read are left out. RE2 matches in time linear in the path's length. Source: Gitea's `models/issues/pull.go`.
 */
export function parseCodeOwners(text: string): OwnerRule[] {
  const rules: OwnerRule[] = []
  for (const line of text.split('\n')) {
    if (rules.length === MAX_RULES) break
    if (line.length > MAX_LINE) continue
    const [first = '', ...owners] = wordsOf(line)
    if (owners.length === 0) continue
    const isNegated = first.startsWith('!')
    try {
      rules.push({ pattern: RE2JS.compile(`^(?:${isNegated ? first.slice(1) : first})$`), isNegated, owners: owners.map((owner) => owner.replace(/^@/, '')) })
    } catch {
      // Not an expression.
    }
  }
  return rules
}

/** Words with blanks between them, up to a `#`; a backslash keeps what follows it as it is. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  let word = ''
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string
    if (char === '#') break
    if (char === '\\') word += line[++at] ?? ''
    else if (!/\s/.test(char)) word += char
    else if (word !== '') {
      words.push(word)
      word = ''
    }
  }
  return word === '' ? words : [...words, word]
}

/** The owners of files, each once, in the order of the rules. */
export function ownersOf(rules: readonly OwnerRule[], paths: readonly string[]): string[] {
  const owners = new Set<string>()
  for (const rule of rules) {
    if (rule.owners.every((owner) => owners.has(owner))) continue
    if (paths.some((path) => rule.pattern.matches(path) !== rule.isNegated)) for (const owner of rule.owners) owners.add(owner)
  }
  return [...owners]
}
