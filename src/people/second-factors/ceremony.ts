import { sha256Hex } from '#kernel/ids.ts'
import script from './ask-for-key.js' with { type: 'text' }

/** The script by which a page asks for a security key; its name changes with its content, so browsers may keep it for ever. */
export const ceremony = { text: script, name: `keys-${sha256Hex(script).slice(0, 12)}.js` }
