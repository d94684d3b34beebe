import type { MarkdownIt, RendererRule, StateBlock, StateInline, Token } from 'markdown-it'
import { escapeHtml } from '#kernel/escape-html.ts'
import type { Formulas } from './formulas.ts'
import type { JobEnv } from './references.ts'

/**
 * Formulas in TeX, as GitHub has them: `$x$`, `` $`x`$ ``, `$$x$$` and blocks of code in the language `math`. A single dollar sign opens one only
 * where no letter or digit is before it and no space behind, and closes it the other way round, so that `$5 and $6` stays text.
 * https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions
 */
export function math(engine: MarkdownIt): void {
  engine.inline.ruler.after('escape', 'math', inlineMath)
  engine.block.ruler.before('fence', 'math_block', blockMath, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  const { renderer } = engine
  const { fence } = renderer.rules as { fence: RendererRule }
  const { renderInlineAsText } = renderer
  // The alternative text of an image contains the formula in TeX.
  renderer.renderInlineAsText = (tokens, ...rest) => renderInlineAsText.call(renderer, tokens.map(asText), ...rest)
  Object.assign(renderer.rules, {
    math_inline: (tokens: Token[], index: number, _options: unknown, env: unknown) => inlineHtml(tokens[index] as Token, env),
    math_block: (tokens: Token[], index: number, _options: unknown, env: unknown) => blockHtml(tokens[index] as Token, env),
    fence: ((tokens, index, ...rest) => {
      const token = tokens[index] as Token
      return token.info.trim() === 'math' ? blockHtml(token, rest[1]) : fence(tokens, index, ...rest)
    }) satisfies RendererRule,
  })
}

function asText(token: Token): Token {
  return token.type === 'math_inline' ? Object.assign(Object.create(token), { type: 'text', content: written(token) }) : token
}

function written({ content, markup }: Token): string {
  return `${markup}${content}${[...markup].reverse().join('')}`
}

function inlineHtml(token: Token, env: unknown): string {
  const isBlock = token.markup === '$$'
  const mark = formulasOf(env).add(token.content, isBlock)
  if (mark === undefined) return `<code>${escapeHtml(written(token))}</code>`
  return isBlock ? `<span class="math">${mark}</span>` : mark
}

function blockHtml({ content }: Token, env: unknown): string {
  const mark = formulasOf(env).add(content, true)
  return mark === undefined ? `<pre><code class="language-math">${escapeHtml(content)}</code></pre>\n` : `<p><span class="math">${mark}</span></p>\n`
}

function formulasOf(env: unknown): Formulas {
  return (env as JobEnv).formulas
}

interface Found {
  tex: string
  markup: string
  end: number
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src[pos] !== '$' || src[pos - 1] === '$') return false
  const found = src[pos + 1] === '$' ? betweenTwo(src, pos) : src[pos + 1] === '`' ? betweenTicks(src, pos) : betweenOne(src, pos)
  if (!found || found.end > posMax || found.tex.trim() === '') return false
  if (!silent) Object.assign(state.push('math_inline', 'math', 0), { content: found.tex, markup: found.markup })
  state.pos = found.end
  return true
}

/** Each of these functions searches only up to the next possible end of the formula, so that many unclosed formulas cost little. */
function betweenTwo(src: string, pos: number): Found | undefined {
  const close = src.indexOf('$$', pos + 2)
  if (close < 0 || src[pos + 2] === '$' || src[close + 2] === '$') return undefined
  return { tex: src.slice(pos + 2, close), markup: '$$', end: close + 2 }
}

function betweenTicks(src: string, pos: number): Found | undefined {
  const close = src.indexOf('`', pos + 2)
  return close >= 0 && src[close + 1] === '$' ? { tex: src.slice(pos + 2, close), markup: '$`', end: close + 2 } : undefined
}

/** Backticks inside end the search: code takes precedence. */
const single = /\$((?:\\[\s\S]|[^\\$`])+)\$/y
const wordLike = /\w/

function betweenOne(src: string, pos: number): Found | undefined {
  if (wordLike.test(src[pos - 1] ?? ' ') || /\s/.test(src[pos + 1] ?? ' ')) return undefined
  single.lastIndex = pos
  const tex = single.exec(src)?.[1]
  const end = single.lastIndex
  if (tex === undefined || /\s$/.test(tex) || wordLike.test(src[end] ?? ' ') || src[end] === '$') return undefined
  return { tex, markup: '$', end }
}

/** Parses `$$` at the beginning of a line up to the next `$$` at the end of a line, without an empty line in between. */
function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] as number) - state.blkIndent >= 4) return false
  const first = lineAt(state, startLine)
  if (!first.startsWith('$$') || first[2] === '$') return false
  const parts: string[] = []
  for (let line = startLine, text = first.slice(2); ; text = lineAt(state, line)) {
    const close = text.indexOf('$$')
    if (close >= 0) {
      const tex = [...parts, text.slice(0, close)].join('\n').trim()
      if (text.slice(close + 2).trim() !== '' || tex === '') return false
      if (silent) return true
      state.line = line + 1
      Object.assign(state.push('math_block', 'math', 0), { block: true, content: tex, map: [startLine, state.line] })
      return true
    }
    parts.push(text)
    if (++line >= endLine || state.isEmpty(line) || (state.sCount[line] as number) < state.blkIndent) return false
  }
}

function lineAt({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] as number) + (tShift[line] as number), eMarks[line])
}
