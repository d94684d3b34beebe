import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { iconNames } from './icon-names.ts'
import { iconSprite } from './icon-sprite.ts'

/** The commands of all paths, each with its numbers, by the grammar of https://www.w3.org/TR/SVG2/paths.html#PathDataBNF */
function commandsIn(svg: string): [string, number[]][] {
  const paths = [...svg.matchAll(/\sd="([^"]*)"/g)].map(([, d = '']) => d)
  return paths.flatMap((d) =>
    [...d.matchAll(/([a-z])([^a-df-z]*)/gi)].map(([, command = '', numbers = '']): [string, number[]] => [
      command,
      (numbers.match(/[+-]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number),
    ]),
  )
}

test.each([...iconNames])('%s has in the sprite as many numbers as its author drew, each as far off as nobody sees', (name) => {
  const drawn = commandsIn(readFileSync(new URL(import.meta.resolve(`@primer/octicons/build/svg/${name}-16.svg`)), 'utf8'))
  const ours = commandsIn(new RegExp(`<symbol id="${name}"[^>]*>(.*?)</symbol>`).exec(iconSprite())?.[1] ?? '')
  expect(ours.map(([command, numbers]) => [command, numbers.length])).toEqual(drawn.map(([command, numbers]) => [command, numbers.length]))
  const far = ours.flatMap(([, numbers], i) => numbers.map((number, k) => Math.abs(number - (drawn[i]?.[1][k] ?? Number.NaN))))
  expect(Math.max(...far)).toBeLessThan(0.0051)
})
