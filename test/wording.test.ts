import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Keeps texts that people read in plain English; a failure names the file, the text and what to write instead. */

interface Rule {
  pattern: RegExp
  instead: string
}

/** The beginning of a text or of a sentence in it. */
const START = '(?:^|(?<=[.!?:] ))'

const rules: readonly Rule[] = [
  {
    pattern: new RegExp(`${START}(?:Who|Whoever|Whose|Where|What|Those|Of)\\b(?![^.?!]*\\?)(?! to )`),
    instead: 'put the subject first: “Users with write access can …”',
  },
  { pattern: /\bwhom\b/i, instead: 'name the person: “the user that …”' },
  { pattern: /\b(?:some|no|every)body\b/i, instead: 'someone, no one, everyone, or the role: “site administrators”' },
  { pattern: /\b(?:is|are|was|be|been) told\b/i, instead: '“is notified”, or name who says what' },
  { pattern: /\bof yours\b/i, instead: '“your …”' },
  { pattern: /\banew\b/i, instead: '“again”' },
  { pattern: /\bfor ever\b/i, instead: '“permanently”' },
  { pattern: /\blately\b/i, instead: '“recently”' },
  { pattern: /, in Markdown\b/, instead: 'the label alone; a hint may say “Markdown is supported”' },
  { pattern: /^Make (?:the|an?|one)(?: [\w-]+){0,3}$/, instead: '“Create …”, or “Save”' },
  { pattern: /\bThat did not work\b/, instead: 'the error itself' },
  { pattern: /\bLeave it\b/, instead: '“Cancel” or “Discard”' },
  { pattern: /\buser names?\b/i, instead: '“username”' },
  { pattern: /\bcut off\b/, instead: '“truncated”' },
  {
    pattern:
      /\b(?:colours?|licences?|behaviours?|centres?|favourites?|analyse|catalogue|organis\w*|recognis\w*|synchronis\w*|authoris\w*|initialis\w*|labelled|cancelling)\b/i,
    instead: 'American spelling',
  },
]

/** Texts that Gitea's API has, word by word. */
const giteas = new Set([
  'Somebody has started to work on this but abandoned the work',
  'Owner organisation is required for filtering on team',
  'Make the issue in the url depend on the issue in the form.',
])

interface Text {
  where: string
  text: string
}

const root = join(import.meta.dir, '..')
const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

/** All string literals, template strings and texts between tags of a source file. Comments are not among them. */
function textsOf(path: string): Text[] {
  const source = readFileSync(join(root, path), 'utf8')
  // The transpiler runs macros, which need more than the text of one file.
  const code = transpilers[path.endsWith('x') ? 'tsx' : 'ts'].transformSync(source.replace(/ with \{ type: 'macro' \}/g, ''))
  const literals = code.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? []
  return literals
    .map((literal) => ({
      where: path,
      text: literal
        .slice(1, -1)
        .replace(/\$\{[^}]*\}/g, 'X')
        .trim(),
    }))
    .filter(({ text }) => !isName(text))
}

/** A path, a key or a value of a form: nothing that people read. */
function isName(text: string): boolean {
  return !text.includes(' ') && !/^[A-Z][a-z]+$/.test(text)
}

/** The paragraphs of a document, without code. */
function paragraphsOf(path: string): Text[] {
  const text = readFileSync(join(root, path), 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, 'code')
  return text.split(/\n(?:\s*\n|(?=\s*[-*|#\d]))/).map((paragraph) => ({ where: path, text: paragraph.replace(/^[\s>#*|-]+|\s+/g, ' ').trim() }))
}

const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((path) => (ending.test(path) ? `${folder}/${path.replaceAll('\\', '/')}` : []))

const sources = filesBelow('src', /\.tsx?$/).filter((path) => !/\.(?:test|fixture|d)\.tsx?$|\/contract\.ts$/.test(path))
const documents = ['README.md', ...filesBelow('assets', /\.(?:md|txt)$/).filter((path) => !path.includes('templates/'))]

const faultsIn = (texts: readonly Text[]) =>
  texts.flatMap(({ where, text }) =>
    rules.flatMap(({ pattern, instead }) => (pattern.test(text) && !giteas.has(text) ? `${where}: “${text.slice(0, 120)}” → ${instead}` : [])),
  )

test('finds what it is to find', () => {
  const texts = ['Who may merge', 'Make the label', 'Text, in Markdown', 'They are told of it. Of those, one stays', 'The colour of a label']
  expect(texts.map((text) => faultsIn([{ where: '', text }]).length)).toEqual([1, 1, 1, 2, 1])
  expect(faultsIn(['What is new?', 'Anyone can merge', 'Make sure that it runs'].map((text) => ({ where: '', text })))).toEqual([])
})

test('pages, errors, settings and the command line are in plain English', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(faultsIn(sources.flatMap(textsOf))).toEqual([])
})

test('README, guide and mails are in plain English', () => {
  expect(faultsIn(documents.flatMap(paragraphsOf))).toEqual([])
})
