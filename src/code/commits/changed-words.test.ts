import { expect, test } from 'bun:test'
import { changedParts } from './changed-words.ts'

/** `[…]` around what is marked on both sides; nothing where nothing is. */
function marked(before: string, after: string): [string, string] | undefined {
  const found = changedParts(before, after)
  const show = (text: string, [start, end]: readonly [number, number]) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
  return found && [show(before, found.before), show(after, found.after)]
}

const table: [claim: string, before: string, after: string, shown: [string, string] | undefined][] = [
  ['a word that changed is marked whole', 'const a = oldName + 1', 'const a = oldValue + 1', ['const a = [oldName] + 1', 'const a = [oldValue] + 1']],
  ['what was added is marked on one side', 'call(one) // as ever', 'call(one, two) // as ever', ['call(one[]) // as ever', 'call(one[, two]) // as ever']],
  ['lines that have little in common are not marked', 'return nothing', 'export default x', undefined],
  ['an empty line is not marked', '', 'something', undefined],
  ['signs of two units are not cut', 'a very long line 😀 here', 'a very long line 😁 here', ['a very long line [😀] here', 'a very long line [😁] here']],
  ['a repeated sign is not counted twice', 'aa; bb; cc; dd', 'aa; bb; bb; cc; dd', ['aa; bb; []cc; dd', 'aa; bb; [bb; ]cc; dd']],
]

test.each(table)('%s', (_, before, after, shown) => {
  expect(marked(before, after)).toEqual(shown)
})
