import { type Child, escapeHtml, Html } from './html.ts'

/**
 * What the compiler makes of JSX: elements are written down as they are made, everything put into them escaped. Libraries that do
 * this bring a browser's types into every file of ours, and a tree of objects that no server needs.
 */

type Attribute = string | number | boolean | null | undefined
type Props = Record<string, unknown> & { children?: Child }

const voidElements = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const addresses = new Set(['href', 'src', 'action', 'formaction', 'cite', 'poster'])
/** Addresses that run nothing: relative ones, the web, mail, and pictures and the empty icon as data. */
const harmless = /^(?:[/?#]|https?:|mailto:|data:(?:image\/(?:png|gif|jpeg|webp);|,$))/i

export function jsx(type: string | ((props: never) => Html | null), props: Props): Html {
  if (typeof type === 'function') return type(props as never) ?? new Html('')
  // Pages have thousands of elements: nothing is made for each of them but its text.
  let open = `<${type}`
  for (const name in props) if (name !== 'children') open += attribute(name, props[name] as Attribute)
  return new Html(voidElements.has(type) ? `${open}>` : `${open}>${show(props.children)}</${type}>`)
}

export const jsxs = jsx
export const jsxDEV = jsx

export function Fragment({ children }: { children?: Child }): Html {
  return new Html(show(children))
}

/** Children as markup. */
function show(child: Child): string {
  if (child instanceof Html) return child.text
  if (typeof child === 'string') return escapeHtml(child)
  if (typeof child === 'number') return String(child)
  let text = ''
  if (Array.isArray(child)) for (const one of child) text += show(one)
  return text
}

/** Names that were found to be allowed; templates have some dozens. */
const allowed = new Set<string>()

/** @throws Error for what the policy of our pages forbids: styles and scripts in attributes */
function refuseForbidden(name: string): void {
  if (!/^[a-z][a-zA-Z-]*$/.test(name) || /^on|^style$/i.test(name)) throw new Error(`Cannot write the attribute ${name}`)
  allowed.add(name)
}

/** @throws Error as `refuseForbidden` */
function attribute(name: string, value: Attribute): string {
  if (!allowed.has(name)) refuseForbidden(name)
  if (value === undefined || value === null || value === false) return ''
  if (value === true) return ` ${name}`
  const text = String(value)
  return addresses.has(name) && !harmless.test(text) ? '' : ` ${name}="${escapeHtml(text)}"`
}

export namespace JSX {
  export type Element = Html
  export interface ElementChildrenAttribute {
    children: unknown
  }
  export interface IntrinsicElements {
    [name: string]: Record<string, Attribute | Child>
  }
}
