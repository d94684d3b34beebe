import { type DefaultTreeAdapterMap, ErrorCodes, type ParserError, parse } from 'parse5'

type Node = DefaultTreeAdapterMap['node']
export type Element = DefaultTreeAdapterMap['element']

/** Labels are not asked of these. */
const unlabelled = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
/** What makes a browser ask for something, or sends it something. */
const loading: Record<string, string[]> = {
  img: ['src', 'srcset'],
  script: ['src'],
  source: ['src', 'srcset'],
  form: ['action'],
  button: ['formaction'],
  input: ['formaction', 'src'],
}
const forbidden = new Set(['style', 'iframe', 'object', 'embed', 'base', 'applet', 'frame', 'frameset', 'portal', 'math'])
/** What a link may lead to; nothing of it runs here. */
const followed = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:', 'irc:', 'ircs:', 'xmpp:', 'ssh:', 'data:'])

export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value
}

export function elementsIn(node: Node): Element[] {
  const inner = 'childNodes' in node ? node.childNodes.flatMap(elementsIn) : []
  return 'tagName' in node ? [node, ...inner] : inner
}

export function textIn(node: Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterMap['textNode']).value
  return 'childNodes' in node ? node.childNodes.map(textIn).join('') : ''
}

/** Files have these characters, and are edited on pages; nothing else than they themselves stands for them. */
const inFiles = new Set<string>([ErrorCodes.controlCharacterInInputStream, ErrorCodes.noncharacterInInputStream])

interface Reading {
  elements: Element[]
  errors: string[]
}

/** The last page that was read: most are judged in several ways, one after the other. */
let last: { html: string; reading: Reading } | undefined

/** A page as a browser reads it, with what its parser complains of. */
export function readPage(html: string): Reading {
  if (last?.html !== html) last = { html, reading: parsePage(html) }
  return last.reading
}

function parsePage(html: string): Reading {
  const errors: string[] = []
  const onParseError = ({ code, startLine, startCol }: ParserError) => {
    if (!inFiles.has(code)) errors.push(`${code} at ${startLine}:${startCol}`)
  }
  const document = parse(html, { onParseError, sourceCodeLocationInfo: true })
  return { elements: elementsIn(document), errors }
}

/** By the hash of a page: very many answers are the same one. */
const judged = new Map<number | bigint, string[]>()

/** What is wrong with a page: how it is written, what people need to find their way, and what the policy of our pages forbids. */
export function faultsOf(html: string): string[] {
  return judged.getOrInsertComputed(Bun.hash(html), () => findFaults(html))
}

function findFaults(html: string): string[] {
  const { elements, errors } = readPage(html)
  return [
    ...(html.startsWith('<!DOCTYPE html>') ? [] : ['no doctype']),
    ...errors,
    ...outlineFaults(elements),
    ...labelFaults(elements),
    ...idFaults(elements),
    ...elements.flatMap(activeIn),
  ]
}

function outlineFaults(elements: readonly Element[]): string[] {
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name)
  const faults = []
  for (const [name, count] of [
    ['html', 1],
    ['title', 1],
    ['main', 1],
    ['h1', 1],
  ] as const) {
    if (named(name).filter((one) => !isIn(one, 'svg')).length !== count) faults.push(`${named(name).length} <${name}>`)
  }
  if (!named('header').some((one) => (one.parentNode as Element).tagName === 'body')) faults.push('no banner')
  if (attributeOf(named('html')[0] as Element, 'lang') === undefined) faults.push('no language')
  for (const one of [...named('title'), ...named('h1')]) if (textIn(one).trim() === '') faults.push(`empty <${one.tagName}>`)
  const navs = named('nav').map((one) => attributeOf(one, 'aria-label'))
  if (navs.length === 0 || navs.includes(undefined) || new Set(navs).size < navs.length) faults.push(`landmarks called ${navs.join(', ')}`)
  return faults
}

