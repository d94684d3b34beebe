import { readFileSync } from 'node:fs'
import { iconNames } from './icon-names.ts'
import { mark } from './mark.ts'

/** All icons as one SVG document, each a symbol under its own name. Runs when the program is bundled. @throws Error for a name that Octicons does not have */
export function iconSprite(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="pocketforge" viewBox="0 0 16 16">${mark}</symbol>${iconNames.map(symbolOf).join('')}</svg>`
}

function symbolOf(name: string): string {
  const svg = readFileSync(new URL(import.meta.resolve(`@primer/octicons/build/svg/${name}-16.svg`)), 'utf8')
  const inside = /^<svg[^>]*viewBox="0 0 16 16"[^>]*>(.*)<\/svg>\s*$/s.exec(svg)?.[1]
  if (inside === undefined) throw new Error(`Cannot take the icon ${name} into the sprite: it is not the SVG of 16 by 16 that was expected`)
  return `<symbol id="${name}" viewBox="0 0 16 16">${rounded(inside)}</symbol>`
}

/**
 * Paths with two digits behind the point, which at this size nobody sees and which saves a tenth of the bytes. Numbers may stand without
 * a space between them where a point begins the next or has ended in the one before, so one that loses its own point keeps apart.
 */
function rounded(paths: string): string {
  return paths.replace(/(\d*\.\d+)(?=(\.)?)/g, (_, number: string, next: string | undefined) => {
    if (!/\.\d{3}/.test(number)) return number
    const short = String(Number(Number(number).toFixed(2))).replace(/^0\./, '.')
    if (short.includes('.')) return short
    const apart = number.startsWith('.') ? ' ' : ''
    return short === '0' ? '.0' : `${apart}${short}${next === undefined ? '' : '.0'}`
  })
}
