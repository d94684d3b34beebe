import { sha256Hex } from '#kernel/ids.ts'
import { iconSprite } from './icon-sprite.ts' with { type: 'macro' }
import { mark } from './mark.ts'
import base from './style/base.css' with { type: 'text' }
import code from './style/code.css' with { type: 'text' }
import diff from './style/diff.css' with { type: 'text' }
import files from './style/files.css' with { type: 'text' }
import forms from './style/forms.css' with { type: 'text' }
import layout from './style/layout.css' with { type: 'text' }
import lists from './style/lists.css' with { type: 'text' }
import parts from './style/parts.css' with { type: 'text' }
import print from './style/print.css' with { type: 'text' }
import script from './style/script.css' with { type: 'text' }
import threads from './style/threads.css' with { type: 'text' }
import versions from './style/versions.css' with { type: 'text' }

/** A file that all pages load beside themselves; its name changes with its content, so browsers may keep it for ever. */
export class WebAsset {
  readonly name: string
  readonly text: string
  readonly type: string
  #compressed: Uint8Array<ArrayBuffer> | undefined

  constructor(stem: string, ending: string, type: string, text: string) {
    this.text = text
    this.type = type
    this.name = `${stem}-${sha256Hex(text).slice(0, 12)}.${ending}`
  }

  /** As gzip has it; made when it is asked for first. */
  get compressed(): Uint8Array<ArrayBuffer> {
    this.#compressed ??= Bun.gzipSync(this.text, { level: 9 })
    return this.#compressed
  }
}

/** Each file is a layer of its name; what comes later wins over what came before, however exactly that was meant. */
const layers = { base, forms, lists, parts, layout, threads, files, code, diff, versions, script, print }
const style = [`@layer ${Object.keys(layers).join(', ')};`, ...Object.values(layers)].join('\n')

export const stylesheet = new WebAsset('pages', 'css', 'text/css; charset=utf-8', style)

/** The icons, which pages refer to by address and name. */
export const icons = new WebAsset('icons', 'svg', 'image/svg+xml', iconSprite())

/** Our sign in its own colour, which reads on light and dark alike. */
export const favicon = new WebAsset(
  'pocketforge',
  'svg',
  'image/svg+xml',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#2a66bb">${mark}</svg>`,
)