function labelFaults(elements: readonly Element[]): string[] {
  const targets = new Set(elements.map((one) => (one.tagName === 'label' ? attributeOf(one, 'for') : undefined)))
  const faults: string[] = []
  for (const one of elements) {
    const isField = ['input', 'select', 'textarea'].includes(one.tagName) && !unlabelled.has(attributeOf(one, 'type') ?? '')
    const isPressed = ['a', 'button', 'summary'].includes(one.tagName)
    const said = attributeOf(one, 'aria-label') ?? attributeOf(one, 'aria-labelledby') ?? attributeOf(one, 'title')
    if (isWritten(one)) continue
    if (isField && !said && !isIn(one, 'label') && !targets.has(attributeOf(one, 'id')))
      faults.push(`<${one.tagName} name=${attributeOf(one, 'name')}> has no label`)
    if (isPressed && !said && nameOf(one) === '') faults.push(`<${one.tagName} href=${attributeOf(one, 'href')}> says nothing`)
    if (one.tagName === 'img' && attributeOf(one, 'alt') === undefined) faults.push(`<img src=${attributeOf(one, 'src')}> has no alt`)
  }
  return faults
}

/** What is read out of it: its text, and what stands for pictures. */
function nameOf(one: Element): string {
  const inner = elementsIn(one).map((part) => attributeOf(part, 'alt') ?? attributeOf(part, 'aria-label') ?? '')
  return (textIn(one) + inner.join('')).trim()
}

function idFaults(elements: readonly Element[]): string[] {
  const ids = elements.flatMap((one) => attributeOf(one, 'id') ?? [])
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i)
  const named = elements.flatMap((one) =>
    ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'list', 'form', 'popovertarget'].flatMap(
      (name) => attributeOf(one, name)?.split(' ') ?? [],
    ),
  )
  return [...twice.map((id) => `two with the id ${id}`), ...named.filter((id) => !ids.includes(id)).map((id) => `nothing has the id ${id}`)]
}

/** What could run or reach out of what an element is or carries. */
export function activeIn(one: Element): string[] {
  const { tagName, attrs } = one
  const faults = []
  if (forbidden.has(tagName)) faults.push(`<${tagName}>`)
  if (tagName === 'script' && (attributeOf(one, 'src') === undefined || textIn(one) !== '')) faults.push('an inline script')
  if (tagName === 'meta' && attributeOf(one, 'http-equiv') !== undefined) faults.push('<meta http-equiv>')
  if (tagName === 'link' && attributeOf(one, 'rel') !== 'search' && !isOurs(attributeOf(one, 'href') ?? '', true))
    faults.push(`<link href=${attributeOf(one, 'href')}>`)
  for (const { name, value } of attrs) {
    if (name === 'style' || name.startsWith('on') || name === 'srcdoc') faults.push(`${name} of <${tagName}>`)
    if (loading[tagName]?.includes(name) && !isOurs(value, tagName === 'img')) faults.push(`${name}=${value} of <${tagName}>`)
    if ((name === 'href' || name === 'xlink:href') && tagName !== 'link' && !isHarmless(value)) faults.push(`${name}=${value} of <${tagName}>`)
  }
  return faults
}

function isOurs(address: string, mayBeData: boolean): boolean {
  if (mayBeData && /^data:(?:image\/(?:png|gif|jpeg|webp);|,$)/.test(address)) return true
  return URL.parse(address, 'http://localhost/')?.origin === 'http://localhost'
}

function isHarmless(address: string): boolean {
  const protocol = URL.parse(address, 'http://localhost/')?.protocol
  return protocol !== undefined && followed.has(protocol) && (protocol !== 'data:' || address === 'data:,')
}

/** Where texts are shown that people wrote, and that were made HTML of. */
const written = new Set(['text', 'readme'])

/** Whether it is a part of what somebody wrote, and none of the page itself. */
export function isWritten(one: Element): boolean {
  const classes = attributeOf(one, 'class')?.split(' ') ?? []
  const { parentNode } = one
  return classes.some((name) => written.has(name)) || (parentNode !== null && 'tagName' in parentNode && isWritten(parentNode))
}

function isIn({ parentNode }: Element, tagName: string): boolean {
  if (parentNode === null || !('tagName' in parentNode)) return false
  return parentNode.tagName === tagName || isIn(parentNode, tagName)
}
