import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import type { Formulas } from './formulas.ts'
import type { RenderJob } from './job.ts'
import { referencePattern } from './patterns.ts'

/** What `engine.render` is given besides the text. */
export type JobEnv = { job: RenderJob; formulas: Formulas }

interface Link {
  href: string
  class: string
  text: string
  /** Whether the text is a commit's id, shown as code. */
  isCode?: boolean
  /** Stands before the link's code. */
  lead?: string
}

const SHORT_ID = 10

/** Makes links of `#1`, `owner/repo#1`, `@name`, `@organization/team`, commit ids and this server's own addresses, in text that is not a link already. */
export function references(engine: MarkdownIt): void {
  engine.core.ruler.before('text_join', 'references', (state: StateCore) => {
    const { job } = state.env as unknown as JobEnv
    if (job.known === undefined) return
    for (const token of state.tokens) if (token.type === 'inline' && token.children) token.children = linkAll(token.children, job, state)
  })
}

function linkAll(tokens: Token[], job: RenderJob, state: StateCore): Token[] {
  let depth = 0
  return tokens.flatMap((token, index) => {
    if (token.type === 'html_inline') depth += /^<a[\s>]/i.test(token.content) ? 1 : /^<\/a\s*>/i.test(token.content) ? -1 : 0
    else if (token.type === 'link_open') shorten(tokens, index, job)
    if (token.type === 'link_open' || token.type === 'link_close') depth += token.nesting
    return token.type === 'text' && depth <= 0 ? split(token, job, state) : token
  })
}

function split(token: Token, job: RenderJob, state: StateCore): Token[] | Token {
  const parts: Token[] = []
  let end = 0
  for (const match of token.content.matchAll(referencePattern())) {
    const link = linkOf(match.groups ?? {}, job)
    if (!link) continue
    parts.push(textToken(token.content.slice(end, match.index), state), ...linkTokens(link, state))
    end = match.index + match[0].length
  }
  return end === 0 ? token : [...parts, textToken(token.content.slice(end), state)]
}

function linkOf(found: Partial<Record<string, string>>, { rootUrl, place, known }: RenderJob): Link | undefined {
  if (found.number !== undefined) {
    const repo = found.repo ?? place.repo
    if (repo === undefined || !known?.trackers.has(repo.toLowerCase())) return undefined
    if (Number(found.number) >= (known.absent?.[repo.toLowerCase()] ?? Infinity)) return undefined
    const kind = found.mark === '!' ? 'pulls' : 'issues'
    return { href: `${rootUrl}${repo}/${kind}/${found.number}`, class: 'ref-issue', text: `${found.repo ?? ''}${found.mark}${found.number}` }
  }
  if (found.name !== undefined) {
    return known?.names.has(found.name.toLowerCase()) ? { href: rootUrl + found.name, class: 'mention', text: `@${found.name}` } : undefined
  }
  if (found.team !== undefined) {
    const [org, team] = found.team.split('/')
    return known?.teams.has(found.team.toLowerCase()) ? { href: `${rootUrl}org/${org}/teams/${team}`, class: 'mention', text: `@${found.team}` } : undefined
  }
  if (found.commit !== undefined) {
    const isKnown = known?.histories.has(String(found.commitRepo).toLowerCase())
    return isKnown ? commitLink(`${rootUrl}${found.commitRepo}`, found.commit, `${found.commitRepo}@`) : undefined
  }
  const isCommit = found.own !== undefined && place.repo !== undefined && known?.commits.has(found.own)
  return isCommit ? commitLink(`${rootUrl}${place.repo}`, found.own as string) : undefined
}

function commitLink(repoUrl: string, id: string, lead?: string): Link {
  return { href: `${repoUrl}/commit/${id}`, class: 'commit', text: id.slice(0, SHORT_ID), isCode: true, lead }
}

function linkTokens(link: Link, state: StateCore): Token[] {
  const open = new state.Token('link_open', 'a', 1)
  open.attrs = [
    ['href', link.href],
    ['class', link.class],
  ]
  const text = link.isCode ? new state.Token('code_inline', 'code', 0) : new state.Token('text', '', 0)
  text.content = link.text
  return [open, ...(link.lead ? [textToken(link.lead, state)] : []), text, new state.Token('link_close', 'a', -1)]
}

function textToken(text: string, state: StateCore): Token {
  const token = new state.Token('text', '', 0)
  token.content = text
  return token
}

/** An address behind the server's root. */
const ownAddress = /^([\w.-]+\/[\w.-]+)\/(?:(issues|pulls)\/(\d{1,10})|commit\/([0-9a-f]{7,64}))$/

/** An address of this server's that stands for itself is shown as the reference it is, unless the viewer cannot see what it is of. */
function shorten(tokens: Token[], index: number, { rootUrl, place, known }: RenderJob): void {
  const [open, text] = [tokens[index], tokens[index + 1]]
  const href = String(open?.attrGet('href') ?? '')
  if (open?.info !== 'auto' || !href.startsWith(rootUrl) || text?.type !== 'text') return
  const found = ownAddress.exec(href.slice(rootUrl.length))
  if (!found) return
  const [, repo = '', kind, number, id] = found
  if (!(id === undefined ? known?.trackers : known?.histories)?.has(repo.toLowerCase())) return
  const lead = repo === place.repo ? '' : repo
  if (id === undefined) text.content = `${lead}${kind === 'pulls' ? '!' : '#'}${number}`
  else text.content = `${lead === '' ? '' : `${lead}@`}${id.slice(0, SHORT_ID)}`
  open.attrSet('class', id === undefined ? 'ref-issue' : 'commit')
}
