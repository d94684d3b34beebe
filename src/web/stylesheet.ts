import { sha256Hex } from '#kernel/ids.ts'
import style from './style.css' with { type: 'text' }

/** The one style sheet; its name changes with its content, so browsers may keep it for ever. */
export const stylesheet = { text: style, name: `pages-${sha256Hex(style).slice(0, 12)}.css` }
