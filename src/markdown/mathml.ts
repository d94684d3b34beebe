import temml from 'temml'
import { escapeHtml } from '#kernel/escape-html.ts'

/** Longer formulas are shown as their source. */
const MAX_FORMULA = 5000
/** The most macro expansions of a formula, so that ten macros cannot become a billion elements. */
const MAX_EXPANSIONS = 500
/** The deepest nesting. Browsers' parsers differ for elements nested some hundred levels deep. */
const MAX_DEPTH = 100
/** The largest lengths in a formula, in em and in pt. */
const MAX_SIZE: [number, number] = [30, 300]

/** A node of Temml's tree. Elements have a type, texts do not. */
interface MathNode {
  type?: string
  text?: string
  attributes?: Record<string, string>
  classes?: string[]
  style?: Record<string, string>
  children?: MathNode[]
}

/** MathML Core, without links, pictures, scripts and foreign content; `menclose` is drawn by our style sheet. https://w3c.github.io/mathml-core/ */
const elements = new Set(
  (
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mpadded ' +
    'mphantom mstyle menclose'
  ).split(' '),
)
const attributes = new Set(
  (
    'accent accentunder columnspan depth display displaystyle fence form height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant ' +
    'maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset width'
  ).split(' '),
)
const plainValue = /^[#\w.%+ -]{1,40}$/
/** Classes that have rules in our style sheet. */
const classes = /^(?:tml-(?:left|right|cancel|xcancel|overline|underline|fbox|prime)|upstrike|downstrike|sout)$/

/** Converts a formula in TeX to safe MathML. Undefined when the formula is wrong, too long or too deep. */
export function toMathml(tex: string, isBlock: boolean): string | undefined {
  if (tex.length > MAX_FORMULA) return undefined
  try {
    const settings = { displayMode: isBlock, throwOnError: true, maxExpand: MAX_EXPANSIONS, maxSize: MAX_SIZE }
    return write(temml.__renderToMathMLTree(tex, settings), 0)
  } catch {
    // Temml throws a TypeError for some wrong formulas such as `x_`, not only its own errors.
    return undefined
  }
}

/** @throws RangeError for elements nested too deep */
function write({ type, text, attributes: given = {}, classes: names = [], style = {}, children = [] }: MathNode, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError('too many elements inside one another')
  if (text !== undefined) return escapeHtml(text)
  const inside = children.map((child) => write(child, depth + 1)).join('')
  // The content of links to other formulas stays, without the link.
  if (type === undefined || !elements.has(type)) return inside
  const kept = Object.entries({ ...given, ...colorsOf(style, given) }).filter(([name, value]) => attributes.has(name) && plainValue.test(value))
  const shown = [...names.filter((name) => classes.test(name)), ...asClasses(style)]
  const all = [...kept, ...(shown.length > 0 ? [['class', shown.join(' ')] as const] : [])]
  return `<${type}${all.map(([name, value]) => ` ${name}="${value}"`).join('')}>${inside}</${type}>`
}

/** Returns colors as attributes, because the page's policy allows no inline styles. A black rule gets the color of the text, because pages can be dark. */
function colorsOf({ color }: Record<string, string>, { mathbackground }: Record<string, string>): Record<string, string> {
  return { ...(color !== undefined && { mathcolor: color }), ...(mathbackground === 'black' && { mathbackground: 'currentcolor' }) }
}

/** Returns classes in place of inline styles for table lines, boxes and cells without padding. */
function asClasses(style: Record<string, string>): string[] {
  const { border, borderTop, borderRight, borderBottom, borderLeft, width, paddingLeft, paddingRight } = style
  const rules = {
    'tml-fbox': border !== undefined,
    'tml-top': borderTop !== undefined,
    'tml-end': borderRight !== undefined,
    'tml-bottom': borderBottom !== undefined,
    'tml-start': borderLeft !== undefined,
    'tml-no-start': paddingLeft === '0em',
    'tml-no-end': paddingRight === '0em',
    'tml-wide': width === '100%',
    'tml-half': width === '50%',
  }
  return Object.entries(rules).flatMap(([name, isMeant]) => (isMeant ? [name] : []))
}
