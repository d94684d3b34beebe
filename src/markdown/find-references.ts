import { mentionPattern, referencePattern, teamPattern } from './patterns.ts'

/** What a text refers to, as rendering would link it. */
export interface IssueReference {
  /** `owner/name`; undefined: the repository that the text stands in. */
  repo: string | undefined
  number: number
  /** The words right before it, up to forty characters of the same line: `closes` may be among them. */
  lead: string
}

const LEAD = 40
/** As many are found; what a text of thousands refers to interests nobody. */
const MAX_REFERENCES = 200
/** So many references and mentions are looked at: a text can have the same a hundred thousand times. */
const MAX_FOUND = 5000

/** Issues and pull requests that a text in Markdown names, as `#1`, `!1`, `owner/repo#1` or by their address here; code names nothing. */
export function findIssueReferences(markdown: string, rootUrl: string): IssueReference[] {
  if (!/[#!][1-9]/.test(markdown) && !markdown.includes(rootUrl)) return []
  const text = shortenAddresses(withoutCode(markdown), rootUrl)
  const found: IssueReference[] = []
  for (const { groups = {}, index } of text.matchAll(referencePattern()).take(MAX_FOUND)) {
    if (groups.number === undefined) continue
    if (found.length >= MAX_REFERENCES) break
    const lead = text.slice(Math.max(0, index - LEAD), index)
    found.push({ repo: groups.repo, number: Number(groups.number), lead: lead.slice(lead.lastIndexOf('\n') + 1) })
  }
  return found
}

/** Names of accounts, and `org/team` of teams, that a text in Markdown mentions; each once, in lower case. */
export function findMentions(markdown: string): { names: string[]; teams: string[] } {
  if (!markdown.includes('@')) return { names: [], teams: [] }
  const text = withoutCode(markdown)
  const teams = distinct(text, teamPattern())
  return { teams, names: distinct(text.replace(teamPattern(), ''), mentionPattern()) }
}

function distinct(text: string, pattern: RegExp): string[] {
  const found = new Set<string>()
  for (const [, name = ''] of text.matchAll(pattern).take(MAX_FOUND)) {
    if (found.size >= MAX_REFERENCES) break
    found.add(name.toLowerCase())
  }
  return [...found]
}

/** The text without what is shown as code, and without comments. */
function withoutCode(markdown: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
    } else if (mark !== undefined) fence = mark
    else if (!/^(?: {4}|\t)/.test(line) || /^\s*(?:[-*+]|\d+[.)])\s/.test(line)) lines.push(line)
  }
  return withoutSpans(withoutComments(lines.join('\n')))
}

/** One that does not end hides nothing. Each character is looked at once, however many begin. */
function withoutComments(text: string): string {
  const kept: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end < 0) break
    kept.push(text.slice(at, start))
    at = end + 3
  }
  return [...kept, text.slice(at)].join(' ')
}

/** As many runs of backticks are looked at; what comes behind them names nothing. */
const MAX_RUNS = 10_000

/** Without code between runs of as many backticks: each run looks for the next of its own length, forwards only. */
function withoutSpans(all: string): string {
  const runs = Array.from(all.matchAll(/`+/g).take(MAX_RUNS), ({ 0: { length }, index }) => ({ index, length }))
  const text = runs.length < MAX_RUNS ? all : all.slice(0, runs.at(-1)?.index)
  const ends = new Map<number, number[]>()
  for (const { index, length } of runs.toReversed()) {
    const known = ends.get(length)
    if (known) known.push(index)
    else ends.set(length, [index])
  }
  const kept: string[] = []
  let at = 0
  for (const { index, length } of runs) {
    const later = ends.get(length) as number[]
    while (later.length > 0 && (later.at(-1) as number) <= index) later.pop()
    const end = later.at(-1)
    if (index < at || end === undefined) continue
    kept.push(text.slice(at, index))
    at = end + length
  }
  return [...kept, text.slice(at)].join(' ')
}

/** Addresses of issues here, as the references they stand for. */
function shortenAddresses(text: string, rootUrl: string): string {
  if (!text.includes(rootUrl)) return text
  return text
    .split(rootUrl)
    .map((part, at) => (at === 0 ? part : part.replace(/^([\w.-]+\/[\w.-]+)\/(?:issues|pulls)\/(\d{1,10})(?:#[\w-]*)?(?![\w/])/, '$1#$2')))
    .join('')
}
