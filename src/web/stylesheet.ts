import { sha256Hex } from '#kernel/ids.ts'
import base from './style/base.css' with { type: 'text' }
import code from './style/code.css' with { type: 'text' }
import forms from './style/forms.css' with { type: 'text' }
import layout from './style/layout.css' with { type: 'text' }
import lists from './style/lists.css' with { type: 'text' }
import parts from './style/parts.css' with { type: 'text' }
import print from './style/print.css' with { type: 'text' }
import script from './style/script.css' with { type: 'text' }
import threads from './style/threads.css' with { type: 'text' }
import versions from './style/versions.css' with { type: 'text' }

/** Each file is a layer of its name; what comes later wins over what came before, however exactly that was meant. */
const layers = { base, layout, forms, lists, parts, threads, code, versions, script, print }
const text = [`@layer ${Object.keys(layers).join(', ')};`, ...Object.values(layers)].join('\n')

/** The one style sheet; its name changes with its content, so browsers may keep it for ever. */
export const stylesheet = { text, name: `pages-${sha256Hex(text).slice(0, 12)}.css` }
